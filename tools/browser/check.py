#!/usr/bin/env python3
"""Check the report page and the book in a real browser.

    tools/browser/check.py target/debug/psvn [target/book]

Windows of 400, 800, 1280 and 1600 pixels, light and dark, and paper: nothing sticks out, text can
be read, everything has a name, sorting, filtering and saving plots work, and no page asks for
anything from elsewhere. axe-core, where tools/browser/packages has fetched it, finds nothing that
keeps anyone out. Says so and ends well where there is no Chromium; PSVN_REQUIRE_CHROMIUM=1 makes
that a failure. Needs no network.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
from urllib.parse import unquote, urlparse

import axe
import chromium

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CHECKS = (HERE / "checks.js").read_text()
WIDTHS = [400, 800, 1280, 1600]
# The width of A4 and of letter paper between margins of 1 cm, at 96 dots per inch.
PAPERS = {"A4": 718, "letter": 740}
SEARCHES = ROOT / "docs/tour/heuristics.toml"
TREES = ROOT / "docs/tour/lengths.toml"


def make_reports(psvn, folder):
    """The pages of two experiments: searches with and without heuristics, and trees."""
    pages = []
    for spec in [SEARCHES, TREES]:
        results, page = folder / f"{spec.stem}.jsonl", folder / f"{spec.stem}.html"
        for command in [["experiment", spec, "-o", results, "-q"],
                        ["report", results, "--format", "html", "-o", page]]:
            subprocess.run([psvn, *command], check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
        pages.append(page)
    return pages


def problems_of(page, within, is_paper=False):
    options = f"{{isPaper:{str(is_paper).lower()},within:'{within}'}}"
    return page.run(CHECKS.strip() + f"({options})")


def outside(page, address):
    """What was asked for that isn't a file beside the page."""
    folder = pathlib.Path(unquote(urlparse(address).path)).parent
    is_beside = lambda url: url.startswith(("data:", "blob:")) or (
        url.startswith("file://")
        and pathlib.Path(unquote(urlparse(url).path)).is_relative_to(folder))
    return sorted({url for url in page.requests if not is_beside(url)})


def views():
    """Width, colors and medium of a check."""
    for name, width in PAPERS.items():
        yield f"on {name} paper", width, "light", "print"
    for scheme in ["light", "dark"]:
        for width in WIDTHS:
            yield f"{width} px, {scheme}", width, scheme, "screen"


def check_views(page, address, within, excused={}):
    found, shown = [], None
    for name, width, scheme, media in views():
        # The book chooses its theme when it is opened.
        if scheme != shown:
            page.open(address, width=width, scheme=scheme, media=media)
            shown = scheme
        page.look(width=width, scheme=scheme, media=media)
        # A page arranges itself once it is drawn.
        page.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        problems = problems_of(page, within, media == "print")
        if axe.looks_at(width, media):
            problems += axe.problems(page, **excused)
        found += [f"{name}: {problem}" for problem in problems]
        found += [f"{name}: asked for {url}" for url in outside(page, address)]
    return found


SORTING = """(function () {
  const problems = [];
  document.querySelectorAll('table').forEach(function (table) {
    const shown = (place) => Array.from(table.tBodies[0].rows).map(function (row) {
      const cell = row.cells[place];
      return cell.hasAttribute('data-v') ? Number(cell.getAttribute('data-v')) : cell.textContent;
    });
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, place) {
      const before = shown(place).slice().sort().join('|');
      for (const way of ['ascending', 'descending']) {
        const button = head.querySelector('button');
        if (!button) { problems.push('no button in ' + head.textContent); return; }
        button.click();
        const column = shown(place);
        if (head.getAttribute('aria-sort') !== way) { problems.push(way + ' is not said of ' + head.textContent); }
        if (heads.filter((other) => other.hasAttribute('aria-sort')).length !== 1) { problems.push('two columns sorted'); }
        if (column.slice().sort().join('|') !== before) { problems.push('rows are lost or changed'); }
        const numbers = column.filter((value) => typeof value === 'number');
        const sign = way === 'ascending' ? 1 : -1;
        const isSorted = numbers.every((value, i) => i === 0 || sign * (value - numbers[i - 1]) >= 0);
        if (!isSorted) { problems.push(head.textContent + ' is not ' + way + ': ' + numbers.join(' ')); }
        const firstText = column.findIndex((value) => typeof value !== 'number');
        const lastNumber = column.map((value) => typeof value).lastIndexOf('number');
        if (way === 'ascending' && firstText !== -1 && firstText < lastNumber) { problems.push('texts among numbers'); }
      }
    });
  });
  return problems;
})()"""

FILTERING = """(function () {
  const problems = [];
  const inputs = Array.from(document.querySelectorAll('.filter input'));
  if (inputs.length === 0) { problems.push('no table can be filtered'); }
  inputs.forEach(function (input) {
    const rows = Array.from(input.closest('section').querySelectorAll('table')).map((table) => table.tBodies[0].rows);
    const mine = rows.find((rows) => rows[0].closest('.scroll').previousElementSibling === input.parentNode);
    const type = function (text) {
      input.value = text;
      input.dispatchEvent(new Event('input'));
      return Array.from(mine).filter((row) => row.checkVisibility()).length;
    };
    const word = mine[0].cells[0].textContent.toUpperCase();
    const wanted = Array.from(mine).filter((row) => row.textContent.toUpperCase().includes(word)).length;
    if (type(word) !== wanted) { problems.push('wrong rows with ' + word); }
    if (type('no such text') !== 0) { problems.push('rows with no such text'); }
    if (type('') !== mine.length) { problems.push('rows stay hidden'); }
  });
  return problems;
})()"""

