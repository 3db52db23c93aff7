"""axe-core, an accessibility checker by others, in pages that Chromium shows.

tools/browser/packages fetches it. All its rules are on but those that it calls experimental.
"""

import json
import pathlib

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "target/browser/node_modules/axe-core/axe.min.js"
# It takes half a second for a page, so it looks at the narrowest and the widest window.
WIDTHS = [400, 1600]

# What is excused in the book. Its bar of buttons is mdBook's: a label works as a button there, and
# the bar is no landmark. An empty corner of a table is all that Markdown can write.
BOOK = {"exclude": ["#mdbook-menu-bar"], "off": ["empty-table-header"]}

RUN = """(async function (exclude, off) {
  const rules = Object.fromEntries(off.map((rule) => [rule, {enabled: false}]));
  const found = await axe.run({include: document, exclude}, {resultTypes: ['violations'], rules});
  return found.violations.flatMap((it) => it.nodes.map((node) => ({
    rule: it.id,
    help: it.help,
    target: node.target.join(' '),
    html: node.html.slice(0, 120),
    why: [...node.any, ...node.all, ...node.none].map((check) => check.message).join('; ').slice(0, 200),
  })));
})"""


def is_there():
    return SCRIPT.is_file()


def looks_at(width, media):
    """Whether it looks at pages of that width on that medium."""
    return is_there() and media == "screen" and width in WIDTHS


def said():
    """Whether it has looked, for the line that ends a check."""
    return "axe-core too" if is_there() else "axe-core isn't there: it has not looked"


def problems(page, exclude=(), off=()):
    """What it finds in the page as it is shown now, as sentences, but for some elements and rules."""
    if not page.run("typeof axe === 'object'"):
        page.run(SCRIPT.read_text() + "; true")
    return [
        f"{it['rule']}: {it['help']}: {it['target']} {json.dumps(it['html'])} ({it['why']})"
        for it in page.run(f"{RUN}({json.dumps(list(exclude))}, {json.dumps(list(off))})")
    ]
