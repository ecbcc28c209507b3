"""Tables of every library go in and come out with the same figures as files."""

import datetime
import importlib.util
import json
import random
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

from support import ACCOUNT, AFTERNOON, CAPTURE, COMMAND, PACKAGE, STRICT, Tests

import policy_scenario as ps
from policy_scenario import _frame, _streams
from policy_scenario._categories import with_dictionaries
from policy_scenario._table import Table

try:
    import duckdb
    import pandas
    import polars
    import pyarrow
except ImportError:
    raise __import__("unittest").SkipTest("no libraries of tables") from None

UTC = datetime.timezone.utc
TEXTS = ["10.0.0.1", "192.0.2.82", 'with "quotes" and \\', "zwölf €", "tab\tand\nline", "", None]


def random_rows(seed, count):
    """Records with absent values, all kinds of text, and devices that come back."""
    draw = random.Random(seed)
    time = datetime.datetime(2020, 7, 23, 10, tzinfo=UTC)
    for _ in range(count):
        time += datetime.timedelta(seconds=draw.choice([0, 1, 30]))
        yield {
            "time": time, "device-id": DEVICES[draw.randrange(8)],
            "flags": draw.choice(["rooted", "frida,xposed", "", None]), "ip": draw.choice(TEXTS),
            "app-version": draw.choice(["5.1", "5.2(120)", None])}


DEVICES = [f"{letter}AAAAAAAAAAAAAAAAAAAAA==" for letter in "ABCDEFGH"]


def json_lines(rows):
    lines = []
    for row in rows:
        fields = {key: value for key, value in row.items() if value is not None}
        fields["time"] = fields["time"].strftime("%Y-%m-%dT%H:%M:%SZ")
        lines.append(json.dumps(fields) + "\n")
    return "".join(lines)


