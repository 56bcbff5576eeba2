"""A model on loopback that speaks as much of Anthropic's protocol as the recorded conversation needs."""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from conversation import ANSWER, ANSWERING, ARGUMENTS, ASKING, CALL_ID


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(_answer(request)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the recording is what is printed."""


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    """As Anthropic's API counts, `input_tokens` are those that were neither read from the cache nor written to it."""
    answers = len(request["messages"]) > 1
    tokens = ANSWERING if answers else ASKING
    call = {"type": "tool_use", "id": CALL_ID, "name": "get_weather", "input": ARGUMENTS}
    usage = {
        "input_tokens": tokens["input"] - tokens["cached"] - 2,
        "cache_read_input_tokens": tokens["cached"],
        "cache_creation_input_tokens": 2,
        "output_tokens": tokens["output"],
    }
    return {
        "id": "msg_2" if answers else "msg_1", "type": "message", "role": "assistant", "model": request["model"],
        "content": [{"type": "text", "text": ANSWER} if answers else call],
        "stop_reason": "end_turn" if answers else "tool_use", "stop_sequence": None, "usage": usage,
    }  # fmt: skip


@contextlib.contextmanager
def anthropic_loopback() -> Iterator[str]:
    """Its base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
