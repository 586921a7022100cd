"""A generated library, `rawmill serve` on it, and Chromium: shared by all tests of the page."""
import atexit
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from xml.sax.saxutils import escape

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

PROJECT = pathlib.Path(__file__).resolve().parents[3]
SCREENSHOT = str(PROJECT / ".build/page.png")
RAWMILL = os.environ.get("RAWMILL", str(PROJECT / ".build/debug/rawmill"))


def sample(folder, count, first, megapixels=0.05):
    subprocess.run([RAWMILL, "sample", "--out", folder, "--count", str(count), "--first", str(first),
                    "--megapixels", str(megapixels)], check=True, stdout=subprocess.DEVNULL)
    return sorted(pathlib.Path(folder).iterdir())


def describe(raw, rating, keywords=()):
    """A sidecar with stars and keywords, as photo programs write it."""
    bag = "".join(f"<rdf:li>{escape(word)}</rdf:li>" for word in keywords)
    raw.with_suffix(".xmp").write_text(
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" '
        f'xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:Rating="{rating}"><dc:subject><rdf:Bag>{bag}</rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>')


class World:
    """A library with eleven photos and one file that was too large, its server, and a browser."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="rawmill-page-"))
        atexit.register(self.stop)
        self.raws = self.folder / "raws"
        self.library = self.folder / "film"
        self.fill()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.server = None
        self.start()
        self.browser = self.open_browser()

    def fill(self):
        for raw, rating, keywords in zip(sample(self.raws, 11, 1), (5, 3, -1), (["lake", "<b>Zürich & See"], ["lake"], [])):
            describe(raw, rating, keywords)
        # Photos taken in one second and the next are a burst.
        for raw, captured in zip(sorted(self.raws.glob("*.dng"))[6:9], (b"10:20:30", b"10:20:31", b"10:20:31")):
            raw.write_bytes(re.sub(rb"(2024:05:01 )\d\d:\d\d:\d\d", rb"\g<1>" + captured, raw.read_bytes()))
        large = sample(self.folder / "large", 1, 12, megapixels=1)[0]
        large.rename(self.raws / "large <i>x.dng")
        done = subprocess.run([RAWMILL, "convert", self.raws, "--library", self.library, "--quiet", "--max-megapixels", "0.5"],
                              stderr=subprocess.DEVNULL)
        assert done.returncode == 3, f"the large file was to fail, and nothing else: {done.returncode}"

    def start(self):
        self.server = self.begin("--library", self.library, "--listen", f"127.0.0.1:{self.port}", "-j", "2")
        end = time.monotonic() + 60
        while True:
            try:
                return self.get("/v1/session")
            except OSError:
                assert time.monotonic() < end, f"rawmill serve did not answer: {(self.folder / 'serve.log').read_text()}"
                time.sleep(0.05)

    def begin(self, *options):
        """Starts a server with the common log."""
        with open(self.folder / "serve.log", "ab") as log:
            return subprocess.Popen([RAWMILL, "serve", *options], stdout=log, stderr=log)

    def kill(self):
        self.server.send_signal(signal.SIGKILL)
        self.server.wait()

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return json.load(answer)

    def post(self, path, value):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", json.dumps(value).encode(), {"X-Rawmill": "1"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def photos(self, query=""):
        return self.get(f"/v1/photos?offset=0&limit=1000{query}")["photos"]

    def open_browser(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--window-size=1400,1000",
                         f"--user-data-dir={self.folder / 'profile'}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        browser.set_script_timeout(60)
        return browser

    def stop(self):
        if getattr(self, "browser", None):
            self.browser.quit()
        if getattr(self, "server", None) and self.server.poll() is None:
            self.server.terminate()
            self.server.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

    # In the browser

    def show(self, hash):
        self.run("location.hash = arguments[0]", hash)

    def load(self, hash):
        """Reloads the page as on a first visit."""
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}/{hash}")

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def wait(self, condition, seconds=30):
        """Waits until a JavaScript expression is true, and returns its value."""
        end = time.monotonic() + seconds
        while True:
            try:
                value = self.run(f"return ({condition})")
            except Exception as error:
                value = None
                problem = error
            else:
                problem = value
            if value:
                return value
            if time.monotonic() > end:
                self.browser.save_screenshot(SCREENSHOT)
                seen = self.run("return document.body.innerText")[:1500]
                raise AssertionError(f"still not so after {seconds} s: {condition}; {problem}\nThe page ({SCREENSHOT}) says:\n{seen}")
            time.sleep(0.05)

    def until(self, true, seconds=30):
        """Waits for a state of the server, without looking at the page."""
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, f"still not so after {seconds} s"
            time.sleep(0.1)

    def find(self, selector):
        self.wait(f"document.querySelector({json.dumps(selector)})")
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def button(self, text, within="body"):
        """The button or link with this name."""
        found = (f"[...document.querySelector({json.dumps(within)}).querySelectorAll('button, a.button')]"
                 f".find((one) => one.textContent === {json.dumps(text)} && !one.disabled && one.offsetParent)")
        return self.wait(found)

    def press(self, *keys, holding=()):
        chain = ActionChains(self.browser)
        for key in holding:
            chain.key_down(key)
        chain.send_keys(*keys)
        for key in holding:
            chain.key_up(key)
        chain.perform()

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def problems(self):
        """The browser's errors since the last call, except for requests that failed while the server was away."""
        return [entry["message"] for entry in self.browser.get_log("browser")
                if entry["level"] == "SEVERE" and "Failed to load resource" not in entry["message"]]

    def drop(self, path):
        """Drops a file or folder on the page, like a mouse."""
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        def dispatch(kind):
            self.browser.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": 600, "y": 500, "data": data})

        dispatch("dragEnter")
        # Chromium silently drops nothing before it knows that the page accepts it, so this is retried.
        for _ in range(20):
            dispatch("dragOver")
            self.wait("document.querySelector('.veil:not([hidden])')")
            time.sleep(0.1)
            dispatch("drop")
            for _ in range(10):
                if self.run("return document.querySelector('.veil').hidden"):
                    return
                time.sleep(0.05)
            dispatch("dragEnter")
        raise AssertionError("the browser did not drop what was dragged")


_world = None


def world():
    global _world
    if _world is None:
        _world = World()
    return _world


__all__ = ["Keys", "ActionChains", "World", "sample", "world", "RAWMILL"]
