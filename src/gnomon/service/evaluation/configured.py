"""Tasks that are not functions of the user's: what they are is their configuration."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from gnomon.calling import CallFailed
from gnomon.llm.answer import without_keys


class ConfiguredTask(ABC):
    """A task that is called with an item as JSON (`id`, `input`, `expected_output`, `metadata`)."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.__name__}>"

    async def __call__(self, item: Mapping[str, Any]) -> Any:
        """The output for this item. Raises `CallFailed`, or `InvalidInput` for an item that lacks what is needed."""
        try:
            return await self.answer(item)
        except CallFailed as failed:
            raise type(failed)(without_keys(str(failed), self.secrets())) from None

    @abstractmethod
    async def answer(self, item: Mapping[str, Any]) -> Any: ...

    @abstractmethod
    def configuration(self) -> dict[str, Any]:
        """All that makes it another task when it changes, as JSON and without secrets."""

    def secrets(self) -> list[str]:
        """Texts that must not appear in a message."""
        return []
