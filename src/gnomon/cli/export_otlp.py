"""`gnomon export traces --otlp` and `gnomon export scores --otlp`: to a receiver of OpenTelemetry."""

from typing import TYPE_CHECKING

from gnomon.cli import show
from gnomon.errors import InvalidInput

if TYPE_CHECKING:
    from gnomon.model.backend import Backend
    from gnomon.service.exchange.exporting import Selection


def send(backend: "Backend", selection: "Selection", url: str, headers: tuple[str, ...], as_json: bool) -> None:
    from gnomon.calling.otlp import OtlpReceiver
    from gnomon.service.exchange.otlpexport import send_scores, send_traces

    if selection.kind not in ("traces", "scores"):
        raise InvalidInput.of("otlp", f"--otlp sends traces or scores, not {selection.kind}; write those with --out")
    sending = send_traces if selection.kind == "traces" else send_scores
    with OtlpReceiver(url, dict(map(_header, headers))) as receiver:
        with show.exporting(len(selection.names) or None, quiet=as_json) as progress:
            sent = sending(backend, selection, receiver, progress)
        report = {
            "kind": selection.kind, "url": receiver.url, "batches": sent.batches, "counts": dict(sent.counts),
            "rejected": dict(sent.rejected), "messages": sent.messages,
        }  # fmt: skip
    show.json(report) if as_json else show.sent(report)


def _header(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals or not (name + value).isascii() or not (name + value).isprintable():
        raise InvalidInput.of("header", "--header is written NAME=VALUE, as in 'Authorization=Bearer KEY'")
    return name, value
