# SPDX-License-Identifier: BSD-3-Clause
"""The examples of the module's README.md, and its tutorial, run."""

import doctest
import os
import shutil
import unittest

import motley
import nbclient
import nbformat
from lab import SOURCE, Lab


class Documents(Lab):
    def test_readme(self) -> None:
        failed, tried = doctest.testfile(
            f"{SOURCE}/python/README.md",
            module_relative=False,
            optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS,
        )
        self.assertGreater(tried, 5)
        self.assertEqual(failed, 0)

    def test_tutorial(self) -> None:
        shutil.copy(f"{SOURCE}/tests/data/heho/toyohashi-2-lu.csv.gz", ".")
        notebook = nbformat.read(f"{SOURCE}/python/tutorial.ipynb", as_version=4)
        nbformat.validate(notebook)
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        self.assertGreater(len(cells), 5)
        for cell in cells:
            self.assertEqual(cell.outputs, [])
        # The kernel of this Python, whatever kernels the user has.
        os.environ["JUPYTER_DATA_DIR"] = os.getcwd()
        os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
        nbclient.NotebookClient(
            notebook, timeout=200, startup_timeout=200, kernel_name="python3"
        ).execute()
        texts = [
            output.get("data", {}).get("text/plain", "")
            for cell in cells
            for output in cell.outputs
        ]
        self.assertTrue(any("lu on toyohashi-2 (simulated)" in text for text in texts))
        with motley.Store("tutorial.db") as store:
            self.assertGreater(len(store.runs()), 0)


if __name__ == "__main__":
    unittest.main()
