"""A project full of what must stay text: HTML, scripts, bidi and control characters, huge strings, huge traces."""

from typing import Any

from contract.caller import Api

PROJECT = "hostile"
SCRIPT = "<script>window.__pwned = 1</script><img src=x onerror='window.__pwned = 2'>"
BIDI = "invoice \u202e}gpj.exe\u202c \u2066hidden\u2069 zero\u200bwidth \u0007bell \u001b[31mred"
LINK = "[click](javascript:window.__pwned=3) ![x](https://example.invalid/beacon.png) <a href='//example.invalid'>x</a>"
BIG = 5_000_000
WIDE = 10_000
DEEP = 100
_BATCH = 1_000


def fill(api: Api) -> dict[str, str]:
    """Make it, and say where what is."""
    markup = [
        _span("markup", None, 0, name=SCRIPT, input={"messages": [{"role": "user", "content": SCRIPT + LINK}]},
              output=LINK + SCRIPT, metadata={SCRIPT: SCRIPT, "url": "javascript:window.__pwned=4"}, model=SCRIPT[:99]),
        _span("markup-child", "markup", 1, trace="markup", name=BIDI, input=BIDI, output=SCRIPT,
              error={"message": SCRIPT, "type": "<b>Error</b>", "stack": SCRIPT + "\n" + BIDI}),
    ]  # fmt: skip
    _ingest(api, markup)
    _ingest(api, [_span("large", None, 0, name="large", input="x" * BIG, output={"text": "y " * (BIG // 2)})])
    deep = [_span(f"deep-{n}", f"deep-{n - 1}" if n else None, n, trace="deep", name=f"level {n}") for n in range(DEEP)]
    _ingest(api, deep)
    wide = [_span("wide", None, 0, name="ten thousand")]
    for n in range(1, WIDE):
        parent = "wide" if n % 10 == 1 else f"wide-{n - n % 10 + 1}" if n % 10 else f"wide-{n - 9}"
        error = {"error": {"message": "failed", "type": "Error"}} if n % 97 == 0 else {}
        fields = {"input": f"in {n}", "output": f"out {n}"}
        wide.append(_span(f"wide-{n}", parent, n, trace="wide", name=f"step {n % 7}", **fields, **error))
    for start in range(0, WIDE, _BATCH):
        _ingest(api, wide[start : start + _BATCH])
    orphan = [_span("orphan", "gone", 0, trace="orphan", name="child of nothing")]
    _ingest(api, orphan)
    items = [{"input": SCRIPT, "expected_output": LINK}, {"input": BIDI, "expected_output": "z" * 50_000}]
    dataset = api.dataset(items, name=SCRIPT[:100])
    base = api.measured(dataset, [1.0, 0.0], name=SCRIPT[:100])
    other = api.measured(dataset, [0.0, 1.0], name="other " + BIDI[:40])
    return {"hostile": api.project, "hostile_dataset": dataset.id, "hostile_base": base, "hostile_other": other}


def _span(id: str, parent: str | None, at: int, *, trace: str | None = None, name: str = "step", **fields: Any) -> Any:
    start = f"2026-01-01T00:{at // 1000:02d}:{at % 1000 // 20:02d}.{at % 20 * 50:03d}Z"
    end = f"2026-01-01T00:{at // 1000:02d}:{at % 1000 // 20:02d}.{at % 20 * 50 + 40:03d}Z"
    ids = {"id": id, "trace_id": trace or id, "parent_span_id": parent}
    return {**ids, "name": name, "start_time": start, "end_time": end, **fields}


def _ingest(api: Api, spans: list[Any]) -> None:
    api.make("/traces/ingest", {"project_id": api.project, "spans": spans})
