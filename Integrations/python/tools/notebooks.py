#!/usr/bin/env python3
"""Runs the notebooks and keeps what they show.

usage: notebooks.py [--check]     (with --check, exits with 1 where a notebook shows something else, and changes nothing)
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Dict, List

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
# Bytes of a notebook that a code host shows at once.
LIMIT = 100_000
SECONDS = 300


# The place of the progress of a run that took longer, which is empty at the end.
PROGRESS = {"text/plain": ""}


def outputs(cell: Dict[str, Any]) -> List[Dict[str, Any]]:
    """What a cell shows, without what differs from run to run."""
    return [
        {key: value for key, value in output.items() if key not in ("execution_count", "metadata", "transient")}
        for output in cell.get("outputs", []) if output.get("data") != PROGRESS]


def text(notebook: Any) -> str:
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}
    for number, cell in enumerate(notebook.cells, start=1):
        cell.metadata, cell.id = {}, f"cell-{number}"
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [output for output in cell.outputs if output.get("data") != PROGRESS]
            for output in cell.outputs:
                output.pop("execution_count", None)
                if output.output_type == "execute_result":
                    output.execution_count = None
    return nbformat.writes(notebook) + "\n"


def main() -> int:
    is_check = "--check" in sys.argv[1:]
    status = 0
    for path in sorted(FOLDER.glob("*.ipynb")):
        kept = nbformat.read(path, as_version=4)
        run = nbformat.read(path, as_version=4)
        NotebookClient(run, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
        written = text(run)
        problem = None
        if len(written) > LIMIT:
            problem = f"has {len(written):,} bytes, more than {LIMIT:,}"
        elif is_check:
            pairs = enumerate(zip(run.cells, kept.cells), start=1)
            stale = [number for number, (new, old) in pairs if outputs(new) != outputs(old)]
            problem = f"shows something else in the cells {stale}; `make python-notebooks` keeps it" if stale else None
        else:
            path.write_text(written, encoding="utf-8")
        if problem is not None:
            print(f"{path.name}: error: it {problem}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
