/* Turns <time data-relative> into words like "3 minutes ago", in the page's language. */
const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const EVERY = 30_000;

export function startTimes() {
  const times = document.querySelectorAll("time[data-relative]");
  if (!times.length) return;
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  const tell = () => times.forEach((time) => rewrite(time, words));
  tell();
  setInterval(tell, EVERY);
}

function rewrite(time, words) {
  const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
  if (Number.isNaN(seconds)) return;
  time.title ||= time.textContent.trim();
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  time.textContent = words.format(Math.round(seconds / size), unit);
}
