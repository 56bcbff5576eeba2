"""Datasets in Python: a stored one by name, or data of your own that becomes one."""

from collections.abc import Iterator
from typing import Any

from gnomon.errors import InvalidInput, NotFound
from gnomon.model.backend import find_dataset
from gnomon.model.dataset import Dataset, DatasetItem
from gnomon.sdk.connection import SdkConnection, connection
from gnomon.service.evaluation.data import names_file, read_data
from gnomon.service.evaluation.datasets import synchronise
from gnomon.shorten import counted


class DatasetHandle:
    """A stored dataset at one version. `evaluate` takes it as `data=`.

    >>> letters = gn.dataset([{"input": "a"}, {"input": "b"}], name="letters")
    >>> len(letters), [item.input for item in letters.items()]
    (2, ['a', 'b'])
    """

    def __init__(self, connection: SdkConnection, dataset: Dataset) -> None:
        self._connection = connection
        self._dataset = dataset

    @property
    def id(self) -> str:
        return self._dataset.id

    @property
    def name(self) -> str:
        return self._dataset.name

    @property
    def version(self) -> int:
        """The newest one when this was made; `items` and `len` are of it, whatever is changed meanwhile."""
        return self._dataset.version

    def items(self) -> Iterator[DatasetItem]:
        """The items in the order in which they came."""
        newest_first = list(self._connection.opened().items(self.id, self.version))
        return reversed(newest_first)

    def __len__(self) -> int:
        return self._dataset.item_count

    def __bool__(self) -> bool:
        return True  # a dataset without items is still one

    def __repr__(self) -> str:
        return f"<DatasetHandle {self.name!r} version {self.version}: {counted(len(self), 'item')}; id {self.id}>"


def dataset(name_or_data: Any, *, name: str | None = None) -> DatasetHandle:
    """A stored dataset by its name or id; or data that is stored as one.

    Data is a file (.jsonl, .csv, .parquet, …), a list of dicts, a DataFrame or an Arrow table with a column `input`.
    The dataset is named by `name`, else by the file's stem, else by its content, and afterwards holds exactly these
    items: a new version if anything changed. Items are told apart by their column `id`, else by their content.

    >>> capitals = gn.dataset([{"input": "France", "expected_output": "Paris"}], name="capitals")
    >>> len(capitals), [item.input for item in gn.dataset("capitals").items()]
    (1, ['France'])
    """
    sdk = connection()
    if isinstance(name_or_data, str) and not names_file(name_or_data):
        if name is not None:
            words = f"name {name!r} goes with data; {name_or_data!r} is the name of a stored dataset"
            raise InvalidInput.of("name", words)
        return DatasetHandle(sdk, _stored(sdk, name_or_data))
    if isinstance(name_or_data, DatasetHandle | Dataset):
        return DatasetHandle(sdk, sdk.backend.dataset(name_or_data.id))
    synced = synchronise(sdk.backend, sdk.project_id, read_data(name_or_data, dataset=name))
    return DatasetHandle(sdk, sdk.backend.dataset(synced.dataset_id))


def _stored(sdk: SdkConnection, name: str) -> Dataset:
    try:
        return find_dataset(sdk.backend, name, sdk.project_id)
    except NotFound as missing:
        raise NotFound(f"{missing.message} (for a file give its path, such as {name}.jsonl)") from None
