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

// What scrolls can be scrolled with keys, too. It depends on the widths of the block and of what is in
// it, which change with the window, with the letters, and on paper.
const reach = (block) => {
  if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
  else block.removeAttribute("tabindex");
};
for (const block of document.querySelectorAll("main .table-wrapper, main pre > code")) {
  const observer = new ResizeObserver(() => reach(block));
  observer.observe(block);
  for (const part of block.children) observer.observe(part);
}
