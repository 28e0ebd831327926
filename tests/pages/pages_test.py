#!/usr/bin/env python3
"""pages_test.py WICK FOLDER: the pages that `wick profile`, `explain` and `quantize` write, in a real Chromium.

They are made of real runs in FOLDER, read, sorted, searched, looked at in the dark and on a narrow screen; pictures of
them are left beside them. Needs selenium (from PyPI) and chromedriver. Ends with "N passed, M failed"."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WICK = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 2 else ROOT / "build/bin/wick"
FOLDER = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else ROOT / "build/pages"
SEGMENT = ROOT / "examples/segment/segment.ptl"
CLASSIFIER = ROOT / "examples/quantize/classifier.pt"
HOSTILE = 'a<b>&"c\'.ptl'  # a file may be called so


def wick(*words):
    done = subprocess.run([str(WICK), *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"wick {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done.stdout


def make_pages():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    wick("profile", SEGMENT, "--bundled", "0", "--iter", "3", "--html", FOLDER / "profile.html")
    wick("optimize", CLASSIFIER, FOLDER / "fast.ptl")
    wick("explain", CLASSIFIER, FOLDER / "fast.ptl", "--html", FOLDER / "explain.html")
    # One layer stays in float, so that columns have cells without a number.
    wick("quantize", SEGMENT, FOLDER / "small.ptl", "--static", "--calibrate", "bundled", "--skip", "head",
         "--html", FOLDER / "quantize.html")
    shutil.copyfile(SEGMENT, FOLDER / HOSTILE)
    wick("profile", FOLDER / HOSTILE, "--bundled", "0", "--iter", "1", "--html", FOLDER / "hostile.html")


def browser():
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900", "--hide-scrollbars",
                 "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run"):
        options.add_argument(word)
    options.binary_location = next(p for name in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(name)))
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_page_load_timeout(240)
    driver.set_script_timeout(240)
    return driver


# Of two colors as the browser computes them, by the formula of the accessibility guidelines.
CONTRAST = """
const value = text => { const p = text.match(/[\\d.]+/g).map(Number); return p.length > 3 && p[3] == 0 ? null : p.slice(0, 3); };
const light = c => c.map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
const paper = e => { for (; e; e = e.parentElement) { const c = value(getComputedStyle(e).backgroundColor); if (c) return c; }
  return [255, 255, 255]; };
