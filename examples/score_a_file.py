"""A file of outputs, scored here: no server, no database.

The same from the command line: `gnomon score answers.jsonl --scorer exact_match:case_sensitive=false`.
"""

import json
import tempfile
from pathlib import Path

from gnomon.scorers import build
from gnomon.service.scoring.bulk import score_file
from gnomon.stats.interval import mean_interval

ANSWERS = [
    ("Paris", "paris"),
    ("Rome", "Rome"),
    ("Sydney", "Canberra"),
    ("I do not know", None),
]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answers.jsonl"
        rows = [{"output": said, "expected_output": wanted} for said, wanted in ANSWERS]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        found = score_file(file, [("capitals", build("exact_match", {"case_sensitive": False}))])
    (tally,) = found.tallies
    sums = tally.sums()
    assert sums is not None
    interval = mean_interval(sums)
    print(f"{tally.scorer_name}: mean {sums.mean:.2f}, 95 % interval {interval.low:.2f} to {interval.high:.2f}")
    print(f"{tally.n_scored} of {tally.n_total} scored; missing: {dict(tally.reasons)}")


if __name__ == "__main__":
    main()
