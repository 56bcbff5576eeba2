"""The version, in one place: packaging, `gnomon --version` and the API read it here."""

__version__ = "0.1.0"
