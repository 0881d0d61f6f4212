/*
 * The form of an announcement asks only what matters for what was chosen. Without a script it
 * asks everything, and what does not matter is not read.
 */
const SWITCHES = ["type", "pace", "begins", "access"];

function startForm(form) {
  const update = () => {
    for (const name of SWITCHES) {
      const chosen = form.elements[name]?.value;
      for (const part of form.querySelectorAll(`[data-only-${name}]`)) show(part, part.dataset[key("only", name)] === chosen);
      for (const part of form.querySelectorAll(`[data-except-${name}]`)) show(part, part.dataset[key("except", name)] !== chosen);
    }
  };
  form.addEventListener("change", update);
  update();
}

function key(prefix, name) {
  return prefix + name[0].toUpperCase() + name.slice(1);
}

/* What is hidden is not sent; what has an error is never hidden. */
function show(part, wanted) {
  const visible = wanted || part.querySelector(".errorlist") !== null;
  part.hidden = !visible;
  for (const field of part.querySelectorAll("input, select, textarea")) {
    field.disabled = field.closest("[hidden]") !== null;
  }
}

const form = document.querySelector("[data-announce]");
if (form) startForm(form);
