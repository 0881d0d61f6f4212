/* Turns <time data-relative> into words like "3 minutes ago", in the page's language, and the
   time in <time data-clock>, which stands under a day of UTC, into that of the reader's zone. */
const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const EVERY = 30_000;

export function startTimes() {
  document.querySelectorAll("time[data-clock]").forEach(setClock);
  startRelative();
}

function startRelative() {
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

/* Where it is already, or still, another day, the day is told as well. */
function setClock(time) {
  const at = new Date(time.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const day = at.getDate() === at.getUTCDate() ? {} : { day: "numeric", month: "short" };
  const { lang } = document.documentElement;
  // The site's English is British, also in how it writes days.
  time.textContent = at.toLocaleString(lang === "en" ? "en-GB" : lang, { ...day, ...clock });
}
