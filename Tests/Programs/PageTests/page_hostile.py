"""500 photos whose names, folders, EXIF and album try to run as scripts: converted and dropped, and shown on every
screen."""
import json
import re
import struct
import subprocess
import unittest

from page_world import RAWMILL, World, sample

COUNT = 500
DROPPED = 60
RUN = "window.hits=(window.hits||0)+1"
PAYLOADS = [
    f"<script>{RUN}</script>", f"<img src=x onerror={RUN}>", f"\"><svg onload={RUN}>", f"' onmouseover='{RUN}' x='", f"javascript:{RUN}",
    f"</title><script>{RUN}</script>", f"<iframe srcdoc='<script>parent.{RUN}<!--'>", "{{constructor.constructor('window.hits=1')()}}",
    f"${{{RUN}}}", f"`;{RUN};//", f"\\\";{RUN};//", f"--><script>{RUN}</script><!--", f"<a href=javascript:{RUN}>x", f"&lt;img src=x onerror={RUN}&gt;",
    f"\u202e{RUN}\u202dgnp", f"\u2066\u2067<b>{RUN}", f"%3Cscript%3E{RUN}%3C%2Fscript%3E", f"]]><script>{RUN}</script>", f"<style>@import'x';*{{}}</style>",
    f"<math><mtext><img src=x onerror={RUN}>", f"<details open ontoggle={RUN}>", f"data:text/html,<script>{RUN}</script>", f"\n<script>\r{RUN}</script>",
    f"\u2028{RUN}\u2029", f"<!--<img src=\"--><img src=x onerror={RUN}//\">", "x" * 190 + "<b>", "__proto__", "constructor", "#/drop?<b>", "..%2f..%2f<i>",
]
# The number of scripts that ran or were blocked, over all loaded pages.
WATCH = """
window.hits = 0;
window.kept = [];
document.addEventListener("securitypolicyviolation", (event) => window.kept.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
"""


def with_texts(dng, texts):
    """The DNG with other texts in its first directory (TIFF 6.0, section 2), by tag."""
    content = bytearray(dng)
    order = "<" if content[:2] == b"II" else ">"
    start, = struct.unpack_from(order + "I", content, 4)
    for index in range(struct.unpack_from(order + "H", content, start)[0]):
        at = start + 2 + 12 * index
        tag, = struct.unpack_from(order + "H", content, at)
        if tag in texts:
            text = texts[tag].encode() + b"\0"
            text += b"\0" * max(0, 5 - len(text))
            struct.pack_into(order + "HII", content, at + 2, 2, len(text), len(content))
            content += text + b"\0" * (len(text) % 2)
    return bytes(content)


def honest(name):
    """The name as shown on the page: characters that control or reverse the text are visible."""
    return re.sub("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", "\ufffd", name)


