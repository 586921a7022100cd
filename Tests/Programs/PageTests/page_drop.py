"""A card is dropped on the page: 250 files, some of which are not photos, with names that try to be scripts."""
import unittest
import urllib.parse

from page_world import sample, world

NAMES = ["IMG_{}.DNG", "<img src=x onerror=window.hacked=1> {}.DNG", "\"><script>window.hacked=1<!-- {}.DNG", "a'b\"c&amp; {}.DNG",
         "\u202egpj{}.DNG", "x" * 190 + "{}.DNG", "javascript:window.hacked={}.DNG", "%00%0a..%2f{}.DNG", "Ωmega 📷 {}.DNG",
         "two\nlines {}.DNG"]
COUNT = 250
SIDECAR = b'''<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>from the card</rdf:li></rdf:Bag>
</dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>'''


class DropTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world()
        cls.card = cls.world.folder / "card" / "DCIM"
        scenes = [file.read_bytes() for file in sample(cls.world.folder / "scenes", 5, 101)]
        for number in range(COUNT):
            folder = cls.card / ("100CANON" if number < 200 else "101CANON")
            folder.mkdir(parents=True, exist_ok=True)
            # Bytes after a TIFF's data are ignored, but make another photograph of it.
            content = scenes[number % 5] + number.to_bytes(4, "big")
            if number == 31:
                content = scenes[1] + (1).to_bytes(4, "big")
            if number == 77:
                content = b"only a text"
            if number == 242:
                content = content[:30000]
            file = folder / NAMES[number % 10].format(f"{number:04}")
            file.write_bytes(content)
            # For some the camera also made a JPEG, and one has a darktable sidecar.
            if number % 5 == 0:
                file.with_suffix(".JPG").write_bytes(b"camera's JPEG " + number.to_bytes(4, "big"))
            if number == 20:
                file.with_name(file.name + ".xmp").write_bytes(SIDECAR)
        # Files that systems leave on cards: the page ignores them.
        for name in ["._IMG_0000.DNG", ".DS_Store", "100CANON/._IMG_0010.DNG", ".Trashes/501/IMG_9999.DNG", "$RECYCLE.BIN/IMG_9998.DNG",
                     "System Volume Information/WPSettings.dat"]:
            (cls.card / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.card / name).write_bytes(scenes[0] + name.encode())

    def test_a_folder_of_250_files_arrives_complete_and_in_order_and_other_files_are_named(self):
        page = self.world
        before = page.get("/v1/photos/count")["count"]
        page.load("#/now")
        page.find(".figures")
        page.drop(self.card)
        page.wait("location.hash.startsWith('#/drop/')")
        # All placeholders appear at once, in order.
        page.wait(f"document.querySelector('.drop-detail .cell')?.getAttribute('aria-setsize') === '{COUNT}'")
        page.wait("document.querySelector('#uploading').hidden", 60)
        page.wait("document.querySelector('#refused-sentence').textContent === '3 of 250 were not imported.'", 60)
        page.wait("document.querySelector('.drop-state .number').textContent.startsWith('247 of 250 photos done')", 90)
        self.assertEqual(page.get("/v1/photos/count")["count"], before + 247)
        # Companions do not count as files, and lie beside their RAW.
        self.assertEqual(page.get("/v1/photos/count?where=" + urllib.parse.quote("keyword = 'from the card'"))["count"], 1)
        kept = [path for path in (page.library / "photos" / "drops").rglob("*.JPG")]
        self.assertEqual(len(kept), COUNT // 5)

        drop = page.get("/v1/drops/" + page.run("return location.hash.split('/').pop()"))
        files = sorted(drop["files"], key=lambda file: file["index"])
        self.assertEqual([file["index"] for file in files], list(range(COUNT)))
        # Within a folder by name, the folders one after another.
        folders = [file.get("path") for file in files if file.get("path")]
        self.assertEqual(folders, sorted(folders))
        reasons = {file["reason"] for file in files if file["state"] == "refused"}
        self.assertEqual(len(reasons), 3, reasons)
        # Codes are for programs: people read words.
        page.run("document.querySelector('.drop-detail .grid')?.scrollTo(0, 0)")
        shown = page.run("return document.querySelector('#screen').innerText")
        self.assertEqual([code for code in reasons if "-" in code and code in shown], [])
        self.assertEqual({file["title"] for file in files if file["reason"] == "not-raw"}, {"Not a RAW file"})

        page.button("Details").click()
        self.assertEqual(page.run("return document.querySelectorAll('#refused-files li').length"), 3)
        self.assertTrue(page.run("return [...document.querySelectorAll('#refused-files li p:last-child')].every((why) => why.textContent.length > 10)"))
        # Each states a remedy.
        remedies = [file["remedy"] for file in files if file["state"] == "refused"]
        said = page.run("return [...document.querySelectorAll('#refused-files li p:last-child')].map((why) => why.textContent)")
        self.assertTrue(all(remedy and any(remedy in why for why in said) for remedy in remedies), (remedies, said))
        self.assertIsNone(page.run("return window.hacked ?? null"))
        self.assertEqual(page.problems(), [])

        # The drop is one item, and opens as an album in its own order.
        page.button("Open as an album").click()
        page.wait("location.hash.startsWith('#/albums/')")
        page.wait("document.querySelector('.number')?.textContent === '247 photos'")
        album = page.get(f"/v1/drops/{drop['drop']}")["album"]
        self.assertEqual(page.run("return decodeURIComponent(location.hash.split('/').pop())"), album)
        order = [photo["id"] for photo in page.photos("&album=" + urllib.parse.quote(album))]
        self.assertEqual(order, [file["photo"]["id"] for file in files if file["photo"]])
        self.assertEqual(page.problems(), [])

        # The names are shown as text everywhere, and none changes the reading direction.
        page.show("#/gallery")
        page.wait(f"document.querySelector('.number').textContent === '{before + 247} photos'")
        page.wait("document.querySelectorAll('.cell img.there').length > 5")
        for _ in range(12):
            page.run("document.querySelector('.grid').scrollTop += 600")
            page.wait("[...document.querySelectorAll('.cell')].every((cell) => cell.querySelector('.name').textContent)")
            self.assertFalse(page.run("return /[\\u202a-\\u202e]/.test(document.body.textContent)"))
            self.assertEqual(page.run("return document.querySelectorAll('.grid script, .grid img:not([alt=\"\"])').length"), 0)
        self.assertIsNone(page.run("return window.hacked ?? null"))
        self.assertEqual(page.problems(), [])

    def test_watching_clients_see_a_placeholder_for_each_file_and_the_end_of_a_stopped_drop(self):
        page = self.world
        names = [f"card/IMG_{number:04}.DNG" for number in range(40)]
        drop = page.post("/v1/drops", {"files": 40, "title": "Burst <b>1</b>", "names": names})["drop"]
        page.load(f"#/drop/{drop}")
        page.wait("document.querySelector('.drop-detail .cell')?.getAttribute('aria-setsize') === '40'")
        page.wait("document.querySelector('.drop-detail .cell .name').textContent === 'IMG_0000.DNG'")
        self.assertEqual(page.text("#refused-sentence"), "")
        page.post(f"/v1/drops/{drop}/close", {})
        page.wait("document.querySelector('#refused-sentence').textContent === '40 of 40 were not imported.'")
        page.button("Details").click()
        page.wait("document.querySelector('#refused-files li').textContent.includes('Drop it again.')")
        self.assertEqual(page.problems(), [])

    def test_uploads_continue_automatically_after_the_server_was_killed_and_no_photo_is_lost(self):
        page = self.world
        scene = sample(page.folder / "later scene", 1, 151)[0].read_bytes()
        card = page.folder / "later"
        card.mkdir()
        for number in range(80):
            (card / f"later-{number:03}.dng").write_bytes(scene + number.to_bytes(4, "big"))
        later = lambda: [photo["name"] for photo in page.photos("&where=path%20like%20'%25later-%25'")]
        page.load("#/now")
        page.find(".figures")
        page.drop(card)
        page.wait("location.hash.startsWith('#/drop/')")
        page.wait("Number(/(\\d+) uploaded/.exec(document.querySelector('.drop-state').textContent)?.[1]) >= 20")
        page.kill()
        page.wait("document.querySelector('#connection:not([hidden])')")
        page.start()
        page.wait("document.querySelector('#uploading').hidden", 60)
        page.until(lambda: len(later()) == 80, 60)
        self.assertEqual(page.problems(), [])
