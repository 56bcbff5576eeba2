"""Which profile reads how: the one place that knows all of them by name."""

from gnomon.model.outcome import DEFAULT_PROFILE, Profile
from gnomon.outcome.compat.reading import CompatReading
from gnomon.outcome.reading import EvidenceReading

_READINGS: dict[Profile, EvidenceReading] = {
    reading.profile: reading for reading in (EvidenceReading(), CompatReading())
}


def reading_of(profile: Profile) -> EvidenceReading:
    return _READINGS[profile]


def profile_that_writes(*, tagged: bool) -> Profile:
    """The profile whose rubric versions carry the build, or the one whose do not."""
    return next((name for name, reading in _READINGS.items() if reading.tagged is tagged), DEFAULT_PROFILE)
