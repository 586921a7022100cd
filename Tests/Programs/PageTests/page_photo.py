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
        page.wait("document.querySelector('.said').textContent.startsWith('On trial')")
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

    def test_who_went_on_to_another_screen_is_not_fetched_back_by_an_answer_that_comes_late(self):
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

    def test_the_slider_between_two_pictures_is_moved_by_keys_and_by_hand(self):
        page = self.opened(self.world.photos()[2])
        page.press("e")
        page.press(Keys.TAB, Keys.TAB, Keys.ARROW_RIGHT)
        page.wait("document.querySelector('.said').textContent.startsWith('On trial')")
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

    def test_the_arrows_go_from_photo_to_photo_and_the_raw_can_be_had(self):
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
        page.wait("document.querySelector('.said').textContent.startsWith('On trial')")
        page.press("b")
        page.wait("document.querySelector('.comparing .left.there')")
        self.assertEqual(page.problems(), [])
