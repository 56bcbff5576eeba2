"""The rubric: which signals count, how much, and what a value is called. Data with a version, no behaviour of its own.

`Rubric.score` is a pure function of the rubric and the signals. Weights renormalise over the signals that are
present, so that an absent one has no vote.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from gnomon.errors import InvalidInput
from gnomon.model.outcome import BAND_UNSCORED, OutcomeScore, Profile, SignalContribution, SignalValue
from gnomon.model.yamltree import BadYaml, read
from gnomon.outcome.fields import Block
from gnomon.outcome.profiles import profile_that_writes, reading_of
from gnomon.outcome.signals import SignalSet

RUBRIC_VERSION = "2.1.0"
SHIPPED = ("2.1.0", "3.0.0")
BUILD = "gnomon.3"  # goes up when a fix of the gnomon profile moves a score
CombinationMethod = str
_BUILD_TAG = re.compile(r"\+gnomon\.\d+$")
COMBINE_WEIGHTED_MEAN_RENORMALIZED: CombinationMethod = "weighted_mean_renormalized"
_LARGEST_FILE = 2**20
# Which fields are given is the same for each: a set of its own for every score would be a tenth of a long history.
_SCORE_FIELDS = set(OutcomeScore.model_fields)
_ROW_FIELDS = set(SignalContribution.model_fields)


@dataclass(frozen=True, slots=True)
class SignalSpec:
    id: str
    label: str
    weight: float
    description: str = ""
    two_way: bool = False


@dataclass(frozen=True, slots=True)
class ScoreBand:
    name: str
    min: float


@dataclass(frozen=True, slots=True)
class Rubric:
    version: str
    combination: CombinationMethod
    signals: tuple[SignalSpec, ...]
    bands: tuple[ScoreBand, ...]

    def validate(self) -> None:
        """Refuse an inconsistent rubric; the message names the first fault."""
        for fault in _faults(self):
            raise InvalidInput.of("rubric", f"rubric {self.version or '(no version)'}: {fault}")

    def signal(self, id: str) -> SignalSpec | None:
        return next((spec for spec in self.signals if spec.id == id), None)

    def two_way_signals(self) -> list[SignalSpec]:
        """The signals that have a claim beside the fact."""
        return [spec for spec in self.signals if spec.two_way]

    def band(self, value: float) -> str:
        """The first band that the value reaches; the last one below all of them."""
        for band in self.bands:
            if value >= band.min:
                return band.name
        return self.bands[-1].name if self.bands else ""

    def score(self, signals: SignalSet) -> OutcomeScore:
        """What the signals are worth, with each one's part in it. The version says by which profile they were read."""
        # The order of operations (divide, multiply, add, in the rubric's order) decides the last digit, and
        # the last digit can decide the band.
        voters = [(spec, signals.value(spec.id)) for spec in self.signals]
        weight = 0.0
        for spec, value in voters:
            weight += spec.weight if value.present else 0.0
        rows, total = [], 0.0
        for spec, value in voters:
            row = _row(spec, value, weight, spec.id in signals.self_reported)
            total += row.contribution
            rows.append(row)
        scored = weight > 0
        return OutcomeScore.model_construct(
            _SCORE_FIELDS,
            iteration=signals.iteration,
            rubric_version=version_under(self.version, signals.profile),
            scored=scored,
            value=total if scored else 0.0,
            band=self.band(total) if scored else BAND_UNSCORED,
            breakdown=rows,
        )

    def score_all(self, sets: Iterable[SignalSet]) -> list[OutcomeScore]:
        return [self.score(signals) for signals in sets]

    def under(self, profile: Profile) -> "Rubric":
        """The rubric as a profile writes it: numbers of two profiles are never mistaken for each other."""
        return replace(self, version=version_under(self.version, profile))


def version_under(version: str, profile: Profile) -> str:
    """A rubric's version as the scores of a profile carry it."""
    plain = _BUILD_TAG.sub("", version)
    return f"{plain}+{BUILD}" if reading_of(profile).tagged else plain


def profile_of_version(rubric_version: str) -> Profile:
    """The profile by which a score was computed, from the version that it carries."""
    return profile_that_writes(tagged=_BUILD_TAG.search(rubric_version) is not None)


