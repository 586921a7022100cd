"""What is seen first, by whoever opens the page without naming a screen."""
import pathlib
import socket
import tempfile
import time
import urllib.error
import urllib.request
import unittest

from page_world import world


class FirstScreenTests(unittest.TestCase):
    def test_it_is_the_photos_where_nothing_is_to_be_done(self):
        page = world()
        page.until(lambda: page.get("/v1/now")["state"] == "idle", 60)
        page.load("")
        page.find(".cell img.there")
        self.assertEqual(page.run("return location.hash"), "#/gallery")
        self.assertEqual(page.run("return document.querySelector('#screens [aria-current]').textContent"), "Gallery")
        self.assertEqual(page.problems(), [])

    def test_it_is_where_to_drop_some_in_an_empty_library(self):
        page = world()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        empty = pathlib.Path(tempfile.mkdtemp(dir=page.folder)) / "film"
        server = page.begin("--library", empty, "--new", "--listen", f"127.0.0.1:{port}")
        usual, page.address = page.address, f"http://127.0.0.1:{port}"
        try:
            end = time.monotonic() + 60
            while True:
                try:
                    urllib.request.urlopen(page.address, timeout=5).close()
                    break
                except urllib.error.URLError:
                    assert time.monotonic() < end, "the server of the empty library did not answer"
                    time.sleep(0.05)
            page.load("")
            page.wait("location.hash === '#/drop'")
            page.find("input[type=file]")
            self.assertEqual(page.problems(), [])
        finally:
            page.address = usual
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    unittest.main()
