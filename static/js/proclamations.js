/*
 * Proclamations: dismissed once and for all on this device, gone when their time is over, and
 * shown live when one begins. On each connection the server says again what is in force, so
 * most frames tell what is on the page already.
 */
const KEPT = "dismissed-proclamations";
const MOST_KEPT = 50;
const LONGEST_TIMER = 2 ** 31 - 1;

const dismissedHere = new Set(); // what a browser without storage forgets with the page

export function startProclamations(live) {
  const board = document.querySelector("[data-proclamations]");
  if (!board) return;
  for (const item of items(board)) {
    if (isDismissed(item.dataset.proclamation)) item.remove();
    else arm(board, item);
  }
  tidy(board);
  live.addEventListener("proclamation", ({ detail }) => proclaim(board, detail));
}

function proclaim(board, { id, text, ends_at: endsAt }) {
  const key = String(id);
  if (isDismissed(key) || items(board).some((item) => item.dataset.proclamation === key)) return;
  const words = text?.[document.documentElement.lang] ?? text?.en;
  if (!words) return;
  const template = board.querySelector("[data-proclamation-template]");
  const item = template.content.firstElementChild.cloneNode(true);
  item.dataset.proclamation = key;
  item.dataset.endsAt = endsAt;
  board.insertBefore(item, template);
  arm(board, item);
  tidy(board);
  // Written after it is on the page, so that a screen reader announces it.
  item.querySelector("p").textContent = words;
}

function arm(board, item) {
  const button = item.querySelector("[data-dismiss]");
  button.hidden = false;
  button.addEventListener("click", () => {
    keep(item.dataset.proclamation);
    drop(board, item);
  });
  // The server says what is in force. An end in the past means that this device's clock is
  // wrong: better shown until the next page than never.
  const left = Date.parse(item.dataset.endsAt) - Date.now();
  if (left > 0 && left < LONGEST_TIMER) setTimeout(() => drop(board, item), left);
}

function drop(board, item) {
  item.remove();
  tidy(board);
}

function tidy(board) {
  board.hidden = items(board).length === 0;
}

function items(board) {
  return [...board.querySelectorAll(":scope > [data-proclamation]")];
}

function isDismissed(id) {
  return dismissedHere.has(id) || recall().includes(id);
}

function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    return Array.isArray(kept) ? kept : [];
  } catch {
    return []; // no storage, or not ours to read: then nothing was dismissed before
  }
}

function keep(id) {
  dismissedHere.add(id);
  try {
    localStorage.setItem(KEPT, JSON.stringify([...recall(), id].slice(-MOST_KEPT)));
  } catch {
    // Without storage it is dismissed on this page only.
  }
}
