/* The ribbon's pulse: who is here, what time it is in the world, and whether we still hear it. */
const PATIENCE = 3_000; // a connection that comes back sooner was never worth a word
const FAREWELL = 4_000;

export function startPulse(live) {
  startClock(live);
  startCount(live);
  startStatus(live);
}

function startClock(live) {
  const clock = document.querySelector("[data-live-clock]");
  if (!clock) return;
  let ahead = Date.parse(clock.dateTime) - Date.now();
  const tick = () => {
    const now = new Date(Date.now() + ahead).toISOString();
    clock.dateTime = now;
    clock.textContent = `${now.slice(11, 16)} UTC`;
  };
  const set = ({ detail }) => {
    const at = Date.parse(detail.at);
    if (!Number.isNaN(at)) ahead = at - Date.now();
    tick();
  };
  for (const type of ["hello", "pulse", "pong"]) live.addEventListener(type, set);
  setInterval(tick, 5_000);
}

function startCount(live) {
  const place = document.querySelector("[data-live-online]");
  if (!place) return;
  live.addEventListener("pulse", ({ detail }) => {
    place.hidden = false;
    place.querySelector("[data-live-count]").textContent = Number(detail.online).toLocaleString(document.documentElement.lang);
  });
}

function startStatus(live) {
  const status = document.querySelector("[data-live-status]");
  let waiting = 0;
  live.addEventListener("state", ({ detail: state }) => {
    document.body.dataset.liveState = state;
    if (!status) return;
    if (state === "lost") waiting ||= setTimeout(() => say(status.dataset.reconnecting), PATIENCE);
    if (state === "over") {
      say(status.dataset.signedOut);
      status.querySelector("[data-live-reload]").hidden = false;
    }
    if (state === "open") {
      clearTimeout(waiting);
      waiting = 0;
      if (!status.hidden) {
        say(status.dataset.back);
        setTimeout(() => (status.hidden = live.state === "open"), FAREWELL);
      }
    }
  });

  function say(text) {
    status.hidden = false;
    status.querySelector("[data-live-words]").textContent = text;
  }
}
