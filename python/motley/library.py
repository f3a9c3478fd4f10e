# SPDX-License-Identifier: BSD-3-Clause
"""libmotley itself: loading it, calling it, and its error messages."""

from __future__ import annotations

import enum
import math
import os
from typing import Any, Callable, Iterable, Optional, Union

import numpy
from numpy.typing import NDArray

from ._abi import ffi as ffi
from ._place import LIBRARY, SHIPPED

Path = Union[str, "os.PathLike[str]"]

_SONAME = "libmotley.so.0"


def _load() -> Any:
    """The library in the folder MOTLEY_LIBRARY, or else the one installed with this
    module, or else the one that the system finds."""
    folder = os.environ.get("MOTLEY_LIBRARY")
    if folder:
        name = os.path.join(folder, _SONAME)
    else:
        # In a build tree the path is relative to this file.
        name = os.path.join(os.path.dirname(os.path.abspath(__file__)), LIBRARY)
        name = name if os.path.exists(name) else _SONAME
    try:
        return ffi.dlopen(name)
    except OSError as error:
        raise ImportError(
            f"libmotley cannot be loaded: {error}; "
            f"MOTLEY_LIBRARY names the folder that it is in"
        ) from None


lib = _load()
_c = ffi.dlopen(None)


class Status(enum.IntEnum):
    """Why a function of libmotley failed: enum mt_status of motley/error.h."""

    OK = 0
    EINVAL = -1
    ENOMEM = -2
    EPARSE = -3
    ERANK = -4
    EIO = -5
    EBUSY = -6
    EVERSION = -7
    ENOTFOUND = -8
    EINFEASIBLE = -9


class Error(Exception):
    """A failure of libmotley, with the same message as the command prints; `status` is
    the kind of failure."""

    def __init__(self, status: Status, text: str) -> None:
        super().__init__(status, text)  # all of them, so that it can be pickled
        self.status = status

    def __str__(self) -> str:
        return str(self.args[1])


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Call a function that returns a status, and takes a struct mt_error last."""
    err = ffi.new("struct mt_error *")
    status = function(*arguments, err)
    if status != Status.OK:
        raise Error(Status(status), text(err.text) or "")


def new(name: str, clear: Callable[[Any], None], *used: Any) -> Any:
    """A zeroed struct, which is cleared when it is no longer used. Until then it keeps
    `used`, the objects that it points to."""
    return ffi.gc(ffi.new(f"struct {name} *"), lambda struct, used=used: clear(struct))


def text(pointer: Any) -> Optional[str]:
    """The text at a pointer; None for NULL."""
    if pointer == ffi.NULL:
        return None
    return ffi.string(pointer).decode("utf-8", "replace")


def take(pointer: Any) -> str:
    """The text at a pointer, which is then freed."""
    if pointer == ffi.NULL:
        raise Error(Status.ENOMEM, "no memory for a text")
    try:
        return text(pointer) or ""
    finally:
        _c.free(pointer)


def array_of(kind: str, count: int) -> Any:
    """A zeroed array of structs that libmotley takes over, and frees."""
    size = ffi.sizeof(f"struct {kind}")
    pointer = _c.calloc(max(count, 1), size)
    if pointer == ffi.NULL:
        raise Error(Status.ENOMEM, f"no memory for {count} times {size} bytes")
    return ffi.cast(f"struct {kind} *", pointer)


def encode(string: Path) -> bytes:
    """A text or path as a C string."""
    try:
        encoded = os.fsencode(string)
    except TypeError:
        raise Error(
            Status.EINVAL, f"a name or path has to be a text, not {string!r}"
        ) from None
    if b"\0" in encoded:
        raise Error(Status.EINVAL, f"a zero byte in '{os.fspath(string)!s}'")
    return encoded


def string(word: Optional[Path]) -> Any:
    """The same as an array of C, which the caller keeps as long as it is used; NULL for
    None."""
    return ffi.NULL if word is None else ffi.new("char[]", encode(word))


def check(name: str, value: Any, holds: Callable[[float], bool], wanted: str) -> None:
    """The check that the command's options make, too."""
    try:
        fine = holds(float(value)) and not math.isinf(value)
    except (TypeError, ValueError):
        fine = False
    if not fine:
        raise Error(Status.EINVAL, f"{name} has to be {wanted}, not {value}")


def parse(function: Callable[..., int], kind: str, word: str) -> Any:
    """The value of an enum that a word stands for."""
    value = ffi.new(f"enum {kind} *")
    call(function, value, encode(word))
    return value[0]


def doubles(numbers: Iterable[float]) -> Any:
    """An array of C; the caller keeps it as long as it is used."""
    try:
        return ffi.new("double[]", [float(number) for number in numbers])
    except (TypeError, ValueError):
        raise Error(
            Status.EINVAL, f"a list of numbers is wanted, not {numbers!r}"
        ) from None


_DTYPES = {"double": "f8", "int": "i4", "int64_t": "i8", "_Bool": "?"}


def _fields(ctype: Any, offset: int = 0) -> dict[str, tuple[str, int]]:
    """The numbers and flags of a struct, also of structs in it, with their offsets."""
    found: dict[str, tuple[str, int]] = {}
    for name, field in ctype.fields:
        if field.type.kind == "struct":
            found.update(_fields(field.type, offset + field.offset))
        elif field.type.kind == "enum":
            found[name] = ("i4", offset + field.offset)
        elif field.type.kind == "primitive" and field.type.cname in _DTYPES:
            found[name] = (_DTYPES[field.type.cname], offset + field.offset)
    return found


def columns(array: Any, count: int, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """Copies of members of all `count` structs of an array, by name."""
    ctype = ffi.typeof(array).item
    fields = _fields(ctype)
    if count == 0:
        return {name: numpy.zeros(0, fields[name][0]) for name in names}
    memory = numpy.frombuffer(ffi.buffer(array, count * ffi.sizeof(ctype)), numpy.uint8)
    rows = memory.reshape(count, ffi.sizeof(ctype))
    result = {}
    for name in names:
        dtype, offset = fields[name]
        width = numpy.dtype(dtype).itemsize
        result[name] = rows[:, offset : offset + width].copy().view(dtype)[:, 0]
    return result


def shipped(kind: str, name: Path) -> bytes:
    """The path of the file that is given by its path, or by the name of a shipped
    one."""
    path = ffi.new("char **")
    folder = encode(os.path.join(SHIPPED, kind))
    call(lib.mt_named_path, path, encode(kind), encode(name), folder)
    found = ffi.string(path[0])
    _c.free(path[0])
    return found
