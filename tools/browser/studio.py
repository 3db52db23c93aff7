#!/usr/bin/env python3
"""Check the page of psvn studio in a real browser.

    tools/browser/studio.py target/debug/psvn studio --no-open

The words are the command, to which the game is added. Windows of 400, 800, 1280 and 1600 pixels,
light and dark, and paper: nothing sticks out, text can be read, everything has a name. Then what
one does there: unfolding the tree and asking why a branch is cut, moving a tile with the mouse and
with keys, scrambling and solving, editing and mending a text, a file that others change, two
windows, a game of 3,000 rules; and what is refused: a wrong address, other pages, other names of
this machine. axe-core, where tools/browser/packages has fetched it, looks at the views and at what
comes up in them. No request goes anywhere else. Says so and ends well where there is no Chromium;
PSVN_REQUIRE_CHROMIUM=1 makes that a failure.
"""

import contextlib
import http.client
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlparse

import axe
import check
import chromium

VIEWS = ["text", "rules", "tree", "play", "redundant", "machine", "compose?word=1.5", "runs"]
TILES = "gen:sliding-tiles:3:3"
START = "1 4 2 3 0 5 6 7 8"
LAMPS = """# Two lamps
DOMAIN lamp 2 off on
2 lamp lamp
off - => on - LABEL one
- off => - on LABEL two
on - => off - LABEL one_off
- on => - off LABEL two_off
GOAL on on
"""
# A piece of three cells in one corner or the other.
CORNER = """# layout: rows 2 columns 3 blank none
# layout: places 1@left=A 1@left=A 1@right=A
# layout: places 1@left=A 1@right=A 1@right=A
DOMAIN place 2 left right
1 place
left => right LABEL go
right => left LABEL back
GOAL right
"""
# Whether a view has what it shows: answers came, and nothing is refused.
SHOWN = {
    "text": "document.querySelector('#findings-count')?.textContent.includes('No errors')",
    "rules": "document.querySelectorAll('#view tbody tr').length > 3",
    "tree": "document.querySelector('.node.cut') && document.querySelector('.reason .verdict')",
    "play": "document.querySelectorAll('.moves button').length > 0",
    "redundant": "document.querySelectorAll('#view .beside tbody tr').length > 3",
    "machine": "document.querySelectorAll('.machine .state').length > 1",
    "compose": "document.querySelectorAll('.step').length === 2",
    "runs": "document.querySelector('#view h2')",
}


