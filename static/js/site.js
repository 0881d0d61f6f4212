/* What every page runs. Each part looks for its own marks and does nothing without them. */
import { startLive } from "./live.js";
import { startMenus } from "./menus.js";
import { startProclamations } from "./proclamations.js";
import { startReveal } from "./reveal.js";
import { startTheme } from "./theme.js";
import { startTimes } from "./times.js";
import { startPulse } from "./pulse.js";

startTheme();
startMenus();
startReveal();
startTimes();

const live = startLive();
if (live) {
  startPulse(live);
  startProclamations(live);
} else {
  startProclamations(new EventTarget());
}