class TablesIn(Tests):
    def figures(self, capture, **options):
        """What does not depend on how a capture was given: all but the lines to type."""
        report = ps.replay(capture, ACCOUNT, count=["ip", "app-version"], **options)
        return report.json, report.decisions()["rejections"] if not isinstance(capture, pyarrow.RecordBatchReader) else None

    def tables(self, rows):
        """The same rows in every form."""
        columns = {key: [row[key] for row in rows] for key in rows[0]}
        frame = polars.DataFrame(columns, schema_overrides={"time": polars.Datetime("us", "UTC")})
        yield "polars", frame
        yield "lazy", frame.lazy()
        yield "categories", frame.with_columns(polars.col("ip", "app-version", "flags", "device-id").cast(polars.Categorical))
        yield "lists", frame.with_columns(polars.when(polars.col("flags") == "").then(polars.lit([], polars.List(polars.String)))
                                          .otherwise(polars.col("flags").str.split(",")).alias("flags"))
        yield "bytes", frame.with_columns(polars.col("device-id").str.decode("base64"))
        yield "texts of times", frame.with_columns(polars.col("time").dt.strftime("%Y-%m-%dT%H:%M:%S+00:00"))
        yield "another zone", frame.with_columns(polars.col("time").dt.convert_time_zone("Asia/Tokyo"))
        yield "milliseconds", frame.with_columns(polars.col("time").dt.cast_time_unit("ms"))
        table = pyarrow.table(columns)
        yield "pyarrow", table
        yield "dictionaries", pyarrow.table({
            name: column if name == "time" else column.dictionary_encode()
            for name, column in zip(table.column_names, table.columns)})
        yield "large", table.cast(pyarrow.schema([
            field.with_type(pyarrow.large_string()) if field.type == pyarrow.string() else field for field in table.schema]))
        yield "nanoseconds", table.set_column(0, "time", table["time"].cast(pyarrow.timestamp("ns", "UTC")))
        yield "small batches", pyarrow.Table.from_batches(table.to_batches(max_chunksize=7))
        yield "reader", table.to_reader(max_chunksize=11)
        objects = pandas.DataFrame({key: pandas.Series(values, dtype="object") for key, values in columns.items()})
        objects["time"] = pandas.to_datetime(objects["time"], utc=True)
        yield "pandas objects", objects
        yield "pandas strings", objects.astype({"ip": "string", "flags": "string", "app-version": "string"})
        yield "pandas categories", objects.astype({"ip": "category", "flags": "category", "device-id": "category"})
        yield "pandas with arrow", objects.astype({"ip": "string[pyarrow]", "device-id": pandas.ArrowDtype(pyarrow.string())})
        yield "pandas, another index", objects.set_index(pandas.Index(range(7, 7 + len(objects)), name="other"))
        connection = duckdb.connect()
        connection.execute("set TimeZone = 'UTC'")
        self.addCleanup(connection.close)
        connection.register("rows", table)
        yield "DuckDB", connection.sql("select * from rows")

    def test_every_library(self):
        rows = list(random_rows(1, 200))
        expected = self.figures(self.write("rows.jsonl", json_lines(rows)))
        for name, table in self.tables(rows):
            with self.subTest(name=name):
                found = self.figures(table)
                self.assertEqual(found[0], expected[0])
                self.assertIn(found[1], (expected[1], None))

    def test_random_rows(self):
        for seed in range(2, 8):
            rows = list(random_rows(seed, 50))
            expected = self.figures(self.write("rows.jsonl", json_lines(rows)))
            for name, table in list(self.tables(rows))[seed % 3::3]:
                with self.subTest(seed=seed, name=name):
                    self.assertEqual(self.figures(table)[0], expected[0])

    def test_every_command(self):
        day = polars.read_ndjson(AFTERNOON)
        for function, options in (
            (ps.diff, {"policy": STRICT}), (ps.whatif, {}), (ps.search, {"reject": "flag:rooted"}),
            (ps.rollout, {"policy": "strict", "steps": "10%:2h,100%", "runs": 5}),
        ):
            with self.subTest(function=function.__name__):
                account = {"rules": ["sampled"]}
                found, expected = (function(each, account, **options).json for each in (day, AFTERNOON))
                for each in (found, expected):
                    each.pop("explain", None)
                    each.get("changes", {}).pop("compared", None)
                    for side in ("newly-rejected", "newly-accepted"):
                        each.get("changes", {}).get(side, {}).pop("device-names", None)
                self.assertEqual(found, expected)
        drift, expected = (ps.compare(*each, ACCOUNT).json for each in ((CAPTURE, day), (CAPTURE, AFTERNOON)))
        self.assertEqual({**drift, "new": 0}, {**expected, "new": 0})
        both = ps.compare(day, day, ACCOUNT)
        self.assertEqual((both.common_devices, both.drifting), (both.old.devices, 0))

    def test_files_and_tables_one_after_another(self):
        day, evening = list(random_rows(1, 60)), list(random_rows(2, 60))
        for row in evening:
            row["time"] += datetime.timedelta(days=1)
        paths = [self.write("day.jsonl", json_lines(day)), self.write("evening.jsonl", json_lines(evening))]
        frames = [polars.DataFrame(rows) for rows in (day, evening)]
        expected = ps.replay(paths, ACCOUNT).json
        for captures in (frames, [paths[0], frames[1]], [frames[0], paths[1]]):
            self.assertEqual(ps.replay(captures, ACCOUNT).json, expected)

    def test_numbers_and_booleans_are_their_json_text(self):
        frame = polars.DataFrame({
            "time": ["2020-07-23T11:10:43Z"] * 3, "device-id": DEVICES[:3], "level": [5, None, 7], "share": [0.5, 1.0, None],
            "paid": [True, None, False]})
        filters = [{"name": "five", "key": "level", "match": "5"}, {"name": "half", "key": "share", "match": "0.5"},
                   {"name": "paid", "key": "paid", "match": "true"}]
        for table in (frame, frame.to_arrow()):
            report = ps.replay(table, {"filters": filters})
            self.assertEqual([each.matched for each in report.filters], [1, 1, 1])

    def test_times_without_a_zone(self):
        # The clocks go back at 01:00 UTC on that day; 00:30 is before and 01:30 happens twice, the first time counts.
        times = [datetime.datetime(2020, 10, 25, 0, 30), datetime.datetime(2020, 10, 25, 1, 30), datetime.datetime(2020, 10, 25, 3)]
        frame = polars.DataFrame({"time": times, "device-id": DEVICES[:3]})
        for table in (frame, frame.to_arrow(), frame.to_pandas(), duckdb.sql("select * from frame")):
            with self.subTest(type=type(table)):
                with self.assertRaisesRegex(ps.ScenarioError, "timezone"):
                    ps.replay(table)
                found = ps.replay(table, timezone="Europe/London").decisions()["time"]
                self.assertEqual([time.strftime("%d %H:%M") for time in found], ["24 23:30", "25 00:30", "25 03:00"])
                found = ps.replay(table, timezone="+02:00").decisions()["time"]
                self.assertEqual([time.strftime("%d %H:%M") for time in found], ["24 22:30", "24 23:30", "25 01:00"])
        with self.assertRaisesRegex(ps.ScenarioError, "Atlantis"):
            ps.replay(frame, timezone="Atlantis")

    def test_wrong_columns(self):
        good = {"time": [datetime.datetime(2020, 7, 23, tzinfo=UTC)], "device-id": [DEVICES[0]]}
        for columns, message in (
            ({"device-id": good["device-id"]}, "the table has no column `time`\n  hint: its columns are `device-id`"),
            ({**good, "device_id": good["device-id"], "device-id": None}, "no column `device-id`\n  hint: rename `device_id`"),
            ({**good, "time": [1595459443]}, "`time` holds numbers; expected is times, or text .*\n.*hint: make times of it"),
            ({**good, "device-id": [5]}, "column `device-id` holds numbers; expected is text, or 16 bytes"),
            ({**good, "flags": [True]}, "column `flags` holds booleans; expected is text joined by commas, or lists of text"),
            ({**good, "ip": [{"a": 1}]}, "column `ip` holds .*; expected is text, numbers or booleans"),
            ({**good, "ip": [[1, 2]]}, "column `ip` holds .*; expected is text, numbers or booleans"),
            ({**good, "ip": [datetime.date(2020, 7, 23)]}, "column `ip` holds .*; expected is text, numbers or booleans"),
            ({**good, "ip": [Decimal("1.5")]}, "column `ip` holds .*; expected is text, numbers or booleans"),
        ):
            columns = {name: values for name, values in columns.items() if values is not None}
            frame = polars.DataFrame(columns)
            tables = [frame, frame.lazy(), pyarrow.table(columns), pandas.DataFrame(columns), duckdb.sql("select * from frame")]
            for table in tables:
                with self.subTest(message=message, type=type(table)), self.assertRaisesRegex(ps.InputError, message) as raised:
                    ps.replay(table)
                self.assertEqual(raised.exception.diagnostics[0].file, "table")

    def test_mixed_objects(self):
        frame = pandas.DataFrame({"time": ["2020-07-23T11:10:43Z"] * 2, "device-id": DEVICES[:2], "ip": ["10.0.0.1", 5.5]})
        with self.assertRaisesRegex(ps.InputError, "ip"):
            ps.replay(frame)

    def test_a_malformed_row_has_its_number(self):
        frame = polars.DataFrame({"time": ["2020-07-23T11:10:43Z", "yesterday"], "device-id": DEVICES[:2]})
        with self.assertRaises(ps.InputError) as raised:
            ps.replay(frame)
        places = [(each.file, each.line) for each in raised.exception.diagnostics if each.severity == "error"]
        self.assertEqual(places, [("table", 2)])

    def test_a_command_that_ends_before_a_long_table(self):
        # The pipe holds less than the rest of the table.
        count = 200_000
        frame = polars.DataFrame({
            "time": ["yesterday"] + ["2020-07-23T11:10:43Z"] * (count - 1), "device-id": DEVICES[:1] * count,
            "ip": [f"10.0.0.{number}" for number in range(count)]})
        self.addCleanup(setattr, _streams, "find_spec", _streams.find_spec)
        for missing in ("nothing", "pyarrow"):
            _streams.find_spec = lambda name, missing=missing: None if name == missing else name
            with self.subTest(missing=missing), self.assertRaises(ps.InputError) as raised:
                ps.replay(frame)
            self.assertEqual(raised.exception.diagnostics[0].line, 1)
            with self.subTest(missing=missing), self.assertRaisesRegex(ps.UsageError, "--shard"):
                ps.replay(frame, shard="nothing")

    def test_an_empty_table(self):
        def no_rows(table):
            if isinstance(table, pyarrow.RecordBatchReader):
                return table.schema.empty_table().to_reader()
            return table.limit(0) if hasattr(table, "limit") else table[:0]

        seen = 0
        for name, table in self.tables(list(random_rows(1, 1))):
            with self.subTest(name=name), self.assertRaisesRegex(ps.InputError, "table: error: the capture is empty"):
                ps.replay(no_rows(table))
            seen += 1
        self.assertEqual(seen, 20)

    def test_columns_of_nulls_are_absent(self):
        columns = {"time": ["2020-07-23T11:10:43Z"], "device-id": DEVICES[:1], "ip": [None], "flags": [None]}
        frame = polars.DataFrame(columns)
        for table in (frame, frame.with_columns(polars.col("ip").cast(polars.Categorical)), pyarrow.table(columns),
                      pandas.DataFrame(columns), duckdb.sql("select * from frame")):
            self.assertEqual(ps.replay(table, count=["ip"]).values_[0].absent, 1)

    def test_columns_of_numbers_without_a_value_are_absent(self):
        columns = {"time": ["2020-07-23T11:10:43Z"] * 2, "device-id": DEVICES[:2]}
        text = polars.DataFrame(columns)
        with_nulls = pyarrow.table(columns)
        tables = [
            *(text.with_columns(polars.lit(None, form).alias("ip")) for form in (polars.Float64, polars.Int32)),
            *(with_nulls.append_column("ip", pyarrow.nulls(2, form)) for form in (pyarrow.float64(), pyarrow.int32())),
            *(pandas.DataFrame({**columns, "ip": pandas.Series([None] * 2, dtype=form)}) for form in ("float64", "Int32")),
            duckdb.sql("select *, null::double as ip from text"), duckdb.sql("select *, null::integer as ip from text"),
        ]
        usual = _streams.find_spec
        self.addCleanup(setattr, _streams, "find_spec", usual)
        for table in tables:
            for missing in ({}, {"pyarrow"}, {"polars", "pyarrow"}):
                if "pyarrow" in missing and not isinstance(table, pandas.DataFrame if "polars" in missing else polars.DataFrame):
                    continue
                _streams.find_spec = lambda name, missing=missing: None if name in missing else usual(name)
                with self.subTest(type=type(table), missing=missing):
                    found = ps.replay(table, count=["ip"]).values_[0]
                    self.assertEqual((found.present, found.absent), (0, 2))

    def test_a_reader_is_read_once(self):
        table = pyarrow.table({"time": ["2020-07-23T11:10:43Z"], "device-id": DEVICES[:1]})
        self.addCleanup(setattr, _streams, "find_spec", _streams.find_spec)
        _streams.find_spec = lambda name: None if name == "polars" else name
        report = ps.replay(table.to_reader())
        self.assertIn("<svg", report.to_html())
        with self.assertRaisesRegex(ps.UsageError, "read once"):
            report.decisions()
        self.assertIn("<table", ps.diff(table.to_reader(), "new", policy=STRICT)._repr_html_())

    def test_a_part_of_a_long_text_column_has_its_own_text_only(self):
        # polars keeps the texts of a column together: 256 batches would each have all of them.
        count = 1 << 24 >> 8
        frame = polars.select(
            polars.lit("2020-07-23T11:10:43Z").repeat_by(count).explode().alias("time"),
            polars.lit(DEVICES[0]).repeat_by(count).explode().alias("device-id"),
            polars.int_range(count).cast(polars.String).str.zfill(100).alias("ip")).rechunk()
        self.addCleanup(setattr, _streams, "_ROWS", _streams._ROWS)
        _streams._ROWS = 256
        self.addCleanup(setattr, _streams, "find_spec", _streams.find_spec)
        for missing in ("nothing", "pyarrow"):
            _streams.find_spec = lambda name, missing=missing: None if name == missing else importlib.util.find_spec(name)
            with self.subTest(missing=missing), tempfile.TemporaryFile(dir=self.folder) as file:
                _streams.feed(frame).write(file, lambda rows: None)
                self.assertLess(file.tell(), 4 * frame.estimated_size())

    def test_a_million_rows(self):
        count = 1_000_000
        start = datetime.datetime(2020, 7, 23, tzinfo=UTC)
        number = polars.int_range(count)
        frame = polars.select(
            time=polars.datetime_range(start, start + datetime.timedelta(seconds=count - 1), "1s", time_unit="ms"),
            device=polars.concat_str(number % 64 + 100, polars.lit("0AAAAAAAAAAAAAAAAAA==")).str.zfill(24),
            ip=(number % 250).cast(polars.String),
            flags=polars.when(number % 10 == 0).then(polars.lit("rooted")).otherwise(polars.lit("")),
        ).rename({"device": "device-id"})
        text = polars.col("device-id", "ip", "flags")
        path = f"{self.folder}/rows.jsonl"
        frame.with_columns(polars.col("time").dt.strftime("%Y-%m-%dT%H:%M:%SZ")).write_ndjson(path)
        account = {"policy": "default,default,default"}
        expected = ps.replay(path, account, count=["ip"])
        self.assertEqual((expected.summary.attestations, expected.summary.attestations_failed), (count, count // 10))
        self.assertEqual(expected.devices.unique, 64)
        for table in (frame, frame.with_columns(text.cast(polars.Categorical)), frame.to_arrow(), frame.to_pandas(),
                      duckdb.sql("select * from frame")):
            with self.subTest(type=type(table)):
                self.assertEqual(ps.replay(table, account, count=["ip"]).json, expected.json)

    def test_categories_that_come_late(self):
        rows = list(random_rows(10, 6000))
        for row in rows[:4000]:
            row["ip"], row["flags"] = "10.0.0.1" if row["ip"] else None, ""
        for row in rows[4000:5000]:
            row["app-version"] = None
        expected = self.figures(self.write("rows.jsonl", json_lines(rows)))
        forms = {**dict.fromkeys(rows[0], polars.String), "time": polars.Datetime("us", "UTC")}
        parts = [polars.DataFrame(rows[start:start + 1000], forms) for start in range(0, len(rows), 1000)]
        text = ("ip", "flags", "app-version", "device-id")
        own = polars.col(text).cast(polars.Categorical)
        seen = pyarrow.concat_tables([part.to_arrow() for part in parts])
        mixed = [pyarrow.table({
            name: part[name].to_arrow() if name == "time" else part[name].reverse().to_arrow().dictionary_encode()[::-1]
            for name in part.columns}) for part in parts]
        self.addCleanup(setattr, _streams, "_ROWS", _streams._ROWS)
        for batch in (_streams._ROWS, 700):
            _streams._ROWS = batch
            for name, table in (
                ("chunks of polars", polars.concat([part.with_columns(own) for part in parts], rechunk=False)),
                ("one chunk", polars.concat(parts).with_columns(own)),
                ("with others before", polars.concat([parts[5], *parts]).with_columns(own)[1000:]),
                ("categories of their own", polars.concat(parts).with_columns(
                    polars.col(name).cast(polars.Categorical(polars.Categories.random(physical=polars.UInt8))) for name in text)),
                ("Enum", polars.concat(parts).with_columns(
                    polars.col(name).cast(polars.Enum(polars.concat(parts)[name].drop_nulls().unique(maintain_order=True)))
                    for name in text)),
                ("pyarrow", seen),
                ("chunks that number texts differently", pyarrow.concat_tables(mixed)),
                ("pandas", polars.concat(parts).to_pandas().astype(dict.fromkeys(text, "category"))),
            ):
                with self.subTest(name=name, batch=batch):
                    self.assertEqual(self.figures(table), expected)

    def test_categories_of_any_number(self):
        # As many as fit in a key of one byte, one more, and the same of two bytes; in parts, and some of them in no row.
        for count in (1, 256, 257, 65536, 65537):
            texts = polars.int_range(count + 2, eager=True).cast(polars.String)
            frame = polars.DataFrame({"ip": texts}).with_columns(polars.col("ip").cast(polars.Categorical))
            frame = polars.concat([frame[2:], frame[-1:], frame[2:4].clear(1)], rechunk=False)
            table = with_dictionaries(frame)
            self.assertEqual(table["ip"].to_pylist(), [*texts[2:].to_list(), str(count + 1), None])
            self.assertEqual(len(table["ip"].chunk(0).dictionary), count)
            self.assertEqual(table["ip"].type.index_type.bit_width, 8 if count <= 256 else 16 if count <= 65536 else 32)

    def test_few_categories_are_not_renumbered(self):
        # Those between the first and the last that a row has are sent, also where no row has them.
        texts = [f"few {number}" for number in range(10)]
        form = polars.Categorical(polars.Categories.random())
        frame = polars.DataFrame({"ip": polars.Series(texts, dtype=form)})
        many = polars.concat([frame[3:4], frame[6:7], frame[:1].clear(1)] * 500, rechunk=False)
        column = with_dictionaries(many)["ip"]
        self.assertEqual(column.to_pylist(), [texts[3], texts[6], None] * 500)
        self.assertEqual(column.chunk(0).dictionary.to_pylist(), texts[3:7])
        self.assertEqual(with_dictionaries(many[:9])["ip"].chunk(0).dictionary.to_pylist(), [texts[3], texts[6]])

    def test_labels_of_every_library(self):
        columns = {"device-id": ["hMEywo8hWadZjlpRQVMXIA==", "fNHwIOQ3mZ/LK3ANBTnqKw=="], "label": ["bad", "good"],
                   "until": [None, datetime.datetime(2020, 7, 24, tzinfo=UTC)]}
        rows = [dict(zip(columns, row)) for row in zip(*columns.values())]
        expected = ps.replay(CAPTURE, ACCOUNT, labels=rows).labels
        self.assertEqual((expected.account.bad.missed, expected.account.good.devices), (1, 1))
        for table in (polars.DataFrame(columns), polars.LazyFrame(columns), pyarrow.table(columns), pandas.DataFrame(columns)):
            self.assertEqual(ps.replay(CAPTURE, ACCOUNT, labels=table).labels, expected)


class TablesOut(Tests):
    def table(self):
        return Table(
            {"name": "text", "flags": "texts", "count": "int", "share": "float", "drifts": "bool", "start": "time"},
            [{"name": "a", "flags": ["x", "y"], "count": 1 << 53, "share": 1, "drifts": True, "start": "2020-07-23T10:00:00Z"}, {}])

    def test_every_library_gets_the_same(self):
        table = self.table()
        expected = list(table)
        self.assertEqual(table.to_polars().to_dicts(), expected)
        self.assertEqual(table.to_arrow().to_pylist(), expected)
        self.assertEqual(pyarrow.table(table).to_pylist(), expected)
        self.assertEqual(polars.DataFrame(table).to_dicts(), expected)
        connection = duckdb.connect()
        self.addCleanup(connection.close)
        connection.register("result", table.to_arrow())
        rows = connection.sql("select * exclude (start), epoch(start) from result").fetchall()
        self.assertEqual(rows, [("a", ["x", "y"], 1 << 53, 1.0, True, 1595498400.0), (None,) * 6])
        frame = table.to_pandas()
        self.assertEqual(frame["count"].tolist(), [1 << 53, pandas.NA])
        self.assertEqual(frame["start"][0], pandas.Timestamp("2020-07-23T10:00:00Z"))
        self.assertTrue(pandas.isna(frame["share"][1]))

    def test_an_empty_table_has_its_types(self):
        table = Table(self.table()._kinds, [])
        self.assertEqual(table.to_polars().schema, self.table().to_polars().schema)
        self.assertEqual(table.to_arrow().schema, self.table().to_arrow().schema)
        self.assertEqual(list(table.to_pandas().columns), table.columns)

    def test_reports_are_tables(self):
        edits = ps.whatif(CAPTURE, ACCOUNT)
        expected = edits.json["edits"]
        for rows in (edits.to_polars().to_dicts(), edits.to_arrow().to_pylist(), polars.DataFrame(edits).to_dicts()):
            self.assertEqual([row["newly-rejected.devices"] for row in rows], [
                each["newly-rejected"]["devices"] for each in expected])
        self.assertEqual(edits.to_pandas()["command"].tolist(), [each["command"] for each in expected])
        connection = duckdb.connect()
        self.addCleanup(connection.close)
        self.assertEqual(connection.sql("select count(*), max(\"newly-rejected.devices\") from edits").fetchall(), [(72, 1845)])
        change = ps.diff(CAPTURE, ACCOUNT, policy=STRICT).to_polars().filter(polars.col("name") == "fail").to_dicts()
        self.assertEqual(change, [{"name": "fail", "before": 155, "after": 259}])

    def test_labels_are_a_table(self):
        # Of the two devices the first one passes and would fail, and the second one fails anyway.
        labels = [{"device-id": "hMEywo8hWadZjlpRQVMXIA==", "label": "good"},
                  {"device-id": "PX7p9lATsHm3UTIhycPEcA==", "label": "bad"}]
        change = ps.diff(CAPTURE, ACCOUNT, policy=STRICT, labels=labels)
        expected = [
            ("before", "bad", 1, 1), ("before", "good", 1, 0), ("before", "unknown", 1998, 154),
            ("after", "bad", 1, 1), ("after", "good", 1, 1), ("after", "unknown", 1998, 257)]
        table = change["labels"]
        for rows in (table.to_polars().to_dicts(), table.to_pandas().to_dict("records"), table.to_arrow().to_pylist()):
            self.assertEqual(
                [(row["account"], row["label"], row["devices"], row["rejected"]) for row in rows], expected)
        for report in (ps.replay(CAPTURE, ACCOUNT, labels=labels), ps.whatif(CAPTURE, ACCOUNT, labels=labels)):
            self.assertEqual(report["labels"]["account"], ["account"] * 3)
            self.assertEqual(report["labels"]["rejected"], [1, 0, 154])
        plain = ps.diff(CAPTURE, ACCOUNT, policy=STRICT)
        self.assertNotIn("labels", plain.tables)
        with self.assertRaises(KeyError):
            plain["labels"]

    def test_groups_of_columns_that_nobody_asked_for_are_left_out(self):
        labels = [{"device-id": "hMEywo8hWadZjlpRQVMXIA==", "label": "good"}]
        plain = ps.whatif(CAPTURE, ACCOUNT).to_polars()
        self.assertEqual([name for name in plain.columns if name.startswith(("labels.", "intervals."))], [])
        self.assertEqual([name for name in plain.columns if plain[name].null_count() == len(plain)], [])
        labelled = ps.whatif(CAPTURE, ACCOUNT, labels=labels).to_polars()
        self.assertIn("labels.good.devices", labelled.columns)
        self.assertEqual([name for name in labelled.columns if name.startswith("intervals.")], [])

    def test_decisions_of_every_reader(self):
        report = ps.replay(AFTERNOON, ACCOUNT)
        expected = list(report.decisions())
        usual = _streams.find_spec
        self.addCleanup(setattr, _frame, "find_spec", usual)
        for missing in ({"polars"}, {"pyarrow"}, {"polars", "pyarrow"}):
            _frame.find_spec = lambda name, missing=missing: None if name in missing else usual(name)
            found = report.decisions()
            self.assertEqual(list(found), expected)
            self.assertEqual(found.to_polars().to_dicts(), expected)
            self.assertEqual(len(found.to_pandas()), len(expected))

    def test_a_file_of_columns(self):
        # As docs/FORMATS.md describes decisions in columns: dictionaries, lists joined by commas, device IDs as bytes.
        text, seconds = pyarrow.dictionary(pyarrow.int8(), pyarrow.string()), pyarrow.timestamp("s", "UTC")
        device = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1], pyarrow.int8()), pyarrow.array(
            [bytes(16), bytes(15) + b"\x01"], pyarrow.binary(16)))
        written = pyarrow.table({
            "index": pyarrow.array([0, 1], pyarrow.int64()), "time": pyarrow.array([0, 60], seconds), "device": device,
            "flags": pyarrow.array(["rooted,frida", ""], pyarrow.string()).cast(text),
            "annotations": pyarrow.array([None, "a"], pyarrow.string()).cast(text),
            "lifetime": pyarrow.array([300, None], pyarrow.int32())})
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_file(sink, written.schema, options=pyarrow.ipc.IpcWriteOptions(compression="zstd")) as writer:
            writer.write_table(written)
        kinds = {"index": "int", "time": "time", "device": "text", "flags": "texts", "annotations": "texts", "lifetime": "int"}
        usual = _frame.find_spec
        self.addCleanup(setattr, _frame, "find_spec", usual)
        for missing in ("nothing", "polars"):
            _frame.find_spec = lambda name, missing=missing: None if name == missing else usual(name)
            table = _frame.from_columns(kinds, sink.getvalue().to_pybytes())
            start = datetime.datetime(1970, 1, 1, tzinfo=UTC)
            self.assertEqual(list(table), [
                {"index": 0, "time": start, "device": "AAAAAAAAAAAAAAAAAAAAAA==", "flags": ["rooted", "frida"],
                 "annotations": None, "lifetime": 300},
                {"index": 1, "time": start + datetime.timedelta(minutes=1), "device": "AAAAAAAAAAAAAAAAAAAAAQ==", "flags": [],
                 "annotations": ["a"], "lifetime": None}])

    def test_text_and_page(self):
        table = Table({"name": "text", "count": "int"}, [{"name": "<b>", "count": 1234}] * 30)
        self.assertIn("<td style=\"text-align:left\">&lt;b&gt;</td><td style=\"text-align:right\">1,234</td>", table._repr_html_())
        self.assertIn("… 10 more rows", repr(table))
        self.assertEqual(repr(table).splitlines()[:2], ["name  count", "<b>   1,234"])


