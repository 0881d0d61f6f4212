/*
 * A turn as it happened: follows the events of a report step by step. What it does not know it
 * leaves out; the board stands right in the end whatever happens here.
 */
import { burst } from "./board-pieces.js";

const STEP = 420;
const MOST_STEPS = 9;
const SHORT = 0.62; // whoever charges a tile that is wanted or held stops short of it first

const GRACE = 250;

/* Nothing moves for whoever wants no motion, nor where nobody looks. */
export const isStill = () => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

/* Wait for an animation, but never for ever: in a tab that was left it stands still. */
export function settled(animation, duration) {
  const late = new Promise((resolve) => setTimeout(resolve, duration + GRACE));
  return Promise.race([animation.finished.catch(() => {}), late]);
}

/* Play the events on a board; resolves when all have been shown. */
export async function playReport(board, report) {
  if (isStill()) return;
  const steps = stepsOf(report);
  const pace = STEP / Math.max(1, steps.length / MOST_STEPS);
  for (const events of steps) {
    const moves = events.flatMap((event) => MOVES[event.what]?.(board, event, report) ?? []);
    if (!moves.length) continue;
    await Promise.allSettled(moves.map((move) => move(pace)));
  }
}

/* Charges first; then round by round what landed, met, was taken, and went back. */
function stepsOf(report) {
  const steps = [report.filter((event) => event.what === "charge")];
  const order = ["conflict", "take", "push", "spring", "return", "land"];
  const last = Math.max(0, ...report.map((event) => event.iteration ?? 0));
  for (let round = 1; round <= last; round++) {
    const here = report.filter((event) => event.iteration === round);
    for (const kinds of [["land"], ["conflict", "take"], ["push", "spring", "return"]]) {
      steps.push(here.filter((event) => kinds.includes(event.what)));
    }
    steps.push(here.filter((event) => !order.includes(event.what)));
  }
  steps.push(report.filter((event) => event.what === "pick-up"));
  return steps.filter((events) => events.length);
}

const MOVES = {
  charge: (board, event, report) => [glide(board, event.piece, board.at(event.to), isWanted(event, report) ? SHORT : 1)],
  land: (board, event) => [glide(board, event.piece, board.at(event.at))],
  return: (board, event) => [glide(board, event.piece, board.at(event.at))],
  spring: (board, event) => [glide(board, event.piece, board.at(event.to))],
  push: (board, event) => [glide(board, event.piece, board.at(event.to))],
  conflict: (board, event) => [flash(board, board.at(event.at))],
  take: (board, event) => [flash(board, board.at(event.at)), fall(board, event)],
  "pick-up": (board, event) => [flash(board, board.at(event.at))],
};

function isWanted(charge, report) {
  const same = (tile) => tile && tile[0] === charge.to[0] && tile[1] === charge.to[1];
  return report.some(
    (event) => (event.what === "conflict" && same(event.at)) || (event.what === "take" && event.by === charge.piece && same(event.at)),
  );
}

function glide(board, id, target, share = 1) {
  return async (pace) => {
    const figure = board.figure(id);
    if (!figure || !target) return;
    const from = figure.at;
    const to = { x: from.x + (target.x - from.x) * share, y: from.y + (target.y - from.y) * share };
    await board.slide(figure, to, pace);
  };
}

function flash(board, at) {
  return async (pace) => {
    if (!at) return;
    const star = burst(at);
    board.over.append(star);
    star.style.transformBox = "fill-box";
    star.style.transformOrigin = "center";
    const duration = pace * 1.2;
    await settled(star.animate({ opacity: [0, 1, 0], scale: [0.2, 1.2, 1] }, { duration, easing: "ease-out" }), duration);
    star.remove();
  };
}

/* The taken piece changes its colours at once, or leaves. */
function fall(board, event) {
  return async (pace) => {
    const figure = board.figure(event.piece);
    if (!figure) return;
    if (event.fate === "remove") {
      await settled(figure.element.animate({ opacity: [1, 0] }, { duration: pace, fill: "forwards" }), pace);
      return;
    }
    const kind = event.fate.startsWith("demote") ? "pawn" : figure.kind;
    board.recolour(figure, { ...figure, kind, seat: event.taker });
  };
}
