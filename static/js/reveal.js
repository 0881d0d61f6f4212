/* A button on each password field that shows what was typed. */
export function startReveal() {
  for (const frame of document.querySelectorAll("[data-reveal]")) addButton(frame);
}

function addButton(frame) {
  const input = frame.querySelector("input");
  const icon = document.querySelector("template[data-icon-eye]");
  if (!input || !icon) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "reveal__button";
  button.append(icon.content.cloneNode(true));
  button.addEventListener("click", () => show(input.type === "password"));
  input.form?.addEventListener("submit", () => show(false));
  frame.append(button);
  show(false);

  function show(visible) {
    input.type = visible ? "text" : "password";
    button.setAttribute("aria-pressed", String(visible));
    button.setAttribute("aria-label", visible ? frame.dataset.hide : frame.dataset.show);
    button.title = button.getAttribute("aria-label");
  }
}
