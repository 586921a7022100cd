"""Viewers and operators."""
import socket
import subprocess
import time
import urllib.error
import urllib.request
import unittest

from page_world import Keys, RAWMILL, sample, world


class RoleTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = world()
        folder = cls.page.folder / "guarded"
        sample(folder / "raws", 2, 301)
        subprocess.run([RAWMILL, "convert", folder / "raws", "--library", folder / "film", "--quiet"], check=True)
        (folder / "tokens").write_text("viewer guest look-and-do-not-touch-0123456789\noperator night change-what-must-be-0123456789\n")
        (folder / "tokens").chmod(0o600)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        cls.server = cls.page.begin("--library", folder / "film", "--listen", f"127.0.0.1:{port}", "--tokens", folder / "tokens")
        cls.address, cls.page.address = cls.page.address, f"http://127.0.0.1:{port}"
        end = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(cls.page.address, timeout=5).close()
                break
            except urllib.error.URLError:
                assert time.monotonic() < end, "the guarded server did not answer"
                time.sleep(0.05)

    @classmethod
    def tearDownClass(cls):
        cls.page.address = cls.address
        cls.page.browser.delete_all_cookies()
        cls.server.terminate()
        cls.server.wait(20)

    def signed_in(self, token):
        self.page.load("#/gallery")
        self.page.browser.delete_all_cookies()
        self.page.load("#/gallery")
        self.page.find("#token").send_keys(token, Keys.ENTER)

    def test_a_wrong_token_is_reported_and_a_viewer_sees_no_button_for_changes(self):
        page = self.page
        self.signed_in("nonsense")
        page.wait("document.querySelector('dialog .problem').textContent === 'The token is not valid.'")
        page.press("look-and-do-not-touch-0123456789", Keys.ENTER)
        page.wait("document.querySelectorAll('.cell img.there').length === 2")
        page.find("#cell-0").click()
        page.wait("document.querySelector('.number').textContent === '1 of 2 photos selected'")
        buttons = page.run("return [...document.querySelectorAll('.toolbar button')].map((one) => one.textContent)")
        self.assertEqual(buttons, ["Clear"])
        page.press(Keys.ENTER)
        page.wait("document.querySelector('.frame img.right.there')")
        self.assertFalse(page.run("return document.querySelector('.develop') !== null || document.body.textContent.includes('Undo')"))
        page.show("#/batches")
        page.find(".batch")
        self.assertEqual(page.run("return document.querySelectorAll('.batch button').length"), 0)
        page.show("#/drop")
        page.wait("document.querySelector('.screen-drop .strip')?.textContent.includes('read-only access')")
        self.assertEqual(page.problems(), [])

    def test_an_operator_may_make_changes(self):
        page = self.page
        self.signed_in("change-what-must-be-0123456789")
        page.wait("document.querySelectorAll('.cell img.there').length === 2")
        page.show("#/drop")
        page.find(".drop-zone")
