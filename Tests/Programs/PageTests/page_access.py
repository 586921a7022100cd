"""Checks every screen with axe: dark, light and narrow."""
import importlib.util
import pathlib
import unittest

from page_world import world

# The package is not imported, because it would need its own browser; only its axe-core is used.
AXE = (pathlib.Path(importlib.util.find_spec("axe_playwright_python").origin).parent / "axe.min.js").read_text()


class AccessTests(unittest.TestCase):
    def test_axe_finds_nothing_serious_on_any_screen(self):
        page = world()
        photo = page.photos()[0]["id"]
        screens = {"#/now": ".plot canvas", "#/gallery": ".cell img.there", "#/albums": ".empty, .album", f"#/looks?photo={photo}": ".look-tile",
                   "#/drop": ".drop-zone", "#/batches": ".batch", "#/failures": ".failed-file, .empty", "#/workers": ".worker, .empty",
                   f"#/photo/{photo}": ".frame img.right.there"}
        for scheme, width in (("dark", 1400), ("light", 390)):
            page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
            page.load("#/now")
            page.find(".figures")
            page.run(AXE)
            for hash, there in screens.items():
                with self.subTest(screen=hash.split("?")[0], scheme=scheme, width=width):
                    page.show(hash)
                    page.wait(f"document.querySelector({there!r})")
                    found = page.browser.execute_async_script(
                        "const done = arguments[0]; axe.run().then((result) => done(result.violations.filter((one) => "
                        "['serious', 'critical'].includes(one.impact)).map((one) => [one.id, one.nodes[0].html, one.nodes[0].failureSummary])))")
                    self.assertEqual(found, [])
                    wider = page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
                    self.assertLessEqual(wider, 0, "the page is wider than its window")
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.assertEqual(page.problems(), [])
