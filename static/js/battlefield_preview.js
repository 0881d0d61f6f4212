// The board beside the drawing: drawn by the server, a moment after the last keystroke.
"use strict";

(() => {
  const PAUSE = 300;

  const start = () => {
    const text = document.querySelector("textarea.drawing");
    const view = document.getElementById("preview");
    if (!text || !view) return;
    const token = document.querySelector("input[name=csrfmiddlewaretoken]");
    let timer = 0;
    let latest = 0;

    const show = (html) => {
      view.innerHTML = html;
      view.classList.remove("preview--waiting", "preview--failed");
      offerWay();
    };

    const fail = () => {
      view.classList.add("preview--failed");
      view.classList.remove("preview--waiting");
      view.setAttribute("data-note", view.dataset.failed);
    };

    const refresh = async () => {
      const mine = ++latest;
      view.classList.add("preview--waiting");
      try {
        const answer = await fetch(view.dataset.url, {
          method: "POST",
          headers: { "X-CSRFToken": token ? token.value : "" },
          body: new URLSearchParams({ text: text.value }),
          credentials: "same-origin",
        });
        const html = answer.ok && !answer.redirected ? await answer.text() : null;
        if (mine !== latest) return; // something newer is on its way
        if (html === null) fail();
        else show(html);
      } catch {
        if (mine === latest) fail();
      }
    };

    const go = (line, column) => {
      const lines = text.value.split("\n");
      const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
      const at = Math.min(before + column - 1, text.value.length);
      text.focus();
      text.setSelectionRange(at, Math.min(at + 1, text.value.length));
      const height = parseFloat(getComputedStyle(text).lineHeight) || 16;
      text.scrollTop = Math.max(0, (line - 4) * height);
    };

    // The way to a mistake needs this script, so it is offered by it.
    const offerWay = () => {
      const way = view.querySelector(".mistake__go");
      if (way) way.hidden = false;
    };

    view.addEventListener("click", (event) => {
      const way = event.target.closest(".mistake__go");
      if (way) go(Number(way.dataset.line), Number(way.dataset.column));
    });
    text.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(refresh, PAUSE);
    });
    offerWay();
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
