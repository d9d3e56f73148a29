"""Draw the icons for installation from the SVG, in a browser. Run it when `web/public/icon.svg` has changed."""

from __future__ import annotations

from pathlib import Path

import chromium

PUBLIC = Path(__file__).parent.parent / "web" / "public"
SQUARE = {"icon-192.png": 192, "icon-512.png": 512}
FULL = {"icon-maskable-512.png": 512, "apple-touch-icon.png": 180}  # to the edge, with the wheel in the safe middle


def main() -> None:
    """Write all icons."""
    svg = (PUBLIC / "icon.svg").read_text("utf-8")
    full = svg.replace('rx="28"', "", 1).replace(
        '<g id="wheel">', '<g id="wheel" transform="translate(9.6 9.6) scale(0.85)">', 1
    )
    with chromium.launched(chromium.get()) as browser:
        for source, sizes in ((svg, SQUARE), (full, FULL)):
            for name, size in sizes.items():
                page = browser.new_page(viewport={"width": size, "height": size})
                page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:{size}px}}</style>{source}")
                page.screenshot(path=PUBLIC / name, omit_background=True)
                page.close()


if __name__ == "__main__":
    main()
