"""Records: the same bytes for plain Python and for NumPy."""

import numpy as np
import pytest

from quadriga.engine.kernels.struct import Batch, Struct, i8, i8grid, i8s, i16, i16s, i32, i32grid, i64, i64s
from support import there


class Sample(Struct):
    tiny = i8()
    wide = i64()
    row = i16s(3)
    grid = i32grid(2, 3)
    half = i16()
    word = i32()
    longs = i64s(2)
    bytes = i8grid(2, 2)
    last = i8s(5)


def test_plain_code_and_numpy_share_the_same_bytes():
    record = Sample()
    record.tiny, record.wide, record.half, record.word = -5, 2**40, -300, 70000
    record.row[2], record.grid[1, 2], record.longs[1], record.bytes[1, 0], record.last[4] = 7, -8, 9, 10, 11
    array = record.array()
    assert array["tiny"][0] == -5
    assert array["wide"][0] == 2**40
    assert array["half"][0] == -300
    assert array["word"][0] == 70000
    assert array["row"][0].tolist() == [0, 0, 7]
    assert array["grid"][0, 1, 2] == -8
    assert array["longs"][0, 1] == 9
    assert array["bytes"][0, 1, 0] == 10
    assert array["last"][0, 4] == 11
    array["grid"][0, 0, 1] = 42
    assert record.grid[0, 1] == 42


def test_integers_come_out_as_python_integers():
    assert type(Sample().tiny) is int
    assert type(Sample().row[0]) is int
    assert type(Sample().grid[0, 0]) is int


@pytest.mark.parametrize(("field", "value"), [("tiny", 128), ("tiny", -129), ("half", 40000), ("word", 2**31)])
def test_an_integer_that_does_not_fit_is_refused(field, value):
    with pytest.raises(ValueError, match="invalid value"):
        setattr(Sample(), field, value)


def test_a_field_that_does_not_exist_cannot_be_written():
    with pytest.raises(AttributeError):
        Sample().tyni = 1  # type: ignore[attr-defined]


def test_the_size_is_a_multiple_of_eight_and_fields_are_aligned():
    assert Sample.dtype.itemsize % 8 == 0
    assert Sample.dtype.isalignedstruct
    for name in there(Sample.dtype.names):
        kind, offset = there(Sample.dtype.fields)[name][:2]
        assert offset % kind.base.itemsize == 0


def test_a_copy_is_independent_and_equal_bytes_are_equal():
    one = Sample()
    one.tiny = 3
    two = one.copy()
    assert one == two
    assert hash(one) == hash(two)
    two.tiny = 4
    assert one != two
    two.assign(one)
    assert one == two
    two.assign(Sample().tobytes())
    assert two.tiny == 0
    assert one != "something else"


def test_a_scratch_copy_is_overwritten_by_the_next_one_with_its_number():
    one = Sample()
    one.tiny, one.row[1] = 3, 7
    copy, other = Sample.scratch(one), Sample.scratch(one, 1)
    assert copy == other == one
    copy.row[1] = 8
    assert (one.row[1], other.row[1]) == (7, 7)
    assert Sample.scratch(one.tobytes()) is copy
    assert copy == one


def test_a_batch_views_an_array():
    array = np.zeros(3, Sample.dtype)
    batch = Batch(Sample, array)
    batch[1].tiny = 9
    assert array["tiny"].tolist() == [0, 9, 0]
    batch[2] = batch[1]
    assert array["tiny"].tolist() == [0, 9, 9]
    assert len(batch) == 3
    assert [record.tiny for record in batch] == [0, 9, 9]
    with pytest.raises(IndexError):
        batch[3]
    with pytest.raises(TypeError):
        Batch(Sample, np.zeros(3, np.dtype([("x", "i4")])))


def test_a_record_shows_its_fields():
    assert "tiny=0" in repr(Sample())
    assert "row=[0, 0, 0]" in repr(Sample())