@contextlib.contextmanager
def served(command, game):
    """The address of a page for a game."""
    process = subprocess.Popen([*command, str(game)], stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(20)


class Problems(list):
    """What was found. A step that fails is one more problem, and the next one goes on."""

    @contextlib.contextmanager
    def of(self, what):
        try:
            yield lambda text: self.append(f"{what}: {text}")
        except (chromium.Failed, OSError, KeyError) as error:
            self.append(f"{what}: {error}")


def strangers(page, address):
    """What was asked for that isn't below the address."""
    return sorted({url for url in page.requests if not url.startswith((address, "data:"))})


def look_again(page, report):
    """What axe-core finds in what has come up."""
    for problem in axe.problems(page) if axe.is_there() else []:
        report(problem)


def check_looks(page, address, found):
    for view in VIEWS:
        name = view.split("?")[0]
        with found.of(f"view {name}") as report:
            shown = None
            for title, width, scheme, media in check.views():
                if scheme != shown:
                    page.open(f"{address}#{view}", width=width, scheme=scheme, media=media)
                    page.wait(SHOWN[name])
                    shown = scheme
                page.look(width=width, scheme=scheme, media=media)
                options = json.dumps({"isPaper": False, "within": "body", "hasViews": True})
                problems = page.run(check.CHECKS.strip() + f"({options})")
                if axe.looks_at(width, media):
                    problems += axe.problems(page)
                for problem in problems:
                    report(f"{title}: {problem}")
            for url in strangers(page, address):
                report(f"asked for {url}")


def check_tree(page, address, found):
    with found.of("the first thing one sees") as report:
        page.open(address)
        page.wait(SHOWN["tree"])
        if not page.run("document.querySelector('.reason h2').textContent").startswith("Why is this branch cut"):
            report("it doesn't say why a branch is cut")
    with found.of("the tree") as report:
        page.open(f"{address}#tree?start={START.replace(' ', '+')}")
        page.wait(SHOWN["tree"])
        before = page.run("document.querySelectorAll('.node').length")
        page.click(".node[aria-expanded=false] .fold")
        page.wait(f"document.querySelectorAll('.node').length > {before}")
        page.click(".node.cut")
        page.wait("document.querySelector('.node.cut').getAttribute('aria-selected') === 'true'")
        word = page.wait("document.querySelector('.reason h3 .word')?.textContent")
        why = page.run("document.querySelector('.node.cut .why').textContent")
        if not why.startswith(f"cut: {word} = "):
            report(f"the branch says {why!r}, its reason {word!r}")
        # Keys: down, up, fold and unfold.
        page.click(".node[aria-level='2']")
        page.key("ArrowDown")
        if page.run("document.activeElement.getAttribute('aria-selected')") != "true":
            report("the chosen node doesn't have the focus")
        kept = page.run("location.href")
        page.open(kept)
        page.wait(SHOWN["tree"].split(" && ")[0])
        after = page.wait("document.querySelectorAll('.node').length > 1 && document.querySelectorAll('.node').length")
        if after <= before:
            report(f"the address has forgotten what is unfolded: {after} nodes, {before} at first")
        look_again(page, report)


def check_play(page, address, found):
    with found.of("moves") as report:
        page.open(f"{address}#play?state={START.replace(' ', '+')}")
        page.wait(SHOWN["play"])
        page.click("[data-place='1']")
        page.wait("document.querySelector('.standing').textContent.startsWith('1 move')")
        state = page.run("document.querySelector('#view .wide').value")
        if state != "1 0 2 3 4 5 6 7 8":
            report(f"a click on tile 4 led to {state}")
        page.click("#back")
        page.wait(f"document.querySelector('#view .wide').value === '{START}'")
        # The same with keys: to the tile, and press it.
        page.run("document.querySelector('[data-place=\"0\"]').focus()")
        page.key("ArrowRight")
        page.key("Enter")
        page.wait("document.querySelector('#view .wide').value === '1 0 2 3 4 5 6 7 8'")
        # By number, and back.
        page.key("1")
        page.wait("document.querySelector('.standing').textContent.startsWith('2 moves')")
        page.key("Backspace")
        page.wait("document.querySelector('.standing').textContent.startsWith('1 move,')")
        # A tile that can't move.
        page.click("[data-place='8']")
        page.wait("document.getElementById('said').textContent.includes('No move')")
    with found.of("a scramble and its solution") as report:
        page.click("#scramble")
        page.wait("document.getElementById('said').textContent.includes('Scrambled')")
        start = page.run("document.querySelector('#view .wide').value")
        page.click("#solve")
        page.wait("document.getElementById('step')")
        last = int(page.run("document.getElementById('step').max"))
        if last < 1:
            report(f"a scramble of 30 steps, {start}, is solved in {last} moves")
        page.click("#forward")
        page.wait("document.getElementById('at-step').textContent.startsWith('Step 1 of')")
        look_again(page, report)
        page.run("(() => { const it = document.getElementById('step'); it.value = it.max;"
                 " it.dispatchEvent(new Event('input')); })()")
        said = page.run("document.getElementById('at-step').textContent")
        if not said.endswith("a goal"):
            report(f"the last step is no goal: {said}")
        page.run("history.back()")


def check_pieces(page, command, folder, found):
    path = folder / "corner.psvn"
    path.write_text(CORNER)
    with served(command, path) as address, found.of("a piece of several cells") as report:
        page.open(f"{address}#play?state=left")
        page.wait(SHOWN["play"])
        # The lines around its cells: four sides but for those where the next cell belongs to it.
        lines = page.run("[...document.querySelectorAll('#view .board .line')].map((it) =>"
                         " it.getAttribute('d').split('M').length - 1)")
        if sorted(lines) != [2, 3, 3]:
            report(f"its cells have {lines} sides with a line")
        page.click("[data-place='0']")
        page.wait("document.querySelector('.standing').textContent.includes('1 move')")
        look_again(page, report)


def check_others(page, address, found):
    with found.of("sequences") as report:
        page.open(f"{address}#redundant")
        page.wait(SHOWN["redundant"])
        page.click("#view .beside tbody button")
        page.wait("document.querySelector('.reason .verdict')")
        page.click(".reason .links a")
        page.wait("document.querySelectorAll('.step').length > 0")
        page.click("#explain")
        page.wait("document.querySelector('[aria-live] .reason')?.textContent.includes('It is redundant')")
        look_again(page, report)
        page.run("history.back()")
        page.wait(SHOWN["redundant"])
        if "word=" not in page.run("location.hash"):
            report("the address doesn't name the chosen sequence")
    with found.of("the machine") as report:
        page.open(f"{address}#machine")
        page.wait(SHOWN["machine"])
        page.click(".machine .state:not(.start)")
        page.wait("document.querySelector('.reason .forbidden button')")
        page.click(".reason .forbidden button")
        page.wait("document.querySelector('.reason .verdict')")
        look_again(page, report)


SELECT_ALL = "document.querySelector('textarea').focus(); document.querySelector('textarea').select()"
TEXT = "document.querySelector('textarea').value"


def check_text(browser, page, command, folder, found):
    path = folder / "lamps.psvn"
    path.write_text(LAMPS)
    with served(command, path) as address, found.of("editing") as report:
        page.open(f"{address}#text")
        page.wait(SHOWN["text"])
        page.run(SELECT_ALL)
        page.type(LAMPS.replace("GOAL on on", "GOAL on onn"))
        page.wait("document.querySelector('.findings li.warning')")
        look_again(page, report)
        if not page.run("document.querySelector('.mark.warning')?.textContent") == "onn":
            report("the wrong word isn't marked")
        page.click(".findings button.fix")
        page.wait(SHOWN["text"])
        if page.run(TEXT) != LAMPS:
            report(f"the fix made {page.run(TEXT)!r}")
        page.run("document.querySelector('textarea').setSelectionRange(0, 0)")
        page.type("# More light\n")
        page.wait("document.querySelector('.filebar').textContent.includes('not saved')")
        page.key("s", modifiers=2)
        page.wait("!document.querySelector('.filebar').textContent.includes('not saved')")
        if path.read_text() != "# More light\n" + LAMPS:
            report("the file isn't what was saved")
        # Somebody else writes the file.
        path.write_text(LAMPS.replace("two", "second"))
        page.wait(f"{TEXT}.includes('LABEL second')")
        # Both have changed: the page asks.
        page.run(SELECT_ALL)
        page.type(LAMPS.replace("one", "mine"))
        path.write_text(LAMPS.replace("two", "theirs"))
        page.wait("document.querySelector('.filebar .refusal')")
        look_again(page, report)
        page.run("[...document.querySelectorAll('.filebar button')].find((it) => it.textContent === 'Keep mine').click()")
        page.wait("document.querySelector('.filebar .save')")
        page.click(".filebar .save")
        page.wait("!document.querySelector('.filebar').textContent.includes('not saved')")
        if "LABEL mine" not in path.read_text():
            report("what was kept isn't saved")
        # Two windows: what one saves, the other shows.
        other = browser.page()
        other.open(f"{address}#text")
        other.wait(SHOWN["text"])
        path.write_text(LAMPS)
        for window in [page, other]:
            window.wait(f"{TEXT} === {json.dumps(LAMPS)}")
        # The file goes and comes back.
        path.rename(folder / "elsewhere.psvn")
        page.wait("document.querySelector('.filebar .refusal')?.textContent.includes('deleted or renamed')")
        page.run("[...document.querySelectorAll('.filebar button')].find((it) => it.textContent === 'Keep mine').click()")
        page.click(".filebar .save")
        page.wait("!document.querySelector('.filebar').textContent.includes('not saved')")
        if not path.is_file():
            report("saving didn't make the file again")
        # Ends of lines stay as they are.
        path.write_bytes(LAMPS.replace("\n", "\r\n").encode())
        page.wait("document.querySelector('.filebar').textContent.includes(': saved')")
        time.sleep(0.5)
        page.run("document.querySelector('textarea').setSelectionRange(0, 0)")
        page.type("# One more\n")
        page.click(".filebar .save")
        page.wait("!document.querySelector('.filebar').textContent.includes('not saved')")
        if path.read_bytes() != ("# One more\n" + LAMPS).replace("\n", "\r\n").encode():
            report("the ends of lines were changed")
        for window in [page, other]:
            for url in strangers(window, address):
                report(f"asked for {url}")


def large():
    """3,000 rules over 12 variables of 9 values."""
    lines = ["12 " + " ".join(["9"] * 12)]
    for rule in range(3000):
        row = lambda value: " ".join(str(value) if at == rule % 12 else "X" if at == (rule + 1 + rule // 108) % 12
                                     else "-" for at in range(12))
        lines.append(f"{row(rule // 12 % 9)} => {row((rule // 12 + 1 + rule // 108) % 9)} LABEL r{rule}")
    return "\n".join([*lines, "GOAL" + " 0" * 12, ""])


def check_large(page, command, folder, found):
    path = folder / "large.psvn"
    path.write_text(large())
    with served(command, path) as address, found.of("3,000 rules") as report:
        page.open(f"{address}#rules")
        page.wait(SHOWN["rules"])
        page.run("(() => { const it = document.querySelector('input[type=search]'); it.value = 'r2999';"
                 " it.dispatchEvent(new Event('input')); })()")
        page.wait("document.querySelectorAll('#view tbody tr').length === 1")
        page.click("#view tbody td a[href*='line=']")
        page.wait("document.body.dataset.view === 'text' && document.querySelector('textarea').scrollTop > 10000")
        n_drawn = page.run("document.querySelectorAll('.gutter div').length")
        if n_drawn > 300:
            report(f"{n_drawn} lines are drawn")


def status(address, path, **headers):
    """The status of a request, by the headers that a browser would send."""
    connection = http.client.HTTPConnection("127.0.0.1", urlparse(address).port, timeout=10)
    connection.putrequest("GET", path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def check_refusals(page, address, folder, found):
    with found.of("refusals") as report:
        port, path = urlparse(address).port, urlparse(address).path
        for what, wanted, got in [
            ("the address", 200, status(address, path)),
            ("no secret", 404, status(address, "/")),
            ("a wrong secret", 404, status(address, "/" + "0" * 32 + "/")),
            ("another name of this machine", 421, status(address, path, Host=f"evil.example:{port}")),
            ("another page", 403, status(address, path + "api/file", Origin="http://evil.example")),
        ]:
            if wanted != got:
                report(f"{what}: {got}, not {wanted}")
        # A page from elsewhere, in the same browser, that knows the address.
        foreign = folder / "foreign.html"
        foreign.write_text("<!doctype html><title>elsewhere</title>")
        page.open(foreign.as_uri())
        read = page.run(f"fetch('{address}api/file').then((it) => it.text(), () => 'refused')")
        if read != "refused":
            report(f"another page has read {read[:60]!r}")
        page.run(f"new Promise((done) => {{ const it = document.createElement('iframe'); it.src = '{address}';"
                 " it.onload = done; document.body.append(it); })")
        time.sleep(0.5)
        if page.run("document.querySelector('iframe').contentWindow.length") != 0:
            report("another page has the page in a frame")


def main():
    program = chromium.found()
    if program is None:
        print("no Chromium here: the page of the studio is not checked")
        return 1 if os.environ.get("PSVN_REQUIRE_CHROMIUM") == "1" else 0
    command = [str(pathlib.Path(sys.argv[1]).resolve()), *sys.argv[2:]]
    found = Problems()
    with tempfile.TemporaryDirectory() as name, chromium.started(program) as browser:
        folder, page = pathlib.Path(name), browser.page()
        with served(command, TILES) as address:
            check_tree(page, address, found)
            check_play(page, address, found)
            check_others(page, address, found)
            check_looks(page, address, found)
            check_refusals(page, address, folder, found)
        check_pieces(page, command, folder, found)
        check_text(browser, page, command, folder, found)
        check_large(page, command, folder, found)
    for problem in found:
        print(problem)
    print(f"{len(VIEWS)} views of the studio checked, {axe.said()}: {len(found) or 'no'} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