const worst = {};
for (const e of document.querySelectorAll('h1,h2,p,td,th,li,span,input')) {
  if (!e.textContent.trim() && e.tagName != 'INPUT') continue;
  const a = light(value(getComputedStyle(e).color)), b = light(paper(e));
  const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (!(e.tagName in worst) || ratio < worst[e.tagName]) worst[e.tagName] = ratio;
}
return worst;
"""


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        make_pages()
        cls.driver = browser()

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()

    def open(self, name, dark=False, width=1280, mobile=False):
        d = self.driver
        d.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                          {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": mobile})
        d.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        d.get((FOLDER / f"{name}.html").as_uri())
        kind = ("dark" if dark else "light") + (f"-{width}" if width != 1280 else "")
        d.save_screenshot(str(FOLDER / f"{name}-{kind}.png"))

    def column(self, head):
        """The shown cells' texts of the column with the heading, in their order."""
        return self.driver.execute_script("""
            const t = document.querySelector('table.sort'), i = [...t.rows[0].cells].findIndex(c => c.textContent.trim() == arguments[0]);
            return [...t.rows].slice(1).filter(r => !r.hidden).map(r => r.cells[i].textContent.trim());""", head)

    def click(self, head):
        for cell in self.driver.find_elements(By.CSS_SELECTOR, "table.sort th"):
            if cell.text.strip() == head:
                cell.click()
                return cell
        self.fail(f"no heading {head!r}")

    def test_pages_stand_alone_and_have_no_errors(self):
        for name in ("profile", "explain", "quantize", "hostile"):
            self.open(name)
            self.assertEqual(self.driver.execute_script("return performance.getEntriesByType('resource').length"), 0, name)
            said = [entry for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
            self.assertEqual(said, [], name)

    def test_heads_say_machine_threads_version_and_date(self):
        version = wick("--version").split()[1]
        for name, kind in (("profile", "Profile"), ("explain", "Explanation"), ("quantize", "Quantization")):
            self.open(name)
            head = self.driver.find_element(By.CSS_SELECTOR, "p.head").text
            self.assertRegex(head, rf"^{kind} by wick {version} on .+, \d+ threads?, \d{{4}}-\d\d-\d\d \d\d:\d\d$")
            self.assertIn("segment" if name != "explain" else "fast", self.driver.find_element(By.TAG_NAME, "h1").text)

    def test_timeline_is_to_scale(self):
        """Each step has the part of the picture that it has of the time, and begins where it began."""
        words = ("profile", SEGMENT, "--bundled", "0", "--iter", "2", "--json")
        run = json.loads(wick(*words, "--html", FOLDER / "scale.html"))
        for width, mobile in ((1280, False), (360, True)):
            self.open("scale", width=width, mobile=mobile)
            shown = self.driver.execute_script("""
                const all = document.querySelector('svg.line').getBoundingClientRect();
                return [...document.querySelectorAll('svg.line rect')].map(r => r.getBoundingClientRect())
                  .map(r => [(r.left - all.left) / all.width, r.width / all.width]);""")
            self.assertEqual(len(shown), len(run["steps"]))
            for (left, part), step in zip(shown, run["steps"]):
                self.assertAlmostEqual(left, step["start_ms"] / run["total_ms"], delta=2e-3)
                self.assertAlmostEqual(part, step["ms"] / run["total_ms"], delta=2e-3)
            covered = 1 - run["between_ms"] / run["total_ms"]
            self.assertAlmostEqual(sum(part for _, part in shown), covered, delta=5e-3)

    def test_layers_are_named_as_in_the_model(self):
        self.open("profile")
        layers = set(self.column("layer"))
        self.assertTrue({"down1", "down2", "head"} <= {part for one in layers for part in one.replace(",", " ").split() for part in [part.split(".")[0]]}, layers)
        self.open("quantize")
        self.assertIn("head", " ".join(self.column("layer")))

    def check_sorting(self, head, is_number):
        def key(text):
            return float(text.split()[0].replace("…", "")) if is_number else text

        for turn in (1, 2):
            cell = self.click(head)
            self.assertEqual(cell.get_attribute("aria-sort"), "ascending" if turn == 1 else "descending")
            shown = self.column(head)
            numbers = [text for text in shown if not is_number or text[:1].isdigit() or text[:2].lstrip("-")[:1].isdigit()]
            # What is no number comes last, whichever way the numbers go.
            self.assertEqual(shown[:len(numbers)], numbers, head)
            if is_number:
                values = [key(text) for text in numbers]
                self.assertEqual(values, sorted(values, reverse=turn == 2), head)
            else:
                said = self.driver.execute_script(
                    "return arguments[0].every((x, i, all) => !i || arguments[1] * all[i - 1].localeCompare(x, undefined, {numeric: true}) <= 0)",
                    shown, 1 if turn == 1 else -1)
                self.assertTrue(said, (head, turn, shown))

    def test_tables_sort(self):
        self.open("profile")
        before = sorted(self.column("step"))
        for head, is_number in (("ms", True), ("%", True), ("#", True), ("step", False), ("layer", False)):
            self.check_sorting(head, is_number)
        self.assertEqual(sorted(self.column("step")), before)
        self.open("quantize")
        for head, is_number in (("harm", True), ("own dB", True), ("dB", True), ("scale", True), ("layer", False)):
            self.check_sorting(head, is_number)
        self.open("explain")
        for head, is_number in (("before", True), ("after", True), ("operator", False)):
            self.check_sorting(head, is_number)

    def test_rates_sort_by_the_part_of_the_peak(self):
        self.open("profile")
        self.click("rate, of the peak")
        self.click("rate, of the peak")
        parts = [float(text.rsplit(",", 1)[1].strip(" %")) for text in self.column("rate, of the peak") if "%" in text]
        self.assertTrue(len(parts) > 3 and parts == sorted(parts, reverse=True), parts)

    def test_headings_are_reached_by_keyboard(self):
        self.open("profile")
        head = next(c for c in self.driver.find_elements(By.CSS_SELECTOR, "table.sort th") if c.text.strip() == "ms")
        self.driver.execute_script("arguments[0].focus()", head)
        self.assertEqual(self.driver.switch_to.active_element, head)
        head.send_keys(Keys.ENTER)
        self.assertEqual(head.get_attribute("aria-sort"), "ascending")

    def test_tables_are_searched(self):
        for name, head, word in (("profile", "step", "CONV 3x3"), ("quantize", "layer", "down1"), ("explain", "operator", "Batch")):
            self.open(name)
            every = self.column(head)
            field = self.driver.find_element(By.CSS_SELECTOR, "input.find")
            self.assertTrue(field.get_attribute("aria-label"))
            field.send_keys(word)
            found = self.column(head)
            self.assertTrue(0 < len(found) < len(every), (name, len(found), len(every)))
            self.assertTrue(all(word.lower() in text.lower() for text in found), (name, found))
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(Keys.DELETE)
            self.assertEqual(self.column(head), every)
            field.send_keys("no such thing")
            self.assertEqual(self.column(head), [])

    def test_light_and_dark(self):
        papers = {}
        for dark in (False, True):
            for name in ("profile", "explain", "quantize"):
                self.open(name, dark=dark)
                papers[name, dark] = self.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
                for what, ratio in self.driver.execute_script(CONTRAST).items():
                    self.assertGreaterEqual(ratio, 4.5, f"{name}, {'dark' if dark else 'light'}: {what}")
        for name in ("profile", "explain", "quantize"):
            light, dark = (sum(map(int, re.findall(r"\d+", papers[name, d])[:3])) for d in (False, True))
            self.assertTrue(light > 600 and dark < 150, (name, papers))

    def test_narrow_screens(self):
        """Nothing but tables and pictures, which scroll by themselves, is wider than a telephone."""
        for name in ("profile", "explain", "quantize", "hostile"):
            self.open(name, width=360, mobile=True)
            wide = self.driver.execute_script("return document.scrollingElement.scrollWidth")
            self.assertLessEqual(wide, 360, name)
            self.assertGreaterEqual(self.driver.execute_script(
                "return parseFloat(getComputedStyle(document.querySelector('td')).fontSize)"), 12, name)

    def test_names_of_files_are_text(self):
        self.open("hostile")
        self.assertIn(HOSTILE, self.driver.find_element(By.TAG_NAME, "h1").text)
        self.assertIn(HOSTILE, self.driver.title)
        self.assertEqual(self.driver.execute_script("return document.querySelectorAll('h1 *').length"), 0)

    def test_explanations_show_both_graphs(self):
        self.open("explain")
        shown = self.driver.execute_script("""
            return [...document.querySelectorAll('.graphs svg')].map(s => [s.querySelectorAll('rect').length,
              [...s.querySelectorAll('text')].filter(t => t.getBBox().x + t.getBBox().width > s.viewBox.baseVal.width).length]);""")
        self.assertEqual(len(shown), 2)
        self.assertGreater(shown[0][0], shown[1][0])  # folded layers are gone
        self.assertEqual([outside for _, outside in shown], [0, 0])


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], exit=False, verbosity=1).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed > 0 or result.testsRun == 0)
