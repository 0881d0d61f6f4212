/*
 * The connection of a page with its tournament: the socket, and the same frames through HTTP
 * where there is no socket or something was missed. Keeps the server's clock.
 *
 * Events: one per type of frame (detail: the frame), and "connection" (detail: a state of Live).
 */
import { Live } from "./live.js";

const POLL_EVERY = 4_000;

export class TournamentLink extends EventTarget {
  #live;
  #stateUrl;
  #ordersUrl;
  #ahead = 0;
  #version = null;
  #turn = null;
  #refs = 0;

  constructor({ socket, stateUrl, ordersUrl, now }) {
    super();
    this.#stateUrl = stateUrl;
    this.#ordersUrl = ordersUrl;
    if (now) this.#setClock(now);
    const url = new URL(socket, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this.#live = new Live(url);
    for (const type of ["hello", "pong", "state", "turn", "ready", "presence", "accepted", "error", "said"]) {
      this.#live.addEventListener(type, ({ detail }) => this.#hear(detail));
    }
    this.#live.addEventListener("state", ({ detail }) => {
      // Both our frames and the connection have a "state"; the connection's is a word.
      if (typeof detail === "string") {
        this.#tell("connection", detail);
        if (detail === "lost" && this.#version === null) this.look();
        document.dispatchEvent(new CustomEvent("tournament-connection", { detail }));
      }
    });
  }

  open() {
    this.#live.connect();
    setInterval(() => this.#live.state !== "open" && this.look(), POLL_EVERY);
  }

  /* The server's time. */
  now() {
    return Date.now() + this.#ahead;
  }

  /* Ask through HTTP what was missed since the version that is known. */
  async look() {
    if (!this.#stateUrl) return;
    const since = this.#version === null ? "" : `?since=${this.#version}`;
    try {
      const answer = await fetch(`${this.#stateUrl}${since}`, { headers: { Accept: "application/json" } });
      if (answer.status === 404) this.#tell("gone", null);
      if (!answer.ok) return;
      for (const frame of (await answer.json()).frames) this.#hear(frame, true);
    } catch {
      // No network: the next look may find it again.
    }
  }

  /* Send what a seat wants: over the socket, else through HTTP. */
  async send(frame) {
    const content = { ...frame, ref: ++this.#refs };
    if (this.#live.state === "open") {
      this.#live.send(content);
      return;
    }
    const { type, ...rest } = content;
    const body = JSON.stringify(type === "order" ? rest : { ...rest, [type]: true });
    const headers = { "Content-Type": "application/json", "X-CSRFToken": csrfToken() };
    try {
      const answer = await fetch(this.#ordersUrl, { method: "POST", body, headers });
      this.#hear(await answer.json());
      await this.look();
    } catch {
      this.#tell("failed", null);
    }
  }

  #hear(frame, wasAsked = false) {
    if (typeof frame !== "object" || !frame) return;
    // A line tells when it was said, all others what time it is.
    if (frame.at && frame.type !== "said") this.#setClock(frame.at);
    if (Number.isInteger(frame.version)) {
      if (this.#version !== null && frame.version < this.#version) return;
      if (!wasAsked && this.#hasMissed(frame)) {
        this.look();
        return;
      }
      this.#version = frame.version;
      this.#turn = frame.turn;
    }
    this.#tell(frame.type, frame);
    // For what else is on the page, as the talk.
    document.dispatchEvent(new CustomEvent("tournament-frame", { detail: frame }));
  }

  /* Whether turns lie between what is known and what is told: then they are asked for first. */
  #hasMissed({ type, turn }) {
    if (this.#turn === null) return false;
    return type === "state" ? turn > this.#turn : turn > this.#turn + 1;
  }

  #setClock(at) {
    const time = Date.parse(at);
    if (!Number.isNaN(time)) this.#ahead = time - Date.now();
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

function csrfToken() {
  return document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
}

/* Some seconds as people read them on a clock: 0:45, 12:05, or 1:02:03. */
export function clockTime(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (!parts[0]) parts.shift();
  return parts.map((part, place) => (place ? String(part).padStart(2, "0") : part)).join(":");
}
