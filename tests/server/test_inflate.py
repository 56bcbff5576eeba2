"""Inflating piece by piece gives what inflating at once gives, in pieces that are never large."""

import gzip
import tracemalloc
import zlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnomon.errors import InvalidInput
from gnomon.server.inflate import PIECE, Inflater

texts = st.lists(st.binary(max_size=200).flatmap(lambda unit: st.integers(0, 3000).map(lambda n: unit * n)), max_size=4)


def cut(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({0, len(data), *(place % (len(data) + 1) for place in cuts)})
    return [data[start:end] for start, end in pairwise(places)]


@given(texts, st.lists(st.integers(0, 10**6), max_size=6), st.integers(0, 9))
def test_members_in_any_pieces_inflate_to_their_texts(members: list[bytes], cuts: list[int], level: int) -> None:
    packed = b"".join(gzip.compress(member, level) for member in members)
    inflater, pieces = Inflater(), []
    for chunk in cut(packed, cuts):
        pieces += list(inflater.pieces(chunk))
    inflater.end()
    assert b"".join(pieces) == b"".join(members)
    assert inflater.size == sum(map(len, members))
    assert all(0 < len(piece) <= PIECE for piece in pieces)


@given(texts.filter(bool), st.integers(1, 10**6), st.integers(0, 10**6), st.binary(min_size=1, max_size=3))
def test_what_is_cut_or_changed_is_refused_or_inflates_to_the_same(
    members: list[bytes], cut_off: int, place: int, changed: bytes
) -> None:
    """Never to something else: gzip has a checksum."""
    packed = b"".join(gzip.compress(member) for member in members)
    short = packed[: len(packed) - 1 - cut_off % len(packed)]
    place %= len(packed)
    for wrong in (short, packed[:place] + changed + packed[place + len(changed) :]):
        inflater = Inflater()
        try:
            inflated = b"".join(inflater.pieces(wrong))
            inflater.end()
        except InvalidInput:
            continue
        assert b"".join(members).startswith(inflated)


def test_a_small_chunk_never_becomes_a_large_one_in_memory() -> None:
    packer = zlib.compressobj(9, wbits=31)
    packed = b"".join(packer.compress(bytes(1_000_000)) for _ in range(500)) + packer.flush()
    tracemalloc.start()
    size = sum(len(piece) for piece in Inflater().pieces(packed))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size == 500_000_000
    assert peak < 10 * PIECE


def test_thousands_of_empty_members_are_refused() -> None:
    """Each takes work and none says anything."""
    empty = gzip.compress(b"")
    with pytest.raises(InvalidInput, match="compress it in one go"):
        for _ in Inflater().pieces(empty * 20_000):
            pass
    blocks = gzip.compress(bytes(5000)) * 20_000  # as tools write that compress in blocks
    assert sum(len(piece) for piece in Inflater().pieces(blocks)) == 100_000_000