class Columns(Tests):
    """Files of columns, as captures and as decisions."""

    def test_a_packed_capture(self):
        path = ps.pack([CAPTURE], f"{self.folder}/day.arrow", level=3)
        self.assertEqual(polars.read_ipc(path).height, 2000)
        self.assertEqual(ps.replay(path, ACCOUNT).metrics, ps.replay(CAPTURE, ACCOUNT).metrics)
        with self.assertRaises(ps.InputError):
            ps.pack(CAPTURE, "/nowhere/day.arrow")

    def test_decisions_with_attributes(self):
        report = ps.replay(AFTERNOON, ACCOUNT)
        lines = [json.loads(line) for line in subprocess.run(
            [COMMAND, "replay", AFTERNOON, f"--account={ACCOUNT}", "--decisions=-", "--output=/dev/null"], capture_output=True,
            check=True).stdout.splitlines()]
        records = [json.loads(line) for line in Path(AFTERNOON).read_text().splitlines()]
        usual = _frame.find_spec
        self.addCleanup(setattr, _frame, "find_spec", usual)
        for missing in ("nothing", "polars"):
            _frame.find_spec = lambda name, missing=missing: None if name == missing else usual(name)
            table = report.decisions(with_=["ip", "app-version"])
            self.assertEqual(len(table), len(lines))
            for row, line, record in zip(table, lines, records):
                for name in ("time", "expires"):
                    row[name] = row[name].strftime("%Y-%m-%dT%H:%M:%SZ")
                self.assertEqual(row, {**line, "ip": record.get("ip"), "app-version": record.get("app-version")})

    def test_some_columns_of_decisions(self):
        report = ps.replay(AFTERNOON, ACCOUNT)
        whole = report.decisions(with_=["ip"])
        some = report.decisions(with_=["ip"], columns=["ip", "verdict"])
        self.assertEqual(some.columns, ["ip", "verdict"])
        self.assertEqual((some["ip"], some["verdict"]), (whole["ip"], whole["verdict"]))
        self.assertEqual(report.decisions(columns=["device"])["device"], whole["device"])
        with self.assertRaisesRegex(ps.UsageError, "no column 'verdikt'; they have index, time"):
            report.decisions(columns=["verdikt"])
        change = ps.diff(AFTERNOON, ACCOUNT, policy=STRICT)
        self.assertEqual(change.decisions(columns=["verdict-after"]).columns, ["verdict-after"])

    def test_an_attribute_that_no_record_has(self):
        report = ps.replay(AFTERNOON, ACCOUNT)
        with self.assertRaisesRegex(ps.UsageError, "no record has the attribute 'app-versoin'"):
            report.decisions(with_=["ip", "app-versoin"])

    def test_who_is_newly_rejected(self):
        change = ps.diff(CAPTURE, ACCOUNT, policy=STRICT)
        devices = change.newly_rejected
        self.assertEqual(len(devices), change.changes.newly_rejected.devices)
        self.assertIn("safetynet-unavailable", devices["reasons"][0] + devices["reasons"][1])
        self.assertEqual(len(change.newly_accepted), 0)
        self.assertEqual(change.decisions(with_=["ip", "device"]).columns[-2:], ["ip", "record.device"])


