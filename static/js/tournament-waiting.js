/* Before a tournament begins: who has come, and how long it still takes. */
import { fill } from "./board.js";
import { clockTime, TournamentLink } from "./tournament-link.js";

const TICK = 500;
const ASK_EVERY = 1_500;
const LEAVE = 10_000;

/* While a form is on its way nothing may cut it off: its answer holds the guest's cookie. */
let leaving = 0;
document.addEventListener("submit", (event) => event.defaultPrevented || (leaving = Date.now()));
const isLeaving = () => Date.now() - leaving < LEAVE;

function startWaiting(root) {
  const words = JSON.parse(root.dataset.words);
  const link = new TournamentLink(root.dataset);
  const known = Number(root.dataset.version);
  let asked = 0;
  const heard = ({ detail: frame }) => {
    if (isLeaving()) return;
    if (!["announced", "open"].includes(frame.state)) location.assign(location.pathname);
    else if (frame.version > known) refresh(root);
  };
  for (const type of ["state", "turn"]) link.addEventListener(type, heard);
  link.addEventListener("gone", () => isLeaving() || location.reload());
  link.open();
  const starts = Date.parse(root.dataset.starts);
  if (Number.isNaN(starts)) return;
  setInterval(() => {
    const left = starts - link.now();
    const place = root.querySelector("[data-countdown]");
    if (place) place.textContent = left > 0 ? fill(words.begins, { time: clockTime(left) }) : words.beginsNow;
    if (left < -ASK_EVERY / 3 && Date.now() - asked > ASK_EVERY) {
      asked = Date.now();
      // Whoever looks at a page whose time has come sets the tournament going.
      fetch(location.href).then(() => link.look(), () => {});
    }
  }, TICK);
}

/* Take over from a fresh page what may have changed, and leave forms as they are. */
async function refresh(root) {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (isLeaving()) return;
  if (!page.querySelector("[data-waiting]")) {
    location.assign(location.pathname);
    return;
  }
  for (const part of root.querySelectorAll("[data-fresh]")) {
    const fresh = page.querySelector(`[data-fresh="${part.dataset.fresh}"]`);
    if (fresh) part.replaceWith(document.adoptNode(fresh));
  }
}

function startCopy() {
  const button = document.querySelector("[data-copy]");
  const text = document.querySelector("[data-copy-text]");
  if (!button || !text || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.textContent.trim());
    button.textContent = button.dataset.copied;
  });
}

const root = document.querySelector("[data-waiting]");
if (root) startWaiting(root);
startCopy();
