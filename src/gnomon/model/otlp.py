"""What became of an OTLP request."""

from pydantic import Field

from gnomon.model.fields import Noun


class OtlpReceived(Noun):
    """OTLP's partial success: what was refused is counted and reported; the rest is stored."""

    accepted: int | None = Field(
        description="Taken, also those that were stored already; null over HTTP, where the protocol does not tell"
    )
    rejected: int
    message: str | None = Field(description="Why some were rejected, or what else the sender should know")
    job_ids: list[str] | None = Field(default=None, description="Jobs started by rules; null over HTTP")