# Each plot is saved as SVG and as PNG; what is saved is looked at instead of written to a file.
SAVING = """(async function () {
  const problems = [], saved = [];
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href]); };
  const plots = Array.from(document.querySelectorAll('svg.plot'));
  const buttons = Array.from(document.querySelectorAll('figure .save button'));
  if (buttons.length !== 2 * plots.length) { problems.push(`${buttons.length} buttons for ${plots.length} plots`); }
  for (const button of buttons) {
    const before = saved.length;
    button.click();
    for (let i = 0; i < 200 && saved.length === before; i++) { await new Promise((done) => setTimeout(done, 10)); }
  }
  HTMLAnchorElement.prototype.click = click;
  if (saved.length !== buttons.length) { problems.push(`${saved.length} files of ${buttons.length} buttons`); }
  for (const [place, [name, address]] of saved.entries()) {
    const plot = buttons[place].closest('figure').querySelector('svg.plot').viewBox.baseVal;
    const blob = await (await fetch(address)).blob();
    if (name.endsWith('.svg')) {
      const read = new DOMParser().parseFromString(await blob.text(), 'image/svg+xml').documentElement;
      if (read.localName !== 'svg' || !read.querySelector('style') || !read.querySelector('text')) {
        problems.push(name + ' is no plot');
      }
      continue;
    }
    const picture = await createImageBitmap(blob);
    if (blob.type !== 'image/png' || picture.width !== 3 * plot.width || picture.height !== 3 * plot.height) {
      problems.push(`${name}: ${blob.type} of ${picture.width} x ${picture.height}`);
    }
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const brush = canvas.getContext('2d');
    brush.drawImage(picture, 0, 0);
    const points = brush.getImageData(0, 0, picture.width, picture.height).data;
    const colors = new Set();
    for (let i = 0; i < points.length; i += 4) { colors.add(points[i] * 65536 + points[i + 1] * 256 + points[i + 2]); }
    // Light paper, dark letters, and lines in colors.
    if (points[0] !== 255 || colors.size < 10) { problems.push(`${name} has ${colors.size} colors`); }
  }
  return problems;
})()"""

# A highlighter may take what a session prints for a language; and long lines must be broken.
SESSIONS = """(function () {
  const problems = [];
  document.querySelectorAll('code.language-console').forEach(function (code) {
    const start = code.textContent.slice(0, 60);
    if (code.querySelector('[class^=hljs-]')) { problems.push('an output has colors: ' + start); }
    if (!code.querySelector('.session-command')) { problems.push('no command stands out: ' + start); }
    if (code.scrollWidth > code.clientWidth + 1) { problems.push('wider than its box: ' + start); }
  });
  return problems;
})()"""

SEEN_TEXT = "document.querySelectorAll('td').length + document.querySelectorAll('svg.plot').length"


def check_report(page, address, is_filtered):
    found = check_views(page, address, "body")
    page.open(address)
    found += [f"sorting: {problem}" for problem in page.run(SORTING)]
    if is_filtered:
        found += [f"filtering: {problem}" for problem in page.run(FILTERING)]
    for scheme in ["light", "dark"]:
        page.look(scheme=scheme)
        found += [f"saving plots, {scheme}: {problem}" for problem in page.run(SAVING)]
    with_script = page.run(SEEN_TEXT)
    page.open(address, script=False)
    if page.run(SEEN_TEXT) != with_script:
        found.append("without script the page shows something else")
    if page.run("document.querySelectorAll('.filter, .save, th button').length"):
        found.append("without script there are controls that do nothing")
    found += [f"without script: {problem}" for problem in problems_of(page, "body")]
    page.open(address)
    return found


def main():
    program = chromium.found()
    if program is None:
        print("no Chromium here: the report page and the book are not checked")
        return 1 if os.environ.get("PSVN_REQUIRE_CHROMIUM") == "1" else 0
    psvn = pathlib.Path(sys.argv[1]).resolve()
    book = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    found, n_pages = [], 0
    with tempfile.TemporaryDirectory() as folder, chromium.started(program) as browser:
        page = browser.page()
        for path in make_reports(psvn, pathlib.Path(folder)):
            n_pages += 1
            problems = check_report(page, path.as_uri(), path.stem == SEARCHES.stem)
            found += [f"report on {path.stem}: {problem}" for problem in problems]
        # The pages of the book; the print version has all of them once more.
        skipped = {"print.html", "404.html", "toc.html"}
        paths = sorted(book.glob("*.html")) if book else []
        for path in paths:
            if path.name not in skipped:
                n_pages += 1
                problems = check_views(page, path.as_uri(), "main", axe.BOOK)
                page.open(path.as_uri())
                problems += page.run(SESSIONS)
                found += [f"book, {path.name}: {problem}" for problem in problems]
    for problem in found:
        print(problem)
    n_views = len(list(views()))
    print(f"{n_pages} pages checked in {n_views} ways each, {axe.said()}: {len(found) or 'no'} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
