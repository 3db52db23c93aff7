#!/usr/bin/env python3
"""Take the pictures of the report page, the book and the studio in docs/pictures.

    cargo build --release --locked
    mdbook build docs/book
    tools/browser/screenshots.py target/release/psvn target/book

Needs Chromium. Times in the pictures are those of this run.
"""

import pathlib
import subprocess
import sys
import tempfile

import check
import chromium
import studio

PICTURES = check.ROOT / "docs/pictures"
# Name, width, height, colors, medium, and where the report is shown from.
VIEWS = [
    ("1280", 1280, 640, "light", "screen", ""),
    ("400", 400, 800, "light", "screen", "#s0plots"),
    ("dark", 1280, 640, "dark", "screen", "#s0plots"),
    ("print", check.PAPERS["A4"], 1000, "light", "print", ""),
]
# Views of the studio: name, view, game, width, height, colors.
STUDIO = [
    ("tree", "tree", studio.TILES, 1280, 640, "light"),
    ("tree-400", "tree", studio.TILES, 400, 800, "light"),
    ("play-dark", "play", "gen:rubik:2:fixed", 1280, 640, "dark"),
    ("machine", "machine", "gen:topspin:6:3", 1280, 560, "light"),
    ("compose", "compose?word=1.5", studio.TILES, 1280, 720, "light"),
]
PAGE_OF_BOOK = "pruning-tutorial.html"
# Larger files don't belong in a repository.
MOST_BYTES = 150_000


def main():
    program = chromium.found()
    if program is None:
        sys.exit("no Chromium here: no pictures are taken")
    psvn, book = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    if not (book / PAGE_OF_BOOK).is_file():
        sys.exit(f"{book} has no {PAGE_OF_BOOK}: build the book first")
    with tempfile.TemporaryDirectory() as folder, chromium.started(program) as browser:
        page = browser.page()
        report, _ = check.make_reports(psvn, pathlib.Path(folder))
        addresses = {"report": report.as_uri(), "book": (book / PAGE_OF_BOOK).as_uri()}
        for what, address in addresses.items():
            for name, width, height, scheme, media, place in VIEWS:
                at = address + place if what == "report" else address
                page.open(at, width, height, scheme, media)
                path = PICTURES / f"{what}-{name}.png"
                page.picture(path)
                if path.stat().st_size > MOST_BYTES:
                    sys.exit(f"{path} has {path.stat().st_size} bytes")
        # A tree, with what is left out.
        command = [psvn, "tree", "gen:sliding-tiles:2:3", "-L", "2", "--depth", "3", "--svg"]
        path = pathlib.Path(folder) / "tree.svg"
        path.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
        for scheme in ["light", "dark"]:
            page.open(path.as_uri(), scheme=scheme)
            size = page.run("[document.documentElement.width.baseVal.value, "
                            "document.documentElement.height.baseVal.value]")
            page.look(round(size[0]), round(size[1]), scheme)
            page.picture(PICTURES / f"tree-{scheme}.png")
        take_studio(page, psvn)


def take_studio(page, psvn):
    (PICTURES / "studio").mkdir(exist_ok=True)
    for name, view, game, width, height, scheme in STUDIO:
        with studio.served([psvn, "studio", "--no-open"], game) as address:
            page.open(f"{address}#{view}", width, height, scheme)
            page.wait(studio.SHOWN[view.split("?")[0]])
            path = PICTURES / "studio" / f"{name}.png"
            page.picture(path)
            if path.stat().st_size > MOST_BYTES:
                sys.exit(f"{path} has {path.stat().st_size} bytes")


main()
