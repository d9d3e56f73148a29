"""Webhooks: what each kind of receiver wants to be sent."""

from __future__ import annotations

import msgspec

SHAPES = ("discord", "slack", "matrix", "ntfy")
_JSON = {"content-type": "application/json"}


def request(shape: str, text: str, link: str) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of a request to a webhook of this shape."""
    if shape == "ntfy":
        return text.encode(), {"content-type": "text/plain; charset=utf-8", "title": "Quadriga", "click": link}
    line = f"{text} {link}"
    match shape:
        case "discord":
            found: dict[str, object] = {"content": line, "allowed_mentions": {"parse": []}}
        case "slack":
            found = {"text": line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")}
        case _:
            found = {"text": line}
    return msgspec.json.encode(found), dict(_JSON)
