"""The lines of Python that documents show are run."""

import contextlib
import io
import os
import re
import shutil
from importlib.util import find_spec

from support import ACCOUNT, CAPTURE, PACKAGE, ROOT, Tests

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class DocumentTests(Tests):
    def blocks(self, path):
        return BLOCK.findall(path.read_text(encoding="utf-8"))

    def run_blocks(self, blocks):
        names, output = {}, io.StringIO()
        with contextlib.redirect_stdout(output):
            for block in blocks:
                exec(compile(block, "document", "exec"), names)
        return names, output.getvalue()

    def test_the_readme(self):
        blocks = self.blocks(PACKAGE / "README.md")
        shutil.copy(CAPTURE, f"{self.folder}/day.txt")
        shutil.copy(ACCOUNT, f"{self.folder}/bank.yaml")
        os.chdir(self.folder)
        _, output = self.run_blocks(blocks[:1])
        self.assertTrue(output.startswith("155 of 2000 attestations fail\nreason"), output)
        self.assertTrue(output.endswith("104 devices would newly be rejected\n"), output)
        if find_spec("polars") is None or find_spec("pandas") is None:
            self.skipTest("the rest needs polars and pandas")
        _, output = self.run_blocks(blocks)
        self.assertIn("safetynet-unavailable ", output)
        self.assertIn("'pass': 2", output)

    def test_the_guide(self):
        if find_spec("polars") is None or find_spec("pandas") is None:
            self.skipTest("it needs polars and pandas")
        blocks = self.blocks(ROOT / "docs/guides/use-a-notebook.md")
        names, _ = self.run_blocks(blocks[:2])
        for line in blocks[1].splitlines():
            expression, comment, value = line.partition("  # ")
            if comment and value.strip().isdigit():
                self.assertEqual(eval(expression, names), int(value))
        for name, block in (("InputError", blocks[3]), ("LimitExceeded", blocks[4])):
            with contextlib.suppress(getattr(names["ps"], name)):
                frame = "frame = 'Scenarios/captures/afternoon-2020-07-23.jsonl'"
                self.run_blocks([blocks[0], frame, block])
                self.assertEqual(name, "InputError")
