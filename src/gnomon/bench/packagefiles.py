"""Packages as folders of files: read within limits, hashed over every byte, written as a whole or not at all.

What the files mean is their family's. Whatever is wrong is one `Refused` that names file and field.
"""

import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from gnomon.errors import InvalidInput, Problem, Refused
from gnomon.model import jsonvalue
from gnomon.shorten import count_more

CODE = "INVALID_PACKAGE"
MANIFEST = "manifest.json"
LARGEST_FILE = 16 << 20
LARGEST_PACKAGE = 64 << 20
MOST_FILES = 1_000
MOST_VALUES = 200_000
"""In one JSON file."""
UNSAFE_NAME = re.compile(r'[\x00-\x1f\x7f\\/<>:"|?*]|^[. ]|[. ]$|^$')
_DEEPEST_FOLDER = 5
_Kind = TypeVar("_Kind", bound=BaseModel)


@dataclass(frozen=True)
class Contents:
    """A folder in memory: file by relative path, and which folders there are."""

    files: dict[str, bytes]
    folders: set[str]


def is_safe_name(name: str) -> bool:
    """Whether a file of this name stays in its folder, on every system, and can be told in UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return not UNSAFE_NAME.search(name)


# --- from the disk: every file once, as bytes, and never more than the limits -----


def read_folder(folder: Path) -> Contents:
    if not folder.is_dir():
        raise wrong("there is no such folder; name the folder of a scenario package")
    contents = Contents({}, set())
    try:
        _collect(folder, "", contents)
    except OSError as bad:
        raise wrong(f"cannot read {bad.filename or 'it'}: {bad.strerror or bad}; make it readable") from None
    return contents


def _collect(folder: Path, prefix: str, contents: Contents) -> None:
    for entry in os.scandir(folder):
        name = prefix + entry.name
        if len(contents.files) + len(contents.folders) >= MOST_FILES:
            raise wrong(f"holds more than {MOST_FILES} files; it is not a scenario package")
        if not is_safe_name(entry.name.removeprefix(".")) or prefix.count("/") > _DEEPEST_FOLDER:
            raise wrong(f"{name!a}: a package cannot have a file of this name; rename it")
        if entry.is_symlink():
            raise wrong(f"{name} is a symbolic link; put the file itself there")
        if entry.is_dir(follow_symlinks=False):
            contents.folders.add(name)
            _collect(Path(entry.path), f"{name}/", contents)
        elif entry.is_file(follow_symlinks=False):
            contents.files[name] = _bytes(Path(entry.path), name)
            if sum(map(len, contents.files.values())) > LARGEST_PACKAGE:
                raise wrong(f"is larger than {LARGEST_PACKAGE >> 20} MiB; it is not a scenario package")
        else:
            raise wrong(f"{name} is neither a file nor a folder; remove it")


def _bytes(path: Path, name: str) -> bytes:
    # A link that took the file's place since it was listed is not followed.
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise wrong(f"{name} is larger than {LARGEST_FILE >> 20} MiB; make it smaller")
    return content


# --- from bytes to nouns -----


def require(contents: Contents, names: Iterable[str]) -> None:
    """Refuse a package that lacks one of these files."""
    for name in names:
        if name in contents.folders:
            raise wrong(f"{name} is a folder; a package has a file of that name")
        if name not in contents.files:
            raise wrong(f"Missing required file: {name}")


def read_noun(contents: Contents, name: str, kind: type[_Kind]) -> _Kind:
    return checked_noun(kind, read_json(contents, name), name)


def read_nouns(contents: Contents, name: str, kind: type[_Kind]) -> list[_Kind]:
    """One after the other: a hostile file ends at its first bad item, not after a million complaints."""
    items = read_json(contents, name)
    if not isinstance(items, list):
        raise wrong(f"{name} holds no JSON array; a package has one there")
    return [checked_noun(kind, item, name, (index,)) for index, item in enumerate(items)]


def read_json(contents: Contents, name: str) -> Any:
    content = contents.files[name]
    if content.count(b",") > MOST_VALUES:
        raise wrong(f"{name} holds more than {MOST_VALUES:,} values; make it smaller")
    try:
        return jsonvalue.not_too_deep(jsonvalue.read(content))
    except InvalidInput as bad:
        words = bad.message.removeprefix("the body is not JSON that Gnomon can take: ").removeprefix("the body ")
    except ValueError as bad:
        words = str(bad)
    raise wrong(f"{name} is not JSON that can be read: {words}")


def checked_noun(kind: type[_Kind], value: Any, name: str, start: tuple[int, ...] = ()) -> _Kind:
    """A value of a file as a noun; `start` is where in the file it stands."""
    try:
        return kind.model_validate(value)
    except ValidationError as bad:
        raise refused([_schema_problem(name, start, error) for error in bad.errors(include_url=False)[:100]]) from None


def _schema_problem(name: str, start: tuple[int, ...], error: Any) -> Problem:
    steps = [*start, *error["loc"]]
    field = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")
    where = f"{name}: {field}" if field else name
    words = error["msg"].removeprefix("Value error, ")  # a validator's own sentence names what is wrong by itself
    shown = "" if error["type"] in ("missing", "value_error") else f" {str(error['input'])[:60]!r}"
    return Problem(where, error["type"], f"{where}{shown}: {words[:1].lower()}{words[1:]}")


def read_text(contents: Contents, name: str) -> str:
    try:
        text = contents.files[name].decode()
    except UnicodeDecodeError as bad:
        raise wrong(f"{name} is not UTF-8 text: byte {bad.start} cannot be read") from None
    if "\0" in text:
        raise wrong(f"{name} holds the character NUL; remove it")
    return text


# --- what a manifest vouches for -----


def digests(files: Mapping[str, bytes]) -> dict[str, str]:
    """SHA-256 of every file but the manifest."""
    return {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files) if name != MANIFEST}


def hash_of(digests: Mapping[str, str]) -> str:
    """SHA-256 of what `sha256sum` prints for every file but the manifest, sorted by path."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def package_hash(folder: Path) -> str:
    return hash_of(digests(read_folder(folder).files))


