"""Make the pictures of the README from the real page: run it when the boards look different.

It starts a server with a temporary store, plays a while for a person, and saves small pictures in `docs/images`:
one that moves, and one each of the other games. It needs what `make test` installs.
"""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import ViewportSize
from websockets.sync.client import connect

import chromium

IMAGES = Path(__file__).parent.parent / "docs" / "images"
WINDOW: ViewportSize = {"width": 1280, "height": 800}
WIDTH = 640  # of a saved picture, in pixels
MOVING = "ave-caesar"
TURNS = 14  # of the person, in the picture that moves
FRAME_MS = 900
GAMES: dict[str, tuple[int, dict[str, Any], int]] = {  # seats, options, the person's moves before the picture
    "ur": (2, {}, 14),
    "ave-caesar": (4, {"courses": ["blue cw"]}, 9),
    "ben-hvrt": (4, {"series": [3]}, 45),
}


def post(address: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Send a request to the server and return its answer."""
    request = urllib.request.Request(address + path, json.dumps(body).encode())
    request.add_header("content-type", "application/json")
    with urllib.request.urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def create(address: str, game: str, seats: int, options: dict[str, Any]) -> tuple[str, str]:
    """Create a room with one person and bots; return its id and the person's token."""
    kinds = [{"kind": "me"}, *[{"kind": "bot", "bot": "greedy"}] * (seats - 1)]
    body = {"game": game, "name": "Livia", "seats": kinds, "options": options, "pace": 0, "start": True}
    made = post(address, "/api/tables", {**body, "dice": {"kind": "seeded", "seed": 7}})
    return made["table"]["id"], made["token"]


def play(address: str, room: str, token: str, moves: int) -> None:
    """Play for the person until this many moves are made."""
    url = f"{address.replace('http', 'ws', 1)}/api/tables/{room}/socket"
    with connect(url, max_size=None) as socket:
        socket.send(json.dumps({"type": "hello", "token": token, "explain": False}))
        while moves > 0:
            message = json.loads(socket.recv(60))
            if message["type"] in ("view", "news") and message["legal"]:
                texts = [each["text"] for each in message["legal"] if not each.get("family")]
                action = next((text for text in texts if text.startswith("step")), texts[-1])
                socket.send(json.dumps({"type": "act", "number": message["number"], "action": action}))
                moves -= 1


def shoot(address: str) -> None:
    """Take the pictures."""
    with chromium.launched(chromium.get()) as browser:
        for game, (seats, options, moves) in GAMES.items():
            room, token = create(address, game, seats, options)
            play(address, room, token, 1 if game == MOVING else moves)
            page = browser.new_page(viewport=WINDOW, reduced_motion="reduce")
            page.goto(address)
            page.evaluate("([id, token]) => localStorage.setItem(`quadriga.token.${id}`, token)", [room, token])
            page.goto(f"{address}/t/{room}")
            page.wait_for_selector(".table svg.board")
            page.wait_for_timeout(1500)
            if game == MOVING:
                frames = [page.screenshot()]
                for _ in range(TURNS):
                    play(address, room, token, 1)
                    page.wait_for_timeout(800)  # until everything has moved
                    frames.append(page.screenshot())
                save_moving(frames, IMAGES / f"{game}.webp")
            else:
                save(page.screenshot(), IMAGES / f"{game}.png")
            page.close()


def scaled(picture: bytes) -> Image.Image:
    """Return a picture in the size that is saved."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    return image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS)


def save(picture: bytes, path: Path) -> None:
    """Save a picture with a palette, so that the file is small."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scaled(picture).quantize(128).save(path, optimize=True)


def save_moving(pictures: list[bytes], path: Path) -> None:
    """Save pictures as one that moves for ever, and rests at the end."""
    first, *rest = map(scaled, pictures)
    durations = [*[FRAME_MS] * len(rest), 3 * FRAME_MS]
    first.save(path, save_all=True, append_images=rest, duration=durations, loop=0, quality=55, method=6)


def main() -> None:
    """Start a server, take the pictures, and stop it."""
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "tables.sqlite")
        command = [sys.executable, "-m", "quadriga", "serve", "--port", "0", "--no-browser", "--store", store]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            try:
                shoot(server.stdout.readline().split()[-1])
            finally:
                server.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    main()
