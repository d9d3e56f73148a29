"""Reports: one HTML file with the charts, tables and findings of a study, or of two studies side by side.

`dataset` reads a study. `sections` measures it, one module per game. `findings` says what stands out and what
differs. `charts` and `heat` draw, and `page` writes the file.
"""

from quadriga.lab.report.write import write

__all__ = ["write"]
