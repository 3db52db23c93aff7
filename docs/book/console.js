// Listings of sessions have commands, behind `$ `, and what they print. A highlighter for shells takes
// names such as `right#1` in outputs for prompts and comments, so each line gets one of two classes
// instead. Long lines are wrapped (book.css).
for (const code of document.querySelectorAll("code.language-console")) {
  const lines = code.textContent.replace(/\n$/, "").split("\n");
  code.replaceChildren(...lines.map((text) => {
    const line = document.createElement("span");
    line.className = text.startsWith("$ ") ? "session-command" : "session-output";
    line.textContent = text + "\n";
    return line;
  }));
}

// What scrolls can be scrolled with keys, too.
const scrolling = document.querySelectorAll("main .table-wrapper, main pre > code");
const reach = () => {
  for (const element of scrolling) {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }
};
reach();
window.addEventListener("load", reach);
window.addEventListener("resize", reach);
matchMedia("print").addEventListener("change", reach);
