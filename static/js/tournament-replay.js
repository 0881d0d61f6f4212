/* A battle that is over, again: step by step, by a slider, or as a play. */
import { Board, fill } from "./board.js";

const PAUSE = 700;

class Replay {
  #root;
  #words;
  #board;
  #steps = new Map();
  #ground = null;
  #turn;
  #last;
  #plays = false;
  #run = 0;

  constructor(root) {
    this.#root = root;
    this.#words = JSON.parse(root.dataset.words);
    this.#turn = Number(root.dataset.turn);
    this.#last = Number(root.dataset.last);
    this.#board = new Board(root.querySelector("[data-board]"), this.#words);
    this.#slider.addEventListener("input", () => this.#go(Number(this.#slider.value)));
    for (const button of root.querySelectorAll("[data-go]")) {
      button.addEventListener("click", () => this.#press(button.dataset.go));
    }
    this.#load(this.#turn).then((step) => step && this.#begin(step));
  }

  get #slider() {
    return this.#root.querySelector("[data-slider]");
  }

  #begin(step) {
    this.#root.querySelector("[data-plain]").hidden = true;
    this.#root.querySelector("[data-ways]").hidden = false;
    this.#board.show(this.#scene(step));
  }

  #press(way) {
    if (way === "play") {
      this.#play(!this.#plays);
      return;
    }
    const targets = { start: 0, back: this.#turn - 1, next: this.#turn + 1, end: this.#last };
    this.#go(targets[way], way === "next");
  }

  async #play(plays) {
    this.#setPlaying(plays);
    if (!plays) return;
    if (this.#turn >= this.#last) await this.#show(0, false);
    const run = ++this.#run;
    while (this.#plays && run === this.#run && this.#turn < this.#last) {
      await this.#show(this.#turn + 1, true);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    if (run === this.#run) this.#setPlaying(false);
  }

  #setPlaying(plays) {
    const button = this.#root.querySelector("[data-go=play]");
    button.dataset.play ??= button.textContent;
    button.textContent = plays ? button.dataset.pause : button.dataset.play;
    this.#plays = plays;
  }

  #go(turn, moves = false) {
    this.#setPlaying(false);
    return this.#show(Math.max(0, Math.min(this.#last, turn)), moves);
  }

  async #show(turn, moves) {
    const step = await this.#load(turn);
    if (!step) return;
    this.#turn = turn;
    this.#slider.value = String(turn);
    this.#root.querySelector("[data-number]").textContent = String(turn);
    this.#root.querySelector("[data-heading]").textContent = fill(this.#words.turn, { turn });
    this.#tell(step.story);
    if (moves) await this.#board.follow(this.#scene(step), step.report);
    else this.#board.show(this.#scene(step));
  }

  #tell(story) {
    const lines = story.length ? story : [this.#words.quiet];
    const items = lines.map((text) => Object.assign(document.createElement("li"), { textContent: text }));
    this.#root.querySelector("[data-lines]").replaceChildren(...items);
  }

  #scene(step) {
    return { ...this.#ground, ...step };
  }

  async #load(turn) {
    if (!this.#steps.has(turn)) await this.#fetch(turn);
    return this.#steps.get(turn);
  }

  async #fetch(turn) {
    const first = Math.max(0, turn - 5);
    try {
      const answer = await fetch(`${this.#root.dataset.url}?first=${first}`);
      if (!answer.ok) return;
      const { grid, cells, steps } = await answer.json();
      this.#ground ??= { grid, cells };
      for (const step of steps) this.#steps.set(step.turn, step);
    } catch {
      // Without network the page's own links still tell the battle once it is back.
    }
  }
}

const root = document.querySelector("[data-replay]");
if (root) new Replay(root);
