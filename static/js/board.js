/*
 * A board for every game: draws a scene, offers choices, and tells which one was made.
 *
 * Events: "choose" (detail: a choice of those given to `offer`) and "pick" (detail: a piece's id
 * or null). Pieces are picked by tap, drag or keyboard; their ids last, so that they can move.
 */
import { frame, ground, labels, middle, neighbour, outline, UNIT } from "./board-geometry.js";
import { isStill, playReport, settled } from "./board-motion.js";
import { arrow, dress, mark, piece, svg } from "./board-pieces.js";

const DRAG_FROM = 7; // pixels: less is a tap by an unsteady hand
const GLIDE = 380;
const LEAST_TILE = 30; // pixels: for whoever orders, a larger board scrolls rather than defy fingers
const KEYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Board extends EventTarget {
  #host;
  #words;
  #root = null;
  #layers = {};
  #spots = new Map(); // by tile
  #figures = new Map(); // by id
  #choices = [];
  #picked = null;
  #cursor = null;
  #scene = null;
  #drag = null;
  #order = null;
  #least = 0;

  constructor(host, words) {
    super();
    this.#host = host;
    this.#words = words;
  }

  /* Show a scene at once. */
  show(scene) {
    if (!this.#root || !this.#isSameGround(scene)) this.#build(scene);
    this.#scene = scene;
    this.#placeMarks();
    this.#placeFigures(false);
    this.#refresh();
  }

  /* Show what a turn led to, as it happened. */
  async follow(scene, report) {
    if (!this.#root || !this.#isSameGround(scene)) {
      this.show(scene);
      return;
    }
    this.offer([], null);
    await playReport(this, report ?? []);
    this.#scene = scene;
    this.#placeMarks();
    await this.#placeFigures(true);
    this.#refresh();
  }

  /* What may be ordered now, and the choice that stands as one's own order. */
  offer(choices, order) {
    this.#choices = choices;
    this.#order = order;
    if (choices.length && this.#root) this.#root.style.minWidth = `${this.#least}px`;
    if (this.#picked && !this.#choicesOf(this.#picked).length) this.#picked = null;
    this.#refresh();
  }

  // --- For the motion -----------------------------------------------------------------

  get over() {
    return this.#layers.over;
  }

  figure(id) {
    return this.#figures.get(id);
  }

  /* The middle of the tile at a pair of coordinates. */
  at(pair) {
    return pair && [...this.#spots.values()].find((spot) => spot.cell.x === pair[0] && spot.cell.y === pair[1]);
  }

  async slide(figure, { x, y }, duration) {
    const from = figure.at;
    this.#put(figure, { x, y });
    if (isStill() || (from.x === x && from.y === y)) return;
    const path = [from, { x, y }].map((at) => `translate(${at.x}px, ${at.y}px)`);
    await settled(figure.element.animate({ transform: path }, { duration, easing: "ease-in-out" }), duration);
  }

  recolour(figure, look) {
    Object.assign(figure, { kind: look.kind, seat: look.seat });
    dress(figure.element, look);
  }

  // --- Building -----------------------------------------------------------------------

  #isSameGround({ grid, cells }) {
    return this.#scene?.grid === grid && this.#scene.cells.length === cells.length && cells.every(({ tile }) => this.#spots.has(tile));
  }

  #build(scene) {
    this.#scene = scene;
    this.#figures.clear();
    this.#spots = new Map(
      scene.cells.map((cell) => [cell.tile, { tile: cell.tile, cell, ...middle(scene.grid, cell) }]),
    );
    const spots = [...this.#spots.values()];
    const size = frame(spots);
    const tiles = svg("g", { class: "board__tiles", role: "presentation" });
    for (const row of rowsOf(spots)) {
      tiles.append(svg("g", { role: "row" }, ...row.map((spot) => this.#cell(scene.grid, spot))));
    }
    const hidden = (look, ...children) => svg("g", { class: look, "aria-hidden": "true" }, ...children);
    const names = scene.grid === "hex" ? [] : labels(spots, size).map(label);
    this.#layers = {
      marks: hidden("board__marks"),
      aim: hidden("board__over"),
      pieces: hidden("board__pieces"),
      over: hidden("board__over"),
    };
    this.#root = svg(
      "svg",
      { class: "board", viewBox: `${size.left} ${size.top} ${size.width} ${size.height}`, role: "grid", "aria-label": this.#words.board },
      tiles,
      hidden("board__labels", ...names),
      ...Object.values(this.#layers),
    );
    this.#least = Math.round((size.width / UNIT) * LEAST_TILE);
    this.#listen();
    this.#host.replaceChildren(this.#root);
    this.#moveCursor(this.#spots.get(this.#cursor) ?? spots[0], false);
  }

  #cell(grid, spot) {
    const d = outline(grid, spot);
    spot.element = svg(
      "g",
      { class: "cell", role: "gridcell", tabindex: -1, "data-tile": spot.tile },
      svg("path", { class: ground(grid, spot.cell), d }),
      svg("circle", { class: "cell__ring", cx: spot.x, cy: spot.y, r: 29 }),
    );
    return spot.element;
  }

  #placeMarks() {
    const marks = this.#scene.marks.filter(({ tile }) => this.#spots.has(tile));
    this.#layers.marks.replaceChildren(...marks.map((each) => mark(each, this.#spots.get(each.tile))));
  }

  #placeFigures(glides) {
    const there = new Set();
    const moves = [];
    for (const figure of this.#scene.figures) {
      const spot = this.#spots.get(figure.tile);
      if (!spot) continue;
      there.add(figure.id);
      moves.push(this.#placeFigure(figure, spot, glides));
    }
    for (const [id, { element }] of this.#figures) {
      if (there.has(id)) continue;
      element.remove();
      this.#figures.delete(id);
    }
    return Promise.all(moves);
  }

  #placeFigure(figure, spot, glides) {
    let known = this.#figures.get(figure.id);
    if (!known) {
      known = { element: piece(figure), at: { x: spot.x, y: spot.y } };
      this.#figures.set(figure.id, known);
      this.#layers.pieces.append(known.element);
      this.#put(known, spot);
    }
    Object.assign(known, figure);
    dress(known.element, figure);
    for (const animation of known.element.getAnimations()) animation.cancel();
    if (glides) return this.slide(known, spot, GLIDE);
    this.#put(known, spot);
    return Promise.resolve();
  }

  #put(figure, { x, y }) {
    figure.at = { x, y };
    figure.element.setAttribute("transform", `translate(${x} ${y})`);
  }

  // --- What can be seen of the choices ---------------------------------------------------

  #refresh() {
    if (!this.#root) return;
    const reach = new Set(this.#reached().map((choice) => choice.tile));
    const mine = new Set(this.#choices.map((choice) => this.#figures.get(choice.piece)?.tile));
    const picked = this.#figures.get(this.#picked)?.tile;
    const content = this.#contents();
    for (const spot of this.#spots.values()) {
      const { classList } = spot.element;
      classList.toggle("cell--reach", reach.has(spot.tile));
      classList.toggle("cell--mine", mine.has(spot.tile));
      classList.toggle("cell--picked", spot.tile === picked);
      spot.element.setAttribute("aria-selected", String(spot.tile === picked));
      spot.element.setAttribute("aria-label", this.#say(spot, content.get(spot.tile), reach, mine));
    }
    this.#showAim();
  }

  #contents() {
    const content = new Map();
    for (const thing of [...this.#scene.figures, ...this.#scene.marks]) {
      content.set(thing.tile, [...(content.get(thing.tile) ?? []), this.#name(thing)]);
    }
    return content;
  }

  #name({ id = "", kind, seat, badge = "" }) {
    return fill(this.#words.kinds[kind] ?? kind, { id, seat: seat ?? this.#words.nobody, badge });
  }

  #say(spot, things, reach, mine) {
    const states = [reach.has(spot.tile) && this.#words.reach, mine.has(spot.tile) && this.#words.mine];
    const said = [...(things ?? []), ...states.filter(Boolean)];
    return said.length ? fill(this.#words.holds, { tile: spot.tile, things: said.join(", ") }) : spot.tile;
  }

  #showAim() {
    const from = this.#spots.get(this.#figures.get(this.#order?.piece)?.tile);
    const to = this.#spots.get(this.#order?.tile);
    this.#layers.aim.replaceChildren(...(from && to ? [arrow(from, to)] : []));
  }

  // --- Choosing -------------------------------------------------------------------------

  #choicesOf(id) {
    return this.#choices.filter((choice) => choice.piece === id && choice.tile);
  }

  #reached() {
    return this.#picked ? this.#choicesOf(this.#picked) : this.#choices.filter((choice) => choice.tile && !choice.piece);
  }

  #pick(id) {
    this.#picked = id;
    this.#refresh();
    this.dispatchEvent(new CustomEvent("pick", { detail: id }));
  }

  /* A tap on a tile, or Enter: give the order, or pick what stands there. */
  #press(tile) {
    const choice = this.#reached().find((each) => each.tile === tile);
    if (choice) {
      this.#picked = null;
      this.#refresh();
      this.dispatchEvent(new CustomEvent("choose", { detail: choice }));
      return;
    }
    const own = [...this.#figures.values()].find((figure) => figure.tile === tile && this.#choicesOf(figure.id).length);
    if (own || this.#picked) this.#pick(own && own.id !== this.#picked ? own.id : null);
  }

  #listen() {
    const root = this.#root;
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#up(event));
    root.addEventListener("pointercancel", () => this.#drop());
  }

  #key(event) {
    const spot = this.#spots.get(this.#cursor);
    const direction = KEYS[event.key];
    if (direction && spot) {
      const next = neighbour([...this.#spots.values()], spot, direction);
      if (next) this.#moveCursor(next, true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#press(this.#cursor);
    } else if (event.key === "Escape" && this.#picked) {
      this.#pick(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  #moveCursor(spot, focus) {
    this.#spots.get(this.#cursor)?.element.setAttribute("tabindex", "-1");
    this.#cursor = spot.tile;
    spot.element.setAttribute("tabindex", "0");
    if (focus) spot.element.focus();
  }

  #down(event) {
    const tile = tileOf(event.target);
    if (!tile || event.button) return;
    this.#moveCursor(this.#spots.get(tile), false);
    const own = [...this.#figures.values()].find((figure) => figure.tile === tile && this.#choicesOf(figure.id).length);
    this.#drag = { tile, id: own?.id ?? null, x: event.clientX, y: event.clientY, moves: false };
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag?.id) return;
    if (!drag.moves && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_FROM) return;
    const figure = this.#figures.get(drag.id);
    if (!drag.moves) {
      drag.moves = true;
      this.#root.setPointerCapture(event.pointerId);
      this.#layers.pieces.append(figure.element);
      figure.element.classList.add("man--lifted");
      if (this.#picked !== drag.id) this.#pick(drag.id);
    }
    const at = this.#onBoard(event);
    figure.element.setAttribute("transform", `translate(${at.x} ${at.y})`);
  }

  #up(event) {
    const drag = this.#drag;
    this.#drop();
    if (!drag) return;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const tile = tileOf(under);
    if (!drag.moves) {
      if (tile) this.#press(tile);
    } else if (tile && tile !== drag.tile && this.#reached().some((each) => each.tile === tile)) {
      this.#press(tile);
    }
  }

  #drop() {
    const figure = this.#figures.get(this.#drag?.id);
    if (figure && this.#drag.moves) {
      figure.element.classList.remove("man--lifted");
      this.#put(figure, figure.at);
    }
    this.#drag = null;
  }

  #onBoard(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#root.getScreenCTM().inverse());
  }
}

/* A template of ours with its values. */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_whole, name) => values[name] ?? "");
}

function tileOf(element) {
  return element?.closest?.("[data-tile]")?.dataset.tile;
}

function rowsOf(spots) {
  const rows = new Map();
  for (const spot of spots) rows.set(spot.y, [...(rows.get(spot.y) ?? []), spot]);
  return [...rows.entries()].sort(([one], [other]) => one - other).map(([, row]) => row.sort((a, b) => a.x - b.x));
}

function label({ text, x, y }) {
  const element = svg("text", { x, y });
  element.textContent = text;
  return element;
}