class WithoutLibraries(Tests):
    """Python with other libraries, or none: they cannot be imported."""

    def run_without(self, missing, script):
        blocked = (
            f"import sys; sys.path.insert(0, {str(PACKAGE)!r})\n"
            f"for name in {missing!r}: sys.modules[name] = None\n"
            "import importlib.util as u; usual = u.find_spec\n"
            f"u.find_spec = lambda name, *a: None if name in {missing!r} else usual(name, *a)\n"
            "import policy_scenario as ps\n")
        done = subprocess.run([sys.executable, "-c", blocked + script], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_without_any(self):
        self.assertEqual(self.run_without(
            ["polars", "pyarrow", "pandas", "duckdb", "numpy"],
            f"day = ps.replay({CAPTURE!r}, {ACCOUNT!r})\nprint(len(day.decisions()), day['Rejections']['attestations'][0])\n"
            "try: day.__arrow_c_stream__()\nexcept ImportError as error: print(error)"),
            "2000 51\nan Arrow stream of a table needs pyarrow or polars: `pip install pyarrow`\n")

    def test_tables_by_one_library_alone(self):
        path = self.write("rows.jsonl", json_lines(random_rows(9, 100)))
        expected = str(list(ps.replay(path, ACCOUNT).json["metrics"].items())) + "\n"
        show = f"\nprint(list(ps.replay(table, {ACCOUNT!r}).json['metrics'].items()))"
        polars_table = f"import polars\ntable = polars.read_ndjson({path!r}, schema_overrides={{'ip': polars.String}})"
        pandas_table = (f"import pandas\ntable = pandas.read_json({path!r}, lines=True, dtype=False)\n"
                        "table['time'] = pandas.to_datetime(table['time'], utc=True)\n")
        arrow_table = f"import pyarrow.json\ntable = pyarrow.json.read_json({path!r})\n" + (
            "table = table.set_column(0, 'time', table['time'].cast(pyarrow.timestamp('s', 'UTC')))")
        for missing, make in (
            (["pyarrow"], polars_table), (["polars"], arrow_table), (["polars", "pyarrow"], pandas_table),
            (["polars", "pyarrow"], pandas_table + "table = table.astype({'ip': 'category', 'flags': 'category'})"),
            (["polars"], pandas_table), ([], pandas_table),
        ):
            with self.subTest(missing=missing, make=make):
                self.assertEqual(self.run_without(missing, make + show), expected)
        with_mixed = pandas_table + "table['ip'] = [5, 'x'] * 50\ntry: ps.replay(table)\nexcept ps.InputError as e: print(e)"
        self.assertIn("column `ip` holds int and str; expected is", self.run_without(["polars", "pyarrow"], with_mixed))


assert COMMAND
