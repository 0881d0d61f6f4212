/* A battle on its page: the board, whose turn it is, one's own order, and what happened. */
import { Board, fill } from "./board.js";
import { piece, svg } from "./board-pieces.js";
import { clockTime, TournamentLink } from "./tournament-link.js";

const TICK = 250;
const SHORT = 10_000; // when the clock turns red
const PATIENCE = 1_500; // after a deadline, before asking what became of it
const MOST_CHAPTERS = 60;

class Battle {
  #root;
  #words;
  #link;
  #board;
  #state = null;
  #queue = Promise.resolve();
  #waiting = 0;
  #asked = 0;
  #parts;

  constructor(root) {
    this.#root = root;
    this.#words = JSON.parse(root.dataset.words);
    this.#parts = new Proxy({}, { get: (_none, name) => root.querySelector(`[data-${name}]`) });
    this.#board = new Board(this.#parts.board, this.#words);
    this.#link = new TournamentLink(root.dataset);
    this.#listen();
    this.#link.open();
    setInterval(() => this.#tick(), TICK);
  }

  #listen() {
    const on = (type, act) => this.#link.addEventListener(type, ({ detail }) => act(detail));
    on("state", (frame) => this.#later(() => this.#stand(frame)));
    on("turn", (frame) => this.#later(() => this.#turn(frame)));
    on("ready", (frame) => this.#ready(frame));
    on("presence", (frame) => this.#presence(frame));
    on("accepted", (frame) => this.#accepted(frame));
    on("error", (frame) => this.#error(frame));
    on("failed", () => this.#say(this.#words.failed, true));
    on("gone", () => this.#leave());
    on("connection", (state) => this.#connection(state));
    this.#board.addEventListener("choose", ({ detail }) => this.#choose(detail));
    this.#board.addEventListener("pick", ({ detail }) => this.#picked(detail));
    this.#parts.withdraw.addEventListener("click", () => this.#link.send({ type: "withdraw", turn: this.#state.turn }));
    this.#parts.draw.addEventListener("click", () => this.#link.send({ type: "draw", turn: this.#state.turn }));
  }

  /* Frames are shown one after the other; the board takes its time. */
  #later(show) {
    this.#waiting += 1;
    this.#queue = this.#queue.then(show).catch((fault) => console.error(fault)).then(() => (this.#waiting -= 1));
  }

  // --- What comes in ------------------------------------------------------------------

  #stand(frame) {
    const missed = this.#state && frame.turn > this.#state.turn;
    this.#state = frame;
    if (!frame.scene) return;
    if (missed) return this.#board.follow(frame.scene, []).then(() => this.#render());
    this.#board.show(frame.scene);
    this.#render();
  }

  async #turn(frame) {
    if (this.#state && frame.turn <= this.#state.turn && frame.state === this.#state.state) return;
    this.#state = { ...frame, choices: [] };
    this.#render();
    this.#say(fill(this.#words.closed, { turn: frame.closed + 1 }));
    this.#tell(frame);
    await this.#board.follow(frame.scene, this.#waiting > 2 ? [] : frame.report);
    if (this.#state.turn === frame.turn) this.#state = { ...this.#state, choices: frame.choices };
    this.#render();
  }

  #ready({ turn, count, of }) {
    if (!this.#state || turn !== this.#state.turn) return;
    Object.assign(this.#state, { ready: count, of: of ?? this.#state.of });
    this.#renderTop();
  }

  #presence({ here, watchers }) {
    if (!this.#state) return;
    for (const seat of this.#state.seats) seat.here = here.includes(seat.seat);
    this.#state.watchers = watchers;
    this.#renderSeats();
  }

  #accepted(frame) {
    if (!this.#state || frame.turn !== this.#state.turn) return;
    if (frame.draw) {
      this.#say(this.#words.offered);
      return;
    }
    this.#state.order = frame.order;
    this.#render();
    this.#say(frame.order ? `${this.#orderWords()} ${this.#words.sealed}` : this.#words.withdrawn);
  }

  #error(frame) {
    if (frame.code === "no-such-tournament") {
      this.#leave();
      return;
    }
    this.#renderOrders();
    this.#say(frame.text, true);
  }

  /* It is gone, as training is when it is over: its page tells how it ended. */
  #leave() {
    const running = !this.#state || ["running", "open", "announced"].includes(this.#state.state);
    if (running) location.assign(this.#root.dataset.page);
  }

  #connection(state) {
    const lost = state === "lost" || state === "over";
    const { connection } = this.#parts;
    connection.hidden = false;
    connection.classList.toggle("connection--lost", lost);
    connection.textContent = lost ? this.#words.lost : state === "open" ? this.#words.connected : this.#words.connecting;
    connection.setAttribute("role", "status");
  }

  // --- What goes out ------------------------------------------------------------------

  async #choose(choice) {
    if (choice.label === "resign" && !(await this.#isSure())) return;
    this.#say(this.#words.sent);
    this.#link.send({ type: "order", turn: this.#state.turn, order: choice.order });
  }

  #isSure() {
    const dialog = document.querySelector("[data-confirm]");
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
    });
  }

  #picked(id) {
    this.#say(id ? fill(this.#words.picked, { piece: id }) : this.#standing());
  }

  // --- What is shown ------------------------------------------------------------------

  #render() {
    const { plain, top, orders, text } = this.#parts;
    plain.hidden = true;
    top.hidden = false;
    orders.hidden = false;
    const drawing = text ?? document.querySelector("[data-text]");
    if (drawing) drawing.textContent = this.#state.scene?.text ?? "";
    this.#renderTop();
    this.#renderSeats();
    this.#renderTrays();
    this.#renderOrders();
    this.#renderResult();
    this.#board.offer(this.#state.choices, this.#ordered());
  }

  #renderTop() {
    const { turn, ready, of, state } = this.#state;
    this.#parts.turn.textContent = fill(this.#words.turn, { turn: state === "running" ? turn + 1 : turn });
    const count = Number.isInteger(ready) ? fill(this.#words.ready, { count: ready, of }) : this.#words.readyHidden;
    this.#parts.ready.textContent = state === "running" ? `· ${count}` : "";
    this.#tick();
  }

  #renderSeats() {
    const { seats, you, watchers } = this.#state;
    this.#parts.seats.replaceChildren(...seats.map((seat) => this.#seat(seat, you)));
    this.#parts.company.textContent = watchers ? plural(this.#words.watchers, watchers) : "";
  }

  #seat(seat, you) {
    const { words: w } = { words: this.#words };
    const running = this.#state.state === "running";
    const item = node("li", seat.seat === you ? "sitter sitter--mine" : "sitter");
    const chip = node("span", `chip seat--${seat.seat}`, seat.seat);
    const name = node("bdi", "", seat.who);
    const line = node("span", "", name);
    if (seat.dynasty) {
      const house = node("a", "", node("bdi", "", seat.dynasty.name));
      house.href = seat.dynasty.url;
      line.append(" · ", house);
    }
    const tags = [
      [seat.seat === you, w.you, "tag--good"],
      [seat.bot, w.bot, ""],
      [running && !seat.due, w.out, "tag--bad"],
      [seat.draw, w.drawOffer, "tag--warn"],
      [seat.absences > 0 && !seat.bot, plural(w.missed, seat.absences), "tag--warn"],
      [running && !seat.bot && seat.seat !== you, seat.here ? w.here : w.away, ""],
    ];
    for (const [holds, words, tone] of tags) if (holds) line.append(" ", node("span", `tag ${tone}`, words));
    if (running && !seat.due) item.classList.add("sitter--out");
    item.append(chip, line);
    return item;
  }

  #renderTrays() {
    const trays = (this.#state.scene?.trays ?? []).filter((tray) => tray.figures.length || tray.counts.length);
    this.#parts.trays.replaceChildren(
      ...trays.map((tray) => {
        const box = node("span", "tray", node("span", `chip seat--${tray.seat ?? "none"}`, tray.seat ?? "–"));
        for (const figure of tray.figures) box.append(svg("svg", { viewBox: "-32 -32 64 64", "aria-hidden": "true" }, piece(figure)));
        for (const [kind, number] of tray.counts) box.append(` ${number} × ${kind}`);
        return box;
      }),
    );
  }

  #renderOrders() {
    const { choices, order, you, state } = this.#state;
    const due = state === "running" && you !== null && choices.length > 0 && this.#mySeat()?.due;
    this.#parts.withdraw.hidden = !(due && order);
    this.#parts.draw.hidden = !due;
    this.#parts.draw.disabled = Boolean(this.#mySeat()?.draw);
    const buttons = choices.filter((choice) => !choice.piece && !choice.tile && !choice.fields?.length);
    this.#parts.choices.replaceChildren(...buttons.map((choice) => this.#button(choice)));
    this.#say(this.#standing());
  }

  #button(choice) {
    const button = node("button", choice.label === "resign" ? "btn btn--danger" : "btn", this.#words.labels[choice.label] ?? choice.label);
    button.type = "button";
    button.setAttribute("aria-pressed", String(same(choice.order, this.#state.order)));
    button.addEventListener("click", () => this.#choose(choice));
    return button;
  }

  /* How things stand with one's own order, in words. */
  #standing() {
    const { you, state, order } = this.#state;
    if (state !== "running") return state === "adjourned" ? this.#words.adjourned : "";
    if (you === null) return this.#words.watch;
    if (!this.#mySeat()?.due) return this.#words.wait;
    return order ? `${this.#orderWords()} ${this.#words.sealed}` : this.#words.ask;
  }

  #orderWords() {
    const choice = this.#ordered();
    if (!choice) return "";
    return choice.piece ? fill(this.#words.aim, choice) : (this.#words.ordered[choice.label] ?? choice.label);
  }

  #ordered() {
    const { choices, order } = this.#state;
    return order ? (choices.find((choice) => same(choice.order, order)) ?? null) : null;
  }

  #mySeat() {
    return this.#state.seats.find((seat) => seat.seat === this.#state.you);
  }

  #renderResult() {
    const { state, winners, seats, ending } = this.#state;
    if (!["finished", "abandoned", "cancelled"].includes(state)) return;
    const names = seats.filter((seat) => winners.includes(seat.seat)).map((seat) => seat.who);
    const list = new Intl.ListFormat(document.documentElement.lang).format(names);
    const verdict = names.length ? fill(names.length > 1 ? this.#words.shared : this.#words.won, { who: list }) : this.#words.drawn;
    const more = node("a", "btn btn--small", this.#words.more);
    more.href = this.#root.dataset.page;
    const { result } = this.#parts;
    result.replaceChildren(node("strong", "", verdict), ` ${this.#words.endings[ending] ?? ""} `, more);
    result.hidden = false;
    this.#parts.clock.textContent = "";
    this.#parts.sand.hidden = true;
  }

  #tell({ closed, story }) {
    this.#parts.story.hidden = false;
    const lines = story.length ? story.map(({ text }) => node("li", "", text)) : [node("li", "soft", this.#words.quiet)];
    const chapter = node("div", "", node("h3", "", fill(this.#words.turn, { turn: closed + 1 })), node("ul", "story__lines", ...lines));
    const { chapters } = this.#parts;
    chapters.prepend(chapter);
    while (chapters.children.length > MOST_CHAPTERS) chapters.lastChild.remove();
  }

  #say(words, bad = false) {
    const { say } = this.#parts;
    say.classList.toggle("orders__words--bad", bad);
    if (say.textContent !== words) say.textContent = words;
  }

  #tick() {
    const { deadline, state, turn_seconds: seconds } = this.#state ?? {};
    if (state !== "running" || !deadline) return;
    const left = Date.parse(deadline) - this.#link.now();
    const { clock, sand } = this.#parts;
    clock.textContent = left > 0 ? fill(this.#words.left, { time: clockTime(left) }) : this.#words.overdue;
    clock.classList.toggle("arena__clock--short", left < SHORT);
    sand.value = Math.max(0, Math.min(1000, Math.round(left / seconds)));
    if (left < -PATIENCE && Date.now() - this.#asked > PATIENCE) {
      this.#asked = Date.now();
      this.#link.look();
    }
  }
}

function node(name, look, ...children) {
  const element = document.createElement(name);
  if (look) element.className = look.trim();
  element.append(...children);
  return element;
}

function plural(forms, count) {
  return fill(count === 1 ? forms.one : forms.other, { count });
}

/* Whether two orders are one, whatever the order of their parts. */
function same(one, other) {
  const sorted = (value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
      : value;
  return Boolean(one && other) && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

const root = document.querySelector("[data-battle]");
if (root) new Battle(root);
