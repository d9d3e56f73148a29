"""Documents with examples: the examples are true."""

import json
import re
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def test_the_example_course_can_be_raced():
    from quadriga.games.avecaesar.board import courses

    (example,) = re.findall(r"```json\n(.*?)```", (DOCS / "courses.md").read_text(), re.S)
    assert list(courses(json.loads(example))) == ["mine cw", "mine ccw"]