def check_package_hash(contents: Contents, stated: str | None, listed: Mapping[str, str] | None) -> None:
    """Refuse a package whose files are not those that its manifest was written for, and name them."""
    computed_digests = digests(contents.files)
    _check_names(listed or ())
    if stated is None:
        if listed is not None:
            raise wrong(f"{MANIFEST}: package_hash is missing although files is there; restore it")
        return
    computed = hash_of(computed_digests)
    if computed != stated:
        changed = _changed(listed, computed_digests)
        raise wrong(f"{changed}Package hash mismatch: expected {stated} computed {computed}")
    if listed is not None and listed != computed_digests:
        raise wrong(f"{_changed(listed, computed_digests)}the files that {MANIFEST} lists are not those of the package")


def _check_names(listed: Iterable[str]) -> None:
    """Whoever goes by the list must not be led out of the folder."""
    for name in listed:
        if not all(is_safe_name(part.removeprefix(".")) for part in name.split("/")):
            raise wrong(f"{MANIFEST}: files names {name[:200]!a}, which no file of a package is called; remove it")


def _changed(listed: Mapping[str, str] | None, digests: Mapping[str, str]) -> str:
    """Which files are not what they were, as far as the manifest's list tells."""
    if listed is None:
        return ""
    changes = [f"{name} has changed" for name, digest in digests.items() if listed.get(name, digest) != digest]
    changes += [f"{name} was added" for name in digests if name not in listed]
    changes += [f"{name!a} is gone" for name in listed if name not in digests]
    return "; ".join([*changes[:5], *(["and more"] if len(changes) > 5 else [])]) + ": " if changes else ""


# --- to the disk -----


def json_bytes(name: str, value: Any) -> bytes:
    try:
        return text_bytes(name, json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    except ValueError as bad:
        raise wrong(f"{name} cannot be written: {bad}") from None


def text_bytes(name: str, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as bad:
        raise wrong(f"{name} cannot be written: character {bad.start} is half a character") from None


def write_folder(contents: Contents, folder: Path) -> None:
    """Write a package as a whole; the folder must not exist, or be empty."""
    aside = folder.parent / f".{folder.name[:60]}-{secrets.token_hex(6)}.tmp"
    aside.mkdir(parents=True)
    try:
        for name in sorted(contents.folders):
            (aside / name).mkdir(parents=True, exist_ok=True)
        for name, content in contents.files.items():
            (aside / name).write_bytes(content)
        os.rename(aside, folder)  # takes the place of an empty folder, never of a full one
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


# --- how a package is refused -----


@contextmanager
def named_in_refusals(folder: Path) -> Iterator[None]:
    """What is refused inside names the folder of the package."""
    try:
        yield
    except Refused as bad:
        raise Refused(f"{folder}: {bad.message}", code=CODE, problems=bad.problems) from None


def refuse(problems: Sequence[Problem]) -> None:
    if problems:
        raise refused(problems)


def refused(problems: Sequence[Problem]) -> Refused:
    return Refused(count_more(problems[0].message, len(problems)), code=CODE, problems=problems)


def wrong(message: str) -> Refused:
    return Refused(message, code=CODE)
