"""Build the page before the wheel or the source distribution, which hold it, and name the project's addresses.

An editable installation needs no page at once. A source distribution has one: who installs it needs no Node. With
`QUADRIGA_BUILD_PAGE=0` nothing is built, and the wheel holds the page that is there, or none. `QUADRIGA_HOME` is
the address of the repository, which a release names in its metadata; other builds name none.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "scripts"))
import page  # noqa: E402

ADVICE = "Build it with `make play` first, or leave it out with QUADRIGA_BUILD_PAGE=0: then the server has no page."


class PageHook(BuildHookInterface):
    """The hook that hatchling calls."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page if it is missing or old, in an environment into which Node can be installed."""
        if version == "editable" or os.environ.get("QUADRIGA_BUILD_PAGE") == "0" or page.is_current():
            return
        with tempfile.TemporaryDirectory() as home:
            try:
                venv.create(home, with_pip=True)
                python = Path(home) / ("Scripts" if os.name == "nt" else "bin") / "python"
                subprocess.run([str(python), str(ROOT / "scripts" / "page.py")], check=True)
            except (OSError, subprocess.CalledProcessError) as fault:
                sys.exit(f"The page could not be built: {fault}. {ADVICE}")


class AddressHook(MetadataHookInterface):
    """The hook that hatchling calls for `project.readme` and `project.urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README and the addresses of the repository, to which its links lead, if the build knows it."""
        text = (ROOT / "README.md").read_text("utf-8")
        if home := os.environ.get("QUADRIGA_HOME", "").rstrip("/"):
            metadata["urls"] = {
                "Source": home,
                "Changelog": f"{home}/blob/main/CHANGELOG.md",
                "Documentation": f"{home}/blob/main/docs/index.md",
                "Issues": f"{home}/issues",
                "Security": f"{home}/security/policy",
            }
            text = re.sub(r"(!\[[^]]*\]\()(?=[\w./-]+\))", rf"\1{home}/raw/main/", text)
            text = re.sub(r"(?<!!)(\[[^]]*\]\()(?=[\w./#-]+\))", rf"\1{home}/blob/main/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
