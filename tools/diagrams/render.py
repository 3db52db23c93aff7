#!/usr/bin/env python3
"""Draw the diagram of docs/architecture.md as SVG, for pages that don't know Mermaid.

    npm install --prefix /tmp/mermaid mermaid@11
    tools/diagrams/render.py /tmp/mermaid/node_modules/mermaid/dist/mermaid.min.js

Needs Chromium. A picture has at its end a checksum of the text that it was made of; the tests
compare it with the text in the page.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIAGRAMS = {"docs/architecture.md": "architecture.svg"}


def draw(script, source):
    page = f"""<!DOCTYPE html><meta charset="utf-8"><body><pre class="mermaid">{source}</pre>
<script>{script}</script><script>mermaid.initialize({{startOnLoad: true, theme: "neutral",
securityLevel: "loose", htmlLabels: false, flowchart: {{htmlLabels: false}}}});</script>"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "page.html")
        path.write_text(page)
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                   "--virtual-time-budget=20000", f"--user-data-dir={folder}/profile", f"file://{path}"]
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return re.search(r"<svg.*?</svg>", shown, re.S)[0]


def main():
    script = pathlib.Path(sys.argv[1]).read_text()
    for page, picture in DIAGRAMS.items():
        source = re.search(r"```mermaid\n(.*?)```", (ROOT / page).read_text(), re.S)[1]
        plain = re.sub(r"</?b>", "", source)
        svg = draw(script, plain.replace("&", "&amp;").replace("<", "&lt;"))
        svg = svg.replace('style="', 'style="background: white; ', 1)
        # What only Mermaid's own script reads, and what would differ from run to run.
        svg = re.sub(r' data-[a-z-]+="[^"]*"', "", svg)
        svg = re.sub(r"mermaid-\d+", "diagram", svg)
        sum_of_source = zlib.crc32(source.encode())
        (ROOT / "docs/book/src" / picture).write_text(f"{svg}\n<!-- {sum_of_source:08x} -->\n")


main()