def _row(spec: SignalSpec, value: SignalValue, weight: float, claimed: bool) -> SignalContribution:
    if not value.present:
        return _absent_row(spec, value.detail)
    effective = spec.weight / weight
    return SignalContribution.model_construct(
        _ROW_FIELDS,
        signal=spec.id,
        label=spec.label,
        present=True,
        sub_score=value.sub_score,
        detail=value.detail,
        nominal_weight=spec.weight,
        effective_weight=effective,
        contribution=effective * value.sub_score,
        self_reported=claimed,
    )


@lru_cache(maxsize=4096)
def _absent_row(spec: SignalSpec, detail: str) -> SignalContribution:
    """Shared by all iterations that lack the signal for the same reason: most of a long history does."""
    return SignalContribution.model_construct(
        _ROW_FIELDS,
        signal=spec.id,
        label=spec.label,
        present=False,
        sub_score=0.0,
        detail=detail,
        nominal_weight=spec.weight,
        effective_weight=0.0,
        contribution=0.0,
        self_reported=False,
    )


def _faults(rubric: Rubric) -> Iterable[str]:
    if not rubric.version:
        yield "version is empty"
    if not rubric.combination:
        yield "combination method is empty"
    elif rubric.combination != COMBINE_WEIGHTED_MEAN_RENORMALIZED:
        yield f"combination {rubric.combination!r} is not known; write {COMBINE_WEIGHTED_MEAN_RENORMALIZED}"
    if not rubric.signals:
        yield "it has no signals"
    seen: set[str] = set()
    for spec in rubric.signals:
        if spec.id in seen:
            yield f"duplicate signal ID {spec.id!r}"
        if not spec.weight > 0:
            yield f"signal {spec.id!r} has a non-positive weight {spec.weight:g}"
        seen.add(spec.id)
    total = sum(spec.weight for spec in rubric.signals)
    if not abs(total - 1) <= 1e-9:
        yield f"the weights sum to {total:.10g}, not 1"
    yield from _band_faults(rubric.bands)


def _band_faults(bands: Sequence[ScoreBand]) -> Iterable[str]:
    if not bands:
        yield "it has no score bands"
    above = math.inf
    for index, band in enumerate(bands, start=1):
        if not band.name:
            yield f"band {index} has no name"
        if not band.min < above:
            yield f"band {band.name!r} at {band.min:g} is not sorted descending by min"
        above = band.min
    if above != 0:
        yield f"the last band starts at {above:g}, want 0"


# ── from files ──────────────────────────────────────────────────────────────────────────────────────────────────


def default_rubric() -> Rubric:
    return load_rubric(RUBRIC_VERSION)


def load_rubric(name: str | Path = RUBRIC_VERSION) -> Rubric:
    """A rubric that Gnomon ships, by its version, or one of your own, by its file."""
    if str(name) in SHIPPED:
        return _shipped(str(name))
    path = Path(name)
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST_FILE:
            raise OSError(None, "no such file" if not path.exists() else "not a file of at most 1 MiB")
        data = path.read_bytes()
    except OSError as bad:
        known = ", ".join(SHIPPED)
        raise InvalidInput.of(
            "rubric", f"--rubric {name}: {bad.strerror or bad}; give a YAML file or one of {known}"
        ) from None
    rubric = parse_rubric(data, str(path))
    rubric.validate()
    return rubric


@cache
def _shipped(version: str) -> Rubric:
    return parse_rubric((files("gnomon.outcome") / "rubrics" / f"{version}.yaml").read_bytes(), version)


def parse_rubric(data: bytes, source: str) -> Rubric:
    try:
        root = Block.of(read(data), "the document")
        root.only("version", "combination", "signals", "bands")
        return Rubric(
            version=root.text("version"),
            combination=root.text("combination"),
            signals=tuple(_signal(block) for block in root.blocks("signals")),
            bands=tuple(_band(block) for block in root.blocks("bands")),
        )
    except BadYaml as bad:
        raise InvalidInput.of("rubric", f"rubric {source}: {bad}") from None


def _signal(block: Block) -> SignalSpec:
    block.only("id", "label", "weight", "description", "two_way")
    id = block.text("id")
    if not id.strip():
        raise BadYaml("a signal has no id")
    return SignalSpec(
        id=id,
        label=block.text("label") or id,
        weight=block.number("weight"),
        description=block.text("description"),
        two_way=block.flag("two_way"),
    )


def _band(block: Block) -> ScoreBand:
    block.only("name", "min")
    return ScoreBand(block.text("name"), block.number("min"))
