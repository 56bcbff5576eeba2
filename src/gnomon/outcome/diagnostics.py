"""What was odd on the way: one line each, and the rest is scored."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Where (a file, or `iter-N`), what kind of trouble, and a sentence for people."""

    where: str
    code: str
    message: str

    def as_json(self) -> dict[str, str]:
        return {"where": self.where, "code": self.code, "message": self.message}
