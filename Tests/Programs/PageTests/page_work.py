"""Batches and failures."""
import unittest

from page_world import sample, world


class WorkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world()

    def test_a_failure_names_file_and_remedy_and_disappears_after_a_successful_retry(self):
        page = self.world
        page.load("#/failures")
        # There may also be files that other tests dropped.
        retry = page.find("[aria-label='Retry raws/large <i>x.dng']")
        group = "[...document.querySelectorAll('.failure-group')].find((one) => one.textContent.includes('large <i>x.dng'))"
        self.assertIn("larger than allowed", page.run(f"return {group}.querySelector('.remedy').textContent"))
        retry.click()
        page.wait(f"!{group}")
        page.until(lambda: [photo["name"] for photo in page.photos() if "large" in photo["name"]])
        self.assertEqual(page.problems(), [])

    def test_a_batch_is_paused_resumed_and_its_ledger_always_adds_up(self):
        page = self.world
        card = page.folder / "more"
        scenes = [file.read_bytes() for file in sample(page.folder / "more scenes", 2, 201, megapixels=1)]
        card.mkdir()
        for number in range(60):
            (card / f"more-{number:03}.dng").write_bytes(scenes[number % 2] + number.to_bytes(4, "big"))
        page.load("#/batches")
        page.find(".batch")
        page.drop(card)
        page.wait("location.hash.startsWith('#/drop/')")
        page.wait("document.querySelector('#uploading').hidden", 60)
        page.show("#/batches")
        page.button("Pause").click()
        page.wait("document.querySelector('.batch .state').dataset.state === 'paused'")
        # Without a named screen, open work comes first.
        page.load("")
        page.wait("location.hash === '#/now'")
        page.show("#/batches")
        page.find(".batch")
        page.button("Resume").click()
        page.wait("document.querySelector('.batch .state').dataset.state !== 'paused'")
        for _ in range(10):
            figures = page.run("return [...document.querySelectorAll('.batch:first-child .ledger .figure')].map((one) => Number(one.textContent.replaceAll(',', '')))")
            self.assertEqual(figures[0], sum(figures[1:]))
        page.wait("[...document.querySelectorAll('.batch .state')].every((state) => state.dataset.state === 'completed')", 60)
        self.assertEqual(page.problems(), [])

    def test_the_workers_screen_names_the_file_that_a_slot_renders(self):
        page = self.world
        card = page.folder / "at work"
        scenes = [file.read_bytes() for file in sample(page.folder / "at work scenes", 2, 221, megapixels=1)]
        card.mkdir()
        # Enough to keep an idle machine busy for some seconds: the screen reads once a second.
        photos = 150
        for number in range(photos):
            (card / f"slot-{number:03}.dng").write_bytes(scenes[number % 2] + number.to_bytes(4, "big"))
        page.load("#/batches")
        page.find(".batch")
        page.drop(card)
        page.wait("location.hash.startsWith('#/drop/')")
        page.show("#/workers")
        page.wait("[...document.querySelectorAll('.worker .slots .file-name')].some((one) => one.textContent.includes('slot-') && one.nextSibling.textContent)", 60)
        page.until(lambda: page.get("/v1/photos/count?where=path%20like%20'%25slot-%25'")["count"] == photos, 120)
        page.wait("[...document.querySelectorAll('.worker .slots .file-name')].every((one) => one.textContent === 'idle')")
        self.assertEqual(page.problems(), [])

    def test_hidden_pages_take_no_connection_from_the_visible_one(self):
        page = self.world
        # A browser has six connections to a server.
        for _ in range(8):
            page.load("#/now")
            page.find(".figures")
        status = page.browser.execute_async_script(
            "const done = arguments[0]; setTimeout(() => done('no answer'), 10000);"
            "fetch('/v1/facets').then((answer) => done(answer.status), (error) => done(String(error)))")
        self.assertEqual(status, 200)

    def test_the_plots_of_the_last_hour_survive_a_reload(self):
        page = self.world
        for _ in range(2):
            page.load("#/now")
            page.wait("document.querySelectorAll('.plot canvas').length >= 4")
        page.wait("document.querySelector('.figure-box dd').textContent")
        self.assertEqual(page.problems(), [])
