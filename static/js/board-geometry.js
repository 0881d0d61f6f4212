/*
 * Where things stand on a board, for squares and hexagons alike: the same sums as in
 * tournaments/pages/drawing.py.
 */
export const UNIT = 64;
const HEX_TALL = 74;
const HEX_ROW = 55;
const EDGE = 6;
const MARGIN = 26; // above and at the left, where the names of rows and columns stand

/* The middle of a tile. */
export function middle(grid, { x, y }) {
  return grid === "hex" ? { x: x * UNIT + Math.floor((y * UNIT) / 2), y: y * HEX_ROW } : { x: x * UNIT, y: y * UNIT };
}

export function outline(grid, { x, y }) {
  const half = UNIT / 2;
  if (grid !== "hex") return `M${x - half} ${y - half}h${UNIT}v${UNIT}h-${UNIT}Z`;
  const tip = HEX_TALL / 2;
  const side = Math.floor(HEX_TALL / 4);
  return `M${x} ${y - tip}L${x + half} ${y - side}V${y + side}L${x} ${y + tip}L${x - half} ${y + side}V${y - side}Z`;
}

export function ground(grid, { x, y }) {
  const other = grid === "hex" ? (((x - y) % 3) + 3) % 3 === 0 : (((x + y) % 2) + 2) % 2 === 1;
  return other ? "tile tile--other" : "tile";
}

/* What the picture has to hold: left, top, width, height. */
export function frame(spots) {
  const xs = spots.map((spot) => spot.x);
  const ys = spots.map((spot) => spot.y);
  const room = HEX_TALL / 2;
  const [left, top] = [Math.min(...xs) - room - MARGIN, Math.min(...ys) - room - MARGIN];
  return { left, top, width: Math.max(...xs) + room + EDGE - left, height: Math.max(...ys) + room + EDGE - top };
}

/* Letters above the columns and numbers beside the rows, where tiles are called so. */
export function labels(spots, { left, top }) {
  const columns = new Map();
  const rows = new Map();
  for (const { tile, x, y } of spots) {
    const parts = /^([A-Z]+)(\d+)$/.exec(tile);
    if (!parts) continue;
    columns.set(x, parts[1]);
    rows.set(y, parts[2]);
  }
  return [
    ...[...columns].map(([x, text]) => ({ text, x, y: top + 24 })),
    ...[...rows].map(([y, text]) => ({ text, x: left + 16, y: y + 5 })),
  ];
}

/* The nearest tile in a direction: as straight as there is one, whatever the grid. */
export function neighbour(spots, from, [dx, dy]) {
  let best = null;
  let least = Infinity;
  for (const spot of spots) {
    const ahead = (spot.x - from.x) * dx + (spot.y - from.y) * dy;
    const aside = Math.abs((spot.x - from.x) * dy) + Math.abs((spot.y - from.y) * dx);
    if (ahead <= 0 || aside > ahead * 1.2) continue;
    const far = ahead + aside * 2;
    if (far < least) [best, least] = [spot, far];
  }
  return best;
}
