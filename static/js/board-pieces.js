/* What stands and lies on a board, as SVG: the same drawings as in templates/tournaments. */
const SVG = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const SHIELD = "M-23 -10H23V6C23 17 12 24 0 29-12 24-23 17-23 6Z";
const CROWN = "M-18 -10-22 -27-10 -20 0 -30 10 -20 22 -27 18 -10Z";
const MARKS = {
  target: "M-27 -16V-27H-16M16 -27H27V-16M27 16V27H16M-16 27H-27V16",
  chest: "M-18 -4C-18 -16 18 -16 18 -4V14H-18ZM-18 -2H18M-4 -5H4V4H-4Z",
  treasure: "M-14 -12H14L21 -2 0 20-21 -2ZM-21 -2H21M-14 -12-6 -2 0 20 6 -2 14 -12",
};

/* A piece in its colours, with the letter of its seat, its own name and its badge. */
export function piece(figure) {
  const group = svg("g");
  dress(group, figure);
  return group;
}

export function dress(group, { id, kind, seat, badge }) {
  const look = JSON.stringify([kind, seat, badge]);
  if (group.dataset.look === look) return;
  group.dataset.look = look;
  group.setAttribute("class", `man man--${kind} seat--${seat ?? "none"}`);
  const letter = seat ?? "–";
  const body =
    kind === "emperor"
      ? [svg("path", { class: "man__body", d: SHIELD }), svg("path", { class: "man__crown", d: CROWN }), text("man__seat", 11, letter), text("man__id", 22, id)]
      : [svg("circle", { class: "man__body", r: 24 }), svg("circle", { class: "man__rim", r: 20 }), text("man__seat", 4, letter), text("man__id", 16, id)];
  if (badge && badge !== "1") {
    body.push(svg("g", { class: "man__badge", transform: "translate(21 -19)" }, svg("circle", { r: 11 }), text("", 5, badge)));
  }
  group.replaceChildren(...body);
}

export function mark({ kind, seat }, { x, y }) {
  const group = svg("g", { class: `mark mark--${kind} seat--${seat ?? "none"}`, transform: `translate(${x} ${y})` });
  group.append(svg("path", { d: MARKS[kind] ?? MARKS.treasure }));
  if (seat) group.append(text("", kind === "target" ? -14 : 27, seat));
  return group;
}

/* An arrow from one tile to another: one's own order. */
export function arrow(from, to) {
  const far = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / far, (to.y - from.y) / far];
  const at = (along, aside) => `${to.x - ux * along - uy * aside} ${to.y - uy * along + ux * aside}`;
  const line = `M${from.x + ux * 27} ${from.y + uy * 27}L${at(24, 0)}`;
  return svg(
    "g",
    { class: "aim" },
    svg("path", { class: "aim__line", d: line }),
    svg("path", { class: "aim__core", d: line }),
    svg("path", { class: "aim__head", d: `M${at(8, 0)}L${at(26, 13)} ${at(26, -13)}Z` }),
  );
}

/* A burst where pieces met. */
export function burst({ x, y }) {
  const points = Array.from({ length: 18 }, (_each, n) => {
    const far = n % 2 ? 13 : 28;
    const angle = (n * Math.PI) / 9;
    return `${(x + far * Math.sin(angle)).toFixed(1)} ${(y - far * Math.cos(angle)).toFixed(1)}`;
  });
  return svg("path", { class: "flash", d: `M${points.join("L")}Z` });
}

function text(look, y, words) {
  const element = svg("text", look ? { class: look, y } : { y });
  element.textContent = words;
  return element;
}
