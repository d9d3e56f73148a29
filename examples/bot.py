"""A bot over the network: take an open seat of a table and play random legal actions until the game is over.

python examples/bot.py http://127.0.0.1:8000 TABLE-ID

Create a table with an open seat first, on the page or with `POST /api/tables`; TABLE-ID is the end of its address.
"""

import argparse
import asyncio
import json
import random
import sys
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import websockets


def join(server: str, table: str) -> str:
    """Take an open seat and return the token that stands for it."""
    try:
        with urlopen(Request(f"{server}/api/tables/{table}/join", b'{"name": "Automedon"}')) as answer:
            return str(json.load(answer)["token"])
    except HTTPError as refused:
        sys.exit(f"The server refuses: {_sentence(refused.read())}")
    except (URLError, ValueError) as fault:
        sys.exit(f"There is no server at {server}: {getattr(fault, 'reason', fault)}")


def _sentence(body: bytes) -> str:
    """Return the English sentence of a refusal, or the body if it is none."""
    try:
        return str(json.loads(body)["text"]["en"])
    except (ValueError, KeyError, TypeError):
        return body.decode("utf-8", "replace")


async def play(server: str, table: str, token: str) -> None:
    """Play until the game is over. A lost connection is made again, with the newest token."""
    address = f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    async for socket in websockets.connect(address):
        try:
            await socket.send(json.dumps({"type": "hello", "token": token, "explain": False}))
            async for text in socket:
                said = json.loads(text)
                token = said.get("token") or token
                if said["type"] in ("welcome", "table") and said["table"]["status"] in ("over", "ended", "closed"):
                    print(said["table"]["scores"])
                    return
                if said["type"] == "refused":
                    if said["code"] != "wire.rate":
                        print(said["text"]["en"], file=sys.stderr)
                    await asyncio.sleep(1)  # the server takes 20 messages a second; the bot may have been too quick
                if answer := decide(said):
                    await socket.send(json.dumps(answer))
        except websockets.ConnectionClosed as closed:
            print(f"The connection is lost ({closed}), and is made again.", file=sys.stderr)


def decide(said: dict[str, Any]) -> dict[str, Any] | None:
    """Return the answer to a message that asks for one: a roll or an action. Offers and bribes are left out."""
    if said.get("roll"):
        return {"type": "roll", "number": said["number"]}
    actions = [action["text"] for action in said.get("legal") or [] if not action.get("family")]
    return {"type": "act", "number": said["number"], "action": random.choice(actions)} if actions else None


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("table", help="the id of the table")
    if len(sys.argv) == 1:
        parser.exit(2, parser.format_help())
    given = parser.parse_args()
    asyncio.run(play(given.server.rstrip("/"), given.table, join(given.server.rstrip("/"), given.table)))