class HostileWorld(World):
    def fill(self):
        self.card = self.folder / "card"
        scenes = [file.read_bytes() for file in sample(self.folder / "scenes", 3, 1, megapixels=0.02)]
        for number in range(COUNT):
            payload = PAYLOADS[number % len(PAYLOADS)]
            part = payload.replace("/", "\u2215")
            folder = self.card / "DCIM" if number < DROPPED else self.raws / PAYLOADS[number // 40].replace("/", "\u2215")
            folder.mkdir(parents=True, exist_ok=True)
            # Bytes after a TIFF's data are ignored, but make another photograph of it.
            content = with_texts(scenes[number % 3], {271: payload, 272: f"{payload} {number % 40}"}) + number.to_bytes(4, "big")
            broken = number % 50 == 49
            (folder / f"{number:03} {part}.dng").write_bytes(content[:4000] if broken else content)
        done = subprocess.run([RAWMILL, "convert", self.raws, "--library", self.library, "--quiet"], stderr=subprocess.DEVNULL)
        assert done.returncode == 3, f"the cut files were to fail, and nothing else: {done.returncode}"


class HostileTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = HostileWorld()
        cls.world.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})

    @classmethod
    def tearDownClass(cls):
        cls.world.stop()

    def harmless(self, where):
        page = self.world
        found = page.run("""
            const wrong = [...document.querySelectorAll("*")].filter((one) => [...one.attributes].some(({ name, value }) =>
                /^on/i.test(name) || (["href", "src", "action"].includes(name) && /^\\s*(javascript|data):/i.test(value)))
                || ["SCRIPT", "IFRAME", "STYLE", "MATH", "B", "BASE"].includes(one.tagName.toUpperCase()) && !one.matches("head script[src='/page/main.js'], head script[src^='/dygraphs/']"));
            return { hits: window.hits, kept: window.kept, wrong: wrong.map((one) => one.outerHTML.slice(0, 200)) };""")
        self.assertEqual(found, {"hits": 0, "kept": [], "wrong": []}, where)
        self.assertEqual(page.problems(), [], where)

    def test_the_watch_itself_sees_blocked_scripts(self):
        page = self.world
        page.load("#/now")
        page.find(".figures")
        page.run("document.body.append(document.createElement('div')); document.body.lastChild.innerHTML = '<img src=/none onerror=\"window.hits += 1\">'")
        page.wait("window.kept.length === 1 && window.hits === 0")
        page.problems()

    def test_the_gallery_shows_every_name_as_text(self):
        page = self.world
        page.load("#/gallery")
        page.wait("document.querySelectorAll('.cell img.there').length >= 6")
        photos = page.photos()
        self.assertGreaterEqual(len(photos), COUNT - DROPPED - 10)
        names = page.run("""
            const done = arguments[0];
            const grid = document.querySelector(".grid");
            return (async () => {
                const names = {};
                const box = [grid, ...function* up() { for (let one = grid; one; one = one.parentElement) yield one; }()]
                    .find((one) => one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY)) ?? document.scrollingElement;
                for (let top = 0; ; top += box.clientHeight / 2) {
                    box.scrollTop = top;
                    await new Promise((resolve) => setTimeout(resolve, 60));
                    for (const cell of document.querySelectorAll(".cell:not(.empty-cell)")) {
                        names[cell.dataset.index] = [cell.querySelector(".name").textContent, cell.querySelector(".name").childElementCount];
                    }
                    if (top + box.clientHeight >= box.scrollHeight) return names;
                }
            })();""")
        self.assertEqual([names.get(str(index)) for index in range(len(photos))], [[honest(photo["name"]), 0] for photo in photos])
        self.assertIn(page.run("return getComputedStyle(document.querySelector('.cell .name')).unicodeBidi"), ["isolate", "plaintext"])
        self.assertEqual(page.run("return [...document.querySelectorAll('select')].find((one) => one.textContent.includes('any camera')).options.length"),
                         len(page.get("/v1/facets")["cameras"]) + 1)
        self.harmless("gallery")

    def test_every_other_screen_shows_them_as_text(self):
        page = self.world
        photos = page.photos()
        page.load("#/gallery")
        for photo in photos[:len(PAYLOADS)]:
            page.show(f"#/photo/{photo['id']}")
            name = " ".join(honest(photo["name"]).split())
            page.wait(f"document.querySelector('h1').textContent.replace(/\\s+/g, ' ').trim() === {json.dumps(name)}"
                      " && document.querySelector('.frame img.right.there') && document.querySelector('dl.pairs')")
            self.harmless(f"photo {photo['name']}")
        names = ["<img src=x onerror=window.hits=1>", "\"><script>window.hits=1</script>", "javascript:window.hits=1", "\u202e<b>x"]
        for name in names:
            page.post("/v1/albums", {"name": name})
            page.post("/v1/albums/add", {"name": name, "photos": [photo["id"] for photo in photos[:7]]})
        quoted = page.run("return arguments[0].map(encodeURIComponent)", names)
        screens = ["#/now", "#/batches", "#/failures", "#/workers", "#/albums", "#/drop", f"#/looks?photo={photos[0]['id']}"]
        screens += [f"#/albums/{name}" for name in quoted]
        screens += [f"#/{place}{name}" for name in quoted for place in ("gallery?where=", "gallery?camera=", "gallery?lens=", "photo/", "drop/", "", "looks?photo=", "batches?x=")]
        for screen in screens:
            page.show(screen)
            page.wait("document.querySelector('main')?.childElementCount > 0")
            page.run("return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))")
            if screen == "#/failures":
                page.wait("document.querySelector('main').textContent.includes('<script>')")
                page.run("document.querySelectorAll('details').forEach((one) => one.open = true)")
            self.harmless(screen)

    def test_files_are_shown_as_text_during_and_after_their_upload(self):
        page = self.world
        before = page.get("/v1/photos/count")["count"]
        page.load("#/now")
        page.find(".figures")
        page.drop(page.card)
        page.wait("location.hash.startsWith('#/drop/')")
        page.wait("document.querySelector('.drop-detail .cell')")
        self.harmless("a drop that comes")
        page.wait(f"document.querySelector('.drop-state .number').textContent.startsWith('{DROPPED - 1} of {DROPPED} photos done')", 60)
        self.assertEqual(page.get("/v1/photos/count")["count"], before + DROPPED - 1)
        self.harmless("a drop that is done")
        page.load(page.run("return location.hash"))
        page.wait("document.querySelectorAll('.drop-detail .cell img.there').length >= 6")
        self.harmless("a drop that is seen again")


if __name__ == "__main__":
    unittest.main()
