"""The first screen, if the address names none."""
import pathlib
import socket
import tempfile
import time
import urllib.error
import urllib.request
import unittest

from page_world import world


class FirstScreenTests(unittest.TestCase):
    def test_it_is_the_gallery_without_open_work(self):
        page = world()
        page.until(lambda: page.get("/v1/now")["state"] == "idle", 60)
        page.load("")
        page.find(".cell img.there")
        self.assertEqual(page.run("return location.hash"), "#/gallery")
        self.assertEqual(page.run("return document.querySelector('#screens [aria-current]').textContent"), "Gallery")
        self.assertEqual(page.problems(), [])

    def test_without_photos_it_is_the_drop_screen(self):
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
