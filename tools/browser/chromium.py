"""Chromium without a window, driven through a pipe: nothing but Python and Chromium is needed."""

import base64
import contextlib
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def found():
    """The path of Chromium, or None. PSVN_CHROMIUM names another one."""
    named = os.environ.get("PSVN_CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


class Failed(Exception):
    """Chromium refused a command, or a script in a page threw something."""


class Page:
    """A tab. What it asks for from elsewhere is kept in `requests`."""

    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.requests = []
        for domain in ["Page", "Runtime", "Network"]:
            self.send(f"{domain}.enable")

    def send(self, method, **parameters):
        return self.browser.send(method, parameters, self.session)

    def open(self, address, width=1280, height=900, scheme="light", media="screen", script=True):
        """Show an address in a window of that size, and wait until it is there."""
        self.look(width, height, scheme, media)
        self.send("Emulation.setScriptExecutionDisabled", value=not script)
        # Another place of the page that is shown would not be loaded anew.
        for url in ["about:blank", address]:
            self.requests.clear()
            self.browser.forget("Page.loadEventFired")
            self.send("Page.navigate", url=url)
            self.browser.wait_for("Page.loadEventFired", self.session)

    def look(self, width=1280, height=900, scheme="light", media="screen"):
        """Choose the size of the window, colors, and screen or paper."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": scheme},
                    {"name": "prefers-reduced-motion", "value": "reduce"}]
        self.send("Emulation.setEmulatedMedia", media=media, features=features)

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"]
            raise Failed(thrown.get("exception", {}).get("description", thrown["text"]))
        return answer["result"].get("value")

    def wait(self, script, seconds=30):
        """Wait until an expression in the page is true, and return its value."""
        end = time.monotonic() + seconds
        while True:
            # An element has no value outside of the page.
            value = self.run(f"((it) => it instanceof Node || it)({script})")
            if value:
                return value
            if time.monotonic() > end:
                raise Failed(f"this never came true: {script}")
            time.sleep(0.05)

    def click(self, selector):
        """Click with the mouse on the middle of an element, and fail if something hides it."""
        self.wait(f"document.querySelector({json.dumps(selector)})")
        x, y = self.run(f"""(() => {{
          const element = document.querySelector({json.dumps(selector)});
          element.scrollIntoView({{block: 'center', inline: 'center'}});
          const box = element.getBoundingClientRect();
          const at = [box.x + box.width / 2, box.y + box.height / 2];
          const found = document.elementFromPoint(...at);
          if (!found || !element.contains(found)) {{ throw new Error('hidden: ' + element.outerHTML.slice(0, 80)); }}
          return at;
        }})()""")
        for kind in ["mousePressed", "mouseReleased"]:
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, key, modifiers=0):
        """Press a key; modifiers: 1 alt, 2 control, 8 shift."""
        codes = {"Enter": 13, "Tab": 9, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
                 "ArrowDown": 40, "Backspace": 8}
        code = codes.get(key, ord(key[0].upper()))
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 and not modifiers & 2 else "")
        about = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        self.send("Input.dispatchKeyEvent", type="keyDown", **about, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **about)

    def type(self, text):
        """Type a text where the focus is."""
        self.send("Input.insertText", text=text)

    def picture(self, path, height=None):
        """Write what is seen as PNG: the window, or a part of the page from its top."""
        clip = {}
        if height:
            width = self.run("document.documentElement.clientWidth")
            clip = {"clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
                    "captureBeyondViewport": True}
        answer = self.send("Page.captureScreenshot", format="png", optimizeForSpeed=False, **clip)
        pathlib.Path(path).write_bytes(base64.b64decode(answer["data"]))


class Browser:
    """A running Chromium with a profile of its own, without a network."""

    def __init__(self, program, folder):
        to_child, self.writing = os.pipe()
        self.reading, from_child = os.pipe()
        # The pipe's ends have the numbers 3 and 4 in Chromium.
        command = ('exec "$0" "$@" 3<&%d 4>&%d' % (to_child, from_child))
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
                 "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--allow-file-access-from-files",
                 f"--user-data-dir={folder}", "--remote-debugging-pipe", "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", command, program, *flags], pass_fds=[to_child, from_child],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.number, self.unread, self.answers, self.events = 0, b"", {}, []
        self.pages = {}

    def send(self, method, parameters=None, session=None):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        number = self.number
        self._until(lambda: number in self.answers, method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def forget(self, name):
        self.events = [event for event in self.events if event[0] != name]

    def wait_for(self, name, session):
        self._until(lambda: (name, session) in self.events, name)

    def _until(self, is_done, what, seconds=60):
        end = time.monotonic() + seconds
        while not is_done():
            ready, _, _ = select.select([self.reading], [], [], max(0, end - time.monotonic()))
            part = os.read(self.reading, 1 << 16) if ready else b""
            if not part:
                raise Failed(f"Chromium doesn't answer to {what}")
            *whole, self.unread = (self.unread + part).split(b"\0")
            for text in whole:
                self._take(json.loads(text))

    def _take(self, message):
        if "id" in message:
            self.answers[message["id"]] = message
            return
        session = message.get("sessionId")
        self.events.append((message["method"], session))
        if message["method"] == "Network.requestWillBeSent" and session in self.pages:
            self.pages[session].requests.append(message["params"]["request"]["url"])

    def page(self):
        target = self.send("Target.createTarget", {"url": "about:blank"})["targetId"]
        attached = self.send("Target.attachToTarget", {"targetId": target, "flatten": True})
        page = Page(self, attached["sessionId"])
        self.pages[attached["sessionId"]] = page
        return page

    def close(self):
        with contextlib.suppress(Failed, OSError):
            self.send("Browser.close")
        os.close(self.writing)
        os.close(self.reading)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextlib.contextmanager
def started(program):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(program, folder)
        try:
            yield browser
        finally:
            browser.close()
