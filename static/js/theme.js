/* The theme switch without a reload; the form alone does the same with one. */
export function startTheme() {
  const form = document.querySelector("[data-theme-form]");
  form?.addEventListener("submit", (event) => {
    const choice = event.submitter;
    if (!choice) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, choice));
    apply(form, choice.value);
    // The answer is a redirect that nobody needs: only its cookie counts. If even that is lost,
    // the theme holds for this page.
    fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => {});
  });
}

function apply(form, theme) {
  document.documentElement.dataset.theme = theme;
  for (const button of form.querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.value === theme));
  }
}
