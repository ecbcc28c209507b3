"""The report of all parts of the devices."""

from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence

from ._command import checked

if TYPE_CHECKING:
    import pandas


class Report:
    """The result of a replay or a comparison."""

    def __init__(self, partials: Sequence[bytes], messages: Sequence[str] = (), binary: Optional[str] = None) -> None:
        self._partials = list(partials)
        self._binary = binary
        #: Warnings of the command, each once.
        self.messages: List[str] = list(messages)
        #: The JSON report: the bytes that one machine writes.
        self.bytes: bytes = self.rendered("json")
        #: The same, parsed (docs/FORMATS.md says what its keys mean).
        self.json: Dict[str, Any] = json.loads(self.bytes)

    def rendered(self, form: str, *options: str) -> bytes:
        """The report in another form of `scenario merge`, such as `markdown`; options are those of the command."""
        with tempfile.TemporaryDirectory(prefix="scenario-spark-") as folder:
            paths = []
            for number, partial in enumerate(self._partials, start=1):
                path = os.path.join(folder, f"part-{number}.json")
                with open(path, "wb") as file:
                    file.write(partial)
                paths.append(path)
            return checked(["merge", *paths, f"--format={form}", *options], self._binary)

    def to_html(self) -> str:
        """The page with plots."""
        return self.rendered("html").decode("utf-8")

    def __str__(self) -> str:
        """The report for people."""
        return self.rendered("text").decode("utf-8")

    def to_pandas(self) -> pandas.DataFrame:
        """The metrics by name: `value`, or `before` and `after` of a comparison."""
        import pandas

        sides = {"before": self.json["before"], "after": self.json["after"]} if "before" in self.json else {
            "value": self.json}
        columns = {name: pandas.Series(side["metrics"], dtype="int64") for name, side in sides.items()}
        return pandas.DataFrame(columns).fillna(0).astype("int64").rename_axis("metric")
