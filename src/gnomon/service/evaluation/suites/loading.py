"""Files and folders of evaluations, and functions that a suite names: `module:function` or `file.py:function`.

A user's Python file may do anything when it is imported. What it raises is reported in one line, with its own line.
"""

import hashlib
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from gnomon.errors import GnomonError, InvalidInput
from gnomon.model.nearest import nearest
from gnomon.model.yamltree import Mapping
from gnomon.service.evaluation.data import names_file
from gnomon.service.evaluation.suites.declared import Eval, EvalSource
from gnomon.service.evaluation.suites.reading import read_tree

YAML_SUFFIXES = (".yaml", ".yml")
_NOT_SEARCHED = {"__pycache__", "node_modules", "site-packages", "venv", "build", "dist"}
_MOST_FILES = 5_000


@dataclass(frozen=True, slots=True)
class EvalFiles:
    """The files of a folder that declare evaluations, and the YAML files that look like something else."""

    paths: list[Path]
    skipped: list[Path]


def eval_files(target: Path) -> EvalFiles:
    """A file itself; of a folder, every suite in YAML and every `eval_*.py` and `*_eval.py`, also in its folders."""
    if target.is_file():
        if target.suffix.lower() not in (*YAML_SUFFIXES, ".py"):
            raise InvalidInput(f"{target} is not a suite; name a .yaml or .py file, or a folder of them")
        return EvalFiles([target], [])
    if not target.is_dir():
        raise InvalidInput(f"{target} does not exist{_beside(target)}")
    paths: list[Path] = []
    skipped: list[Path] = []
    for path in files_below(target):
        if path.suffix.lower() in YAML_SUFFIXES:
            (paths if _looks_like_suite(path) else skipped).append(path)
        elif path.suffix == ".py" and (path.stem.startswith("eval_") or path.stem.endswith("_eval")):
            paths.append(path)
    if not paths:
        words = "no YAML file with a task, and no eval_*.py or *_eval.py"
        raise InvalidInput(f"{target} holds {words}; `gnomon eval init DATA` writes a first suite")
    return EvalFiles(paths, skipped)


def files_below(folder: Path) -> Iterator[Path]:
    """The files of a folder and its folders in the order of their names, without hidden and installed ones."""
    count = 0
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in _NOT_SEARCHED:
            continue
        below = files_below(path) if path.is_dir() else iter([path])
        for file in below:
            count += 1
            if count > _MOST_FILES:
                raise InvalidInput(f"{folder} holds more than {_MOST_FILES:,} files; name the folder of the suites")
            yield file


def _looks_like_suite(path: Path) -> bool:
    """Whether it has the keys that only suites have. A misspelt one among them still is a suite, and is refused."""
    try:
        tree = read_tree(path.read_bytes(), str(path))
    except (GnomonError, OSError):
        return False
    return isinstance(tree, Mapping) and len({"task", "scorers", "gates", "data", "dataset"} & set(tree.items)) >= 2


def evals_of(path: Path) -> list[Eval]:
    """Every `Eval` at the top level of a Python file, in the order of their names in it."""
    module = load_file(path)
    evals: dict[int, Eval] = {}
    source = EvalSource(path=path, folder=path.parent)
    for name, value in vars(module).items():
        if isinstance(value, Eval) and id(value) not in evals:
            data = value.data
            if isinstance(data, str) and names_file(data) and (path.parent / data).exists():
                data = path.parent / data
            evals[id(value)] = value.changed(name=value.name or name, data=data, source=source)
    if not evals:
        raise InvalidInput(f"{path} declares no evaluation; write capitals = gn.Eval(task=…, data=…) at its top level")
    return list(evals.values())


def function_of(reference: str, folder: Path, field: str = "task") -> Any:
    """What `module:function` or `file.py:function` names; files and modules are looked for in this folder first."""
    module_name, colon, name = reference.rpartition(":")
    if not colon or not module_name or not name.isidentifier():
        raise InvalidInput.of(field, f"{field} {reference!r} is neither module:function nor file.py:function")
    if module_name.endswith(".py"):
        path = folder / module_name
        if not path.is_file():
            raise InvalidInput.of(field, f"{field} {reference!r}: there is no file {path}{_beside(path)}")
        module = load_file(path)
    else:
        module = _load_module(module_name, folder, field, reference)
    if not hasattr(module, name):
        near = nearest(name, [key for key in vars(module) if not key.startswith("_")])
        hint = f"; did you mean {near}?" if near else ""
        raise InvalidInput.of(field, f"{field} {reference!r}: {module_name} has no {name}{hint}")
    function = getattr(module, name)
    if not callable(function):
        raise InvalidInput.of(field, f"{field} {reference!r} is {type(function).__name__}, which cannot be called")
    return function


def load_file(path: Path) -> ModuleType:
    """The module in this file, imported once for each content that it has had.

    Modules beside it can be imported by it, as when it is started.
    """
    path = path.resolve()
    _search_first(path.parent)
    try:
        content = path.read_bytes()
    except OSError as bad:
        raise InvalidInput(f"{path} cannot be read: {bad.strerror or bad}") from None
    digest = hashlib.sha256(str(path).encode() + b"\n" + content).hexdigest()[:12]
    name = f"_gnomon_eval_{path.stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None  # a file that ends in .py has one
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as bad:
        del sys.modules[name]
        raise _import_failed(str(path.name), bad, path) from None
    return module


def _load_module(name: str, folder: Path, field: str, reference: str) -> ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise InvalidInput.of(
            field, f"{field} {reference!r}: {name!r} is not a module name; the name of a file ends in .py"
        )
    _search_first(Path.cwd())
    _search_first(folder.resolve())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name is not None and (name == missing.name or name.startswith(f"{missing.name}.")):
            words = f"there is no module {name!r} in {folder.resolve()}, in this folder, or installed"
            raise InvalidInput.of(field, f"{field} {reference!r}: {words}") from None
        raise _import_failed(name, missing, None) from None
    except (Exception, SystemExit) as bad:
        raise _import_failed(name, bad, None) from None


def _search_first(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _import_failed(name: str, bad: BaseException, path: Path | None) -> InvalidInput:
    """What the user's own code raised, with the last line of it that the trace knows."""
    if isinstance(bad, GnomonError):
        reason = bad.message
    else:
        reason = f"{type(bad).__name__}: {bad}"
    lines = [frame for frame in traceback.extract_tb(bad.__traceback__) if _is_users(frame.filename, path)]
    line = bad.lineno if isinstance(bad, SyntaxError) else lines[-1].lineno if lines else None
    where = f"{name}, line {line}" if line else name
    return InvalidInput(f"{where} cannot be imported: {reason}")


def _is_users(filename: str, path: Path | None) -> bool:
    if path is not None:
        return filename == str(path)
    return "importlib" not in filename and not filename.startswith("<") and "gnomon/service" not in filename


def _beside(path: Path) -> str:
    try:
        names = [other.name for other in path.parent.iterdir() if other.exists()]  # a link may lead nowhere
    except OSError:
        return f"; the folder {path.parent} does not exist either"
    near = nearest(path.name, names)
    return f"; did you mean {near}?" if near else ""
