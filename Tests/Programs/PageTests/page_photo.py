"""A photo's page: try-outs, edits, undo, the slider."""
import unittest

from page_world import ActionChains, Keys, world


class PhotoTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world()

    def opened(self, photo):
        page = self.world
        page.load(f"#/photo/{photo['id']}")
        page.wait("document.querySelector('.frame img.right.there') && document.querySelector('.develop')")
        return page

    def test_an_edit_is_tried_rendered_undone_and_redone(self):
        page = self.opened(self.world.photos()[1])
        first = page.run("return location.hash")
        page.press("e")
        page.press(Keys.TAB, Keys.TAB)
        page.press(*[Keys.ARROW_RIGHT] * 8)
        page.wait("document.querySelector('.said').textContent.startsWith('Rendered in')")
        page.wait("document.querySelector('.frame img.right').src.startsWith('blob:')")
        self.assertEqual(page.run("return location.hash"), first)
        page.press(Keys.ENTER, holding=[Keys.CONTROL])
        page.wait(f"location.hash !== {first!r}")
        page.wait("document.querySelector('.revisions li:nth-child(2)')?.textContent.includes('shown now')")
        second = page.run("return location.hash")
        settings = page.get("/v1/photos/" + second.split("/")[-1])["settings"]
        self.assertAlmostEqual(settings["exposure"], 0.4)
        page.press("u")
        page.wait(f"location.hash === {first!r} && document.querySelector('.revisions li:nth-child(1)')?.textContent.includes('shown now')")
        page.press("r")
        page.wait(f"location.hash === {second!r} && document.querySelector('.revisions li:nth-child(2)')?.textContent.includes('shown now')")
        page.press("u")
        page.wait(f"location.hash === {first!r}")
        self.assertEqual(page.problems(), [])

    def test_digests_are_under_details_and_files_are_named_from_their_root(self):
        page = self.opened(self.world.photos()[0])
        page.run("document.querySelectorAll('.panel details.facts').forEach((one) => { one.open = one.querySelector('h2').textContent !== 'Details'; })")
        shown = page.run("return document.querySelector('#screen').innerText")
        self.assertNotRegex(shown, "[0-9a-f]{32}")
        self.assertRegex(shown, r"library/photos/\S+\.jpg")
        self.assertRegex(shown, r"\braws/sample-\d+\.dng")
        page.run("document.querySelectorAll('.panel details').forEach((one) => { one.open = true; })")
        self.assertRegex(page.run("return document.querySelector('#screen').innerText"), "[0-9a-f]{64}")

    def test_times_have_one_form(self):
        page = self.world
        one = r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}"
        page.load("#/batches")
        page.find(".batch h2")
        said = page.browser.execute_async_script(
            "const done = arguments[0]; import('/page/words.js').then((words) => done(words.moment('2026-11-29T14:36:05')), (error) => done(String(error)))")
        self.assertEqual(said, "2026-11-29 14:36")
        photo = self.opened(page.photos()[0])
        self.assertRegex(photo.run("return document.querySelector('.photo-title p').textContent"), one)

    def test_users_on_another_screen_are_not_returned_by_a_late_answer(self):
        photo = next(photo for photo in self.world.photos() if "sample-0010" in photo["name"])
        page = self.world
        page.post("/v1/photos/edit", {"photos": [photo["id"]], "changes": {"exposure": 0.3}})
        page.until(lambda: any("sample-0010" in other["name"] and other["id"] != photo["id"] for other in page.photos()))
        self.opened(next(other for other in page.photos() if "sample-0010" in other["name"]))
        page.wait("[...document.querySelectorAll('button')].some((one) => one.textContent === 'Undo' && !one.disabled)")
        page.run("[...document.querySelectorAll('button')].find((one) => one.textContent === 'Undo').click(); location.hash = '#/workers'")
        page.until(lambda: any(other["id"] == photo["id"] for other in page.photos()))
        page.wait("document.querySelector('.worker')")
        # Longer than the answer takes.
        page.browser.execute_async_script("const done = arguments[0]; fetch('/v1/photos/count').then(() => setTimeout(done, 300))")
        self.assertEqual(page.run("return location.hash"), "#/workers")
        self.assertEqual(page.problems(), [])

    def test_previews_of_an_edit_are_shown_until_the_photos_are_there(self):
        page = self.world
        photos = [photo for photo in page.photos() if photo["name"].startswith(("sample-0004", "sample-0005"))]
        page.load("#/gallery?where=path%20like%20'%25sample-0004%25'%20or%20path%20like%20'%25sample-0005%25'")
        page.wait(f"document.querySelectorAll('.cell img.there').length >= {len(photos)}")
        page.run("""
            window.seen = [];
            new MutationObserver((changes) => {
                for (const { target } of changes) if (target.src?.includes('/v1/edits/')) window.seen.push(target.closest('.cell').textContent);
            }).observe(document.querySelector('.grid'), { attributes: true, attributeFilter: ['src'], subtree: true });""")
        page.post("/v1/photos/edit", {"photos": [photo["id"] for photo in photos], "changes": {"look": "attic"}})
        page.wait(f"window.seen.length >= {len(photos)}")
        self.assertTrue(page.run("return window.seen.every((text) => text.includes('attic') && text.includes('being rendered'))"))
        page.wait("[...document.querySelectorAll('.cell .name')].filter((name) => name.textContent.includes('.attic.')).length === 2")
        # The photos themselves are shown in the end, without previews.
        page.wait("[...document.querySelectorAll('.cell img')].every((image) => image.src.includes('/v1/objects/'))")
        self.assertEqual(page.get("/v1/edits")["edits"], [])
        self.assertEqual(page.problems(), [])

    def test_a_photo_that_cannot_be_rendered_stays_and_states_the_reason(self):
        page = self.world
        photo = next(photo for photo in page.photos() if photo["name"].startswith("sample-0006"))
        raw = page.raws / "sample-0006.dng"
        whole = raw.read_bytes()
        self.opened(photo)
        first = page.run("return location.hash")
        raw.write_bytes(b"no RAW any more")
        try:
            page.post("/v1/photos/edit", {"photos": [photo["id"]], "changes": {"look": "attic"}})
            page.wait("document.querySelector('.said.problem')?.textContent.endsWith('The photo is unchanged.')")
            self.assertEqual(page.run("return location.hash"), first)
            # Also for later visitors, and among the revisions.
            self.opened(photo)
            page.wait("document.querySelector('.revisions .edit[data-state=failed]')?.textContent.includes('attic')")
            page.wait("document.querySelector('.said.problem')")
        finally:
            raw.write_bytes(whole)
        page.post("/v1/photos/edit", {"photos": [photo["id"]], "changes": {"look": "attic"}})
        page.wait(f"location.hash !== {first!r} && document.querySelector('h1').textContent.includes('.attic.')")
        self.assertFalse(page.run("return document.querySelector('.said.problem')"))
        self.assertEqual(page.problems(), [])

    def test_the_slider_between_two_pictures_is_moved_by_keyboard_and_mouse(self):
        page = self.opened(self.world.photos()[2])
        page.press("e")
        page.press(Keys.TAB, Keys.TAB, Keys.ARROW_RIGHT)
        page.wait("document.querySelector('.said').textContent.startsWith('Rendered in')")
        page.press("b")
        page.wait("document.activeElement.type === 'range' && document.querySelector('.comparing')")
        page.press(*[Keys.ARROW_RIGHT] * 7)
        page.wait("document.activeElement.value === '57' && document.querySelector('.frame .line').style.left === '57%'")
        self.assertIn("57 % as it is", page.run("return document.activeElement.getAttribute('aria-valuetext')"))
        frame = page.find(".frame")
        ActionChains(page.browser).move_to_element(frame).click_and_hold().move_by_offset(-frame.rect["width"] // 4, 0).release().perform()
        page.wait("Math.abs(document.querySelector('.frame input').value - 25) <= 1")
        page.press("b")
        page.wait("!document.querySelector('.comparing')")

    def test_the_arrows_go_from_photo_to_photo_and_the_raw_can_be_downloaded(self):
        photos = self.world.photos()
        page = self.opened(photos[0])
        page.press(Keys.ARROW_RIGHT)
        page.wait(f"location.hash === '#/photo/{photos[1]['id']}' && document.querySelector('h1').textContent")
        page.press(Keys.ARROW_LEFT)
        page.wait(f"location.hash === '#/photo/{photos[0]['id']}'")
        page.wait("document.querySelector('.actions a[href*=\"/raw?\"]')")

    def test_every_look_is_shown_on_a_photo_and_one_is_tried_within_a_second_or_so(self):
        page = self.world
        page.load(f"#/looks?photo={page.photos()[3]['id']}")
        page.wait("document.querySelectorAll('.look-tile').length >= 30")
        page.wait("document.querySelectorAll('.look-tile img.there').length >= 5", 60)
        page.press("l")
        page.press(Keys.ARROW_RIGHT)
        page.wait("document.querySelector('.said').textContent.startsWith('Rendered in')")
        page.press("b")
        page.wait("document.querySelector('.comparing .left.there')")
        self.assertEqual(page.problems(), [])
