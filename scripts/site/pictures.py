#!/usr/bin/env python3
"""pictures.py WICK FOLDER: what the tools show, of real runs on the models of examples/: their pages as they are, and
pictures of them by Chromium, light and dark. Writes FOLDER/index.md."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from matplotlib import image

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEGMENT = "examples/segment/segment.ptl"
CLASSIFIER = "examples/quantize/classifier.pt"
# Name, what it is, the commands ({} is the page, {out} a file of no interest).
PAGES = (
    ("profile", "Where the time of a run goes: steps to scale, kinds, a table that sorts and searches.",
     [f"wick profile {SEGMENT} --bundled 0 --html {{}}"]),
    ("explain", "What the optimizer changed: operators before and after, both graphs side by side.",
     [f"wick optimize {CLASSIFIER} {{out}}.ptl", f"wick explain {CLASSIFIER} {{out}}.ptl --html {{}}"]),
    ("quantize", "What 8 bits cost: the harm of each layer, histograms and the ranges that the integers hold.",
     [f"wick quantize {SEGMENT} {{out}}.ptl --static --calibrate bundled --html {{}}"]),
)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


WIDTH, HEIGHT = 1200, 860


def photograph(browser, page, picture, dark):
    """The top of the page. Chromium paints as much as a window with its bars would show, so the window is higher."""
    with tempfile.TemporaryDirectory() as profile:
        # Chromium's parts may take the whole of a minute on a busy machine.
        subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
                        "--no-first-run", "--hide-scrollbars", f"--user-data-dir={profile}",
                        f"--window-size={WIDTH},{HEIGHT + 160}",
                        f"--blink-settings=preferredColorScheme={0 if dark else 1}", f"--screenshot={picture}",
                        page.as_uri()], check=True, capture_output=True, timeout=300)
    if not picture.exists():
        raise RuntimeError(f"{browser} made no picture of {page}")
    image.imsave(picture, image.imread(picture)[:HEIGHT])


def main():
    wick, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if not browser:
        print("pictures.py: no Chromium: the pages are linked, without pictures of them")
    text = ["# What the tools show", "", "Pages that the command writes, made with this site by the commands above "
            "them. They stand alone: one file, no network, light and dark.", ""]
    with tempfile.TemporaryDirectory() as scratch:
        for name, what, commands in PAGES:
            page = folder / f"{name}.html"
            for command in commands:
                words = command.format(page, out=f"{scratch}/{name}").split()
                done = subprocess.run([str(wick), *words[1:]], cwd=ROOT, capture_output=True, text=True)
                if done.returncode != 0:
                    sys.exit(f"{command}\n{done.stdout}{done.stderr}")
            shown = "\n".join(command.format(f"{name}.html", out="out") for command in commands)
            text += [f"## wick {name}", "", f"{what} <a href=\"{name}.html\">The page itself</a>.", "", "```sh", shown,
                     "```", ""]
            for dark in (False, True) if browser else ():
                kind = "dark" if dark else "light"
                photograph(browser, page, folder / f"{name}_{kind}.png", dark)
                text += [f"![the page of wick {name}]({name}_{kind}.png#only-{kind})", ""]
    (folder / "index.md").write_text("\n".join(text))


if __name__ == "__main__":
    main()
