# SPDX-License-Identifier: BSD-3-Clause
"""What Python takes for libmotley's structs and enums is what the compiler makes of the
headers."""

import os
import shlex
import subprocess
import tempfile
import unittest

from motley import Status
from motley._abi import ffi

SOURCE = os.environ["SOURCE_ROOT"]
_, STRUCTS, _ = ffi.list_types()


def layouts() -> dict:
    """What Python takes for the size of each struct, the offset of each member, and the
    value of each constant; private structs have no size."""
    found = {}
    for name in STRUCTS:
        ctype = ffi.typeof(f"struct {name}")
        if name.startswith("mt_") and ctype.fields is not None:
            found[f"sizeof(struct {name})"] = ffi.sizeof(ctype)
            for member, field in ctype.fields:
                found[f"offsetof(struct {name}, {member})"] = field.offset
                found[f"sizeof(((struct {name} *)0)->{member})"] = ffi.sizeof(
                    field.type
                )
                if field.type.kind == "enum":
                    found.update(field.type.relements)
    return found


def compiled(expressions: list) -> list:
    """What the compiler makes of them."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "layouts")
        with open(f"{program}.c", "w", encoding="utf-8") as source:
            source.write('#include "python/abi.h"\n#include <stddef.h>\n')
            source.write("#include <stdio.h>\nint main(void)\n{\n")
            for expression in expressions:
                source.write(f'    printf("%lld\\n", (long long)({expression}));\n')
            source.write("}\n")
        command = [*shlex.split(os.environ["CC"]), f"{program}.c", "-o", program]
        subprocess.run(
            [*command, f"-I{SOURCE}", f"-I{SOURCE}/include"], check=True, cwd=folder
        )
        output = subprocess.run([program], check=True, stdout=subprocess.PIPE).stdout
    return [int(line) for line in output.split()]


class Abi(unittest.TestCase):
    def test_layouts_and_constants(self) -> None:
        python = layouts()
        self.assertIn("offsetof(struct mt_plan, choices)", python)
        self.assertIn("MT_LEAST_ENERGY", python)
        c = dict(zip(python, compiled(list(python))))
        self.assertEqual(python, c)

    def test_statuses(self) -> None:
        values = ffi.typeof("enum mt_status").relements
        mine = {f"MT_{status.name}": status.value for status in Status}
        self.assertEqual(mine, values)


if __name__ == "__main__":
    unittest.main()
