/*
 * The talk beside a board: lines come with the tournament's frames, and through HTTP where there
 * is no socket. Words reach the page as text only. Without this script the form still works.
 */
const POLL_EVERY = 10_000;
const MOST_LINES = 300;
const OVER = ["finished", "abandoned", "cancelled"];

class Chat {
  #root;
  #log;
  #lines;
  #words;
  #last = {};
  #linked = false;
  #over;
  #gone = false;

  constructor(root) {
    this.#root = root;
    this.#log = root.querySelector("[data-chat-log]");
    this.#lines = root.querySelector("[data-chat-lines]");
    this.#words = root.querySelector("[data-chat-words]").dataset;
    this.#over = "chatBoth" in root.dataset;
    for (const { dataset } of this.#lines.children) this.#note(dataset.chatRoom, Number(dataset.chatNumber));
    this.#scroll();
    root.querySelector("[data-chat-say]")?.addEventListener("submit", (event) => this.#say(event));
    document.addEventListener("tournament-frame", ({ detail }) => this.#hear(detail));
    document.addEventListener("tournament-connection", ({ detail }) => this.#connection(detail));
    if ("chatOpen" in root.dataset || !this.#over) setInterval(() => this.#poll(), POLL_EVERY);
  }

  // --- What comes in ------------------------------------------------------------------

  #hear(frame) {
    if (frame.type === "said") {
      // A gap: something was lost on its way, or is not for this reader.
      if (frame.number > (this.#last[frame.room] ?? 0) + 1) this.look();
      this.#add(frame);
    }
    if (OVER.includes(frame.state) && !this.#over) {
      this.#over = true; // both rooms are open now
      this.#root.dataset.chatBoth = "";
      this.#gone = frame.kind === "training"; // which leaves no trace: there is nothing to ask for
      this.look();
    }
  }

  /* What was said while the connection was away is asked for when it is back. */
  #connection(state) {
    const linked = state === "open";
    if (linked && !this.#linked) this.look();
    this.#linked = linked;
  }

  #poll() {
    if (!this.#linked && !document.hidden) this.look();
  }

  async look() {
    if (this.#gone) return;
    try {
      const known = new URLSearchParams(this.#last);
      const answer = await fetch(`${this.#root.dataset.chatUrl}?${known}`, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      for (const frame of (await answer.json()).frames) this.#add(frame);
    } catch {
      // No network: the next look may find it again.
    }
  }

  // --- What goes out ------------------------------------------------------------------

  async #say(event) {
    event.preventDefault();
    const form = event.target;
    const field = form.elements.text;
    if (!field.value.trim()) return;
    this.#tell("");
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body: new FormData(form),
        headers: { Accept: "application/json" },
      });
      const frame = await answer.json();
      if (frame.type === "error") {
        this.#tell(frame.text);
        return;
      }
      field.value = "";
      this.#add(frame);
    } catch {
      this.#tell(this.#words.chatFailed);
    }
    field.focus();
  }

  #tell(words) {
    this.#root.querySelector("[data-chat-status]").textContent = words;
  }

  // --- What is shown ------------------------------------------------------------------

  #add(frame) {
    const there = this.#lines.querySelector(`[data-chat-room="${CSS.escape(frame.room)}"][data-chat-number="${CSS.escape(frame.number)}"]`);
    if (there) {
      if (frame.own) there.querySelector(".chat__more")?.remove();
      return;
    }
    const atEnd = this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < 40;
    const item = this.#item(frame);
    const later = [...this.#lines.children].find((each) => each.querySelector("time").dateTime > item.querySelector("time").dateTime && each.dataset.chatRoom !== frame.room);
    this.#lines.insertBefore(item, this.#over ? (later ?? null) : null);
    while (this.#lines.children.length > MOST_LINES) this.#lines.firstChild.remove();
    this.#root.querySelector("[data-chat-empty]").hidden = true;
    this.#note(frame.room, frame.number);
    if (atEnd) this.#scroll();
  }

  #item(frame) {
    const template = this.#root.querySelector("[data-chat-line-template]");
    const item = template.content.firstElementChild.cloneNode(true);
    const part = (name) => item.querySelector(`[data-chat-${name}]`);
    Object.assign(item.dataset, { chatRoom: frame.room, chatNumber: frame.number });
    part("who").textContent = frame.who;
    part("text").textContent = frame.text || this.#words.chatGone;
    if (frame.seat) {
      part("seat").textContent = frame.seat;
      part("seat").classList.add(`seat--${frame.seat}`);
      part("seat").hidden = false;
    }
    if (this.#over) {
      part("room-tag").textContent = frame.room === "seats" ? this.#words.chatTable : this.#words.chatStands;
      part("room-tag").hidden = false;
    }
    const at = new Date(frame.at);
    part("at").dateTime = frame.at;
    part("at").textContent = at.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    if (frame.own) part("more").remove();
    else part("more").href = `${this.#root.dataset.chatUrl}${encodeURIComponent(frame.room)}/${Number(frame.number)}/`;
    return item;
  }

  #note(room, number) {
    this.#last[room] = Math.max(this.#last[room] ?? 0, number);
  }

  #scroll() {
    this.#log.scrollTop = this.#log.scrollHeight;
  }
}

for (const root of document.querySelectorAll("[data-chat]")) {
  if (root.querySelector("[data-chat-log]")) new Chat(root);
}
