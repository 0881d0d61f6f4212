/*
 * Menus are <details>: they open by themselves. This closes them when one goes elsewhere, and
 * brings the current page into view where the row of links is longer than the screen.
 */
export function startMenus() {
  document.querySelector("[data-nav] [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  document.addEventListener("click", (event) => closeAll((menu) => !menu.contains(event.target)));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    closeAll((menu) => {
      if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
      return true;
    });
  });
}

function closeAll(which) {
  for (const menu of document.querySelectorAll("[data-menu][open]")) {
    if (which(menu)) menu.open = false;
  }
}
