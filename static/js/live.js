/*
 * The world's news over a WebSocket. A lost connection is taken up again by itself, later and
 * later, and at random so that a restarted server is not stormed. What was missed meanwhile is
 * the page's to ask for: every frame is a hint, the server's pages are the truth.
 *
 * Events: "state" (detail: "connecting" | "open" | "lost" | "over") and one per type of frame
 * (detail: the frame).
 */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
const PING_EVERY = 25_000;
const SILENCE = 60_000;
const SIGNED_OUT = 4401;
const RENEWED = 4402;
const RENEWAL_WAIT = 1_000;

export class Live extends EventTarget {
  #url;
  #socket = null;
  #tries = 0;
  #timer = 0;
  #pinger = 0;
  #heard = 0;

  constructor(url) {
    super();
    this.#url = url;
    this.state = "connecting";
    addEventListener("online", () => this.#retryNow());
    addEventListener("pageshow", (event) => event.persisted && this.#retryNow());
    document.addEventListener("visibilitychange", () => !document.hidden && this.#retryNow());
  }

  connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#opened());
    socket.addEventListener("message", (event) => this.#hear(event.data));
    socket.addEventListener("close", (event) => socket === this.#socket && this.#closed(event.code));
  }

  send(frame) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #opened() {
    this.#tries = 0;
    this.#heard = Date.now();
    this.#pinger = setInterval(() => this.#keepAlive(), PING_EVERY);
    this.#become("open");
  }

  #hear(data) {
    this.#heard = Date.now();
    let frame;
    try {
      frame = JSON.parse(data);
    } catch {
      return;
    }
    if (frame?.type) this.dispatchEvent(new CustomEvent(frame.type, { detail: frame }));
  }

  #keepAlive() {
    if (Date.now() - this.#heard > SILENCE) this.#socket.close();
    else this.send({ type: "ping" });
  }

  #closed(code) {
    clearInterval(this.#pinger);
    this.#socket = null;
    if (code === SIGNED_OUT) {
      this.#become("over");
      return;
    }
    if (code === RENEWED) {
      // The session got a new key, and the cookie with it may still be on its way to this
      // browser. Nothing was lost: nobody needs to hear of it.
      this.#timer = setTimeout(() => this.connect(), RENEWAL_WAIT);
      return;
    }
    this.#become("lost");
    const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries++);
    this.#timer = setTimeout(() => this.connect(), most / 2 + (Math.random() * most) / 2);
  }

  #retryNow() {
    if (this.state === "lost" && !this.#socket) this.connect();
  }

  #become(state) {
    this.state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
  }
}

/* Connect this page's live feed and return it, or null where the page has none. */
export function startLive() {
  const path = document.body.dataset.liveUrl;
  if (!path || !("WebSocket" in window)) return null;
  const url = new URL(path, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const live = new Live(url);
  live.connect();
  return live;
}
