"""Captures as columns, against lines and against tables of other engines: P7."""
import subprocess
from datetime import date, timedelta
from pathlib import Path

from engines import duckdb, polars
from replays import replay, require_agreement, require_same
from setting import run
from table import COST_HEADS, cost_cells, table, thousands
from work import Work, alternate

# A larger capture is the first week several times.
LONGEST_WEEK = 5_000_000

TABLE = "import duckdb; duckdb.connect({0!r}).execute(\"CREATE TABLE attestations AS FROM read_parquet('{1}')\")"
# A frame of polars, as it is written to a stream; a million rows at a time.
STREAM = """
import io, itertools, polars, pyarrow, rules
schema = {{name: polars.String for name in rules.COLUMNS}}
with open({1!r}, 'rb') as lines, open({0!r}, 'wb') as output:
    writer = None
    while rows := b''.join(itertools.islice(lines, 1_000_000)):
        frame = polars.read_ndjson(io.BytesIO(rows), schema=schema).to_arrow(compat_level=polars.CompatLevel.newest())
        writer = writer or pyarrow.ipc.new_stream(output, frame.schema)
        writer.write_table(frame, max_chunksize=250_000)
    writer.close()
"""


def write_weeks(week, whole, count):
    """Writes a capture of one week in JSON Lines several times, each time a week later."""
    with open(whole, "wb") as output:
        for number in range(count):
            days = {f'"2020-07-{day}T'.encode(): f'"{date(2020, 7, day) + timedelta(weeks=number)}T'.encode()
                    for day in range(20, 27)}
            with open(week, "rb") as lines:
                for line in lines:
                    # {"time":"2020-07-20T
                    output.write(line[:8] + days[line[8:20]] + line[20:])


def prepare(setting):
    """Makes the data that is missing, each file under its name when it is whole."""
    def make(form, write):
        path = setting.events(form)
        if not path.exists():
            part = path.with_name(f"part-{path.name}")
            write(part)
            part.rename(path)

    def program(text, source):
        def write(part):
            done = subprocess.run([setting.python, "-B", "-c", text.format(str(part), str(setting.events(source)))],
                                  cwd=setting.peers, check=False)
            if done.returncode:
                raise SystemExit(f"{part} cannot be made")
        return write

    def generate(count):
        path = setting.data / f"events-{count}.jsonl"
        if not path.exists():
            run(setting.python, "-B", setting.peers / "generate.py", count, setting.data, 20200723, "jsonl")
        return path

    if setting.count <= LONGEST_WEEK:
        generate(setting.count)
    else:
        make("jsonl", lambda part: write_weeks(generate(LONGEST_WEEK), part, setting.count // LONGEST_WEEK))
    make("parquet", program("import generate; generate.write_parquet({1!r}, {0!r})", "jsonl"))
    make("duckdb", program(TABLE, "parquet"))
    make("text.arrows", program(STREAM, "jsonl"))


def pack(setting, name, *options):
    command = [setting.scenario, "pack", setting.events("jsonl"), "--output", setting.packed(name), "--jobs", 1, *options]
    return Work(f"pack, {name}, 1", command, setting.scratch / f"pack-{name}")


def measure(setting):
    """Times packing, replays and peers in turn, and returns the works by name."""
    prepare(setting)
    packing = [pack(setting, "zstd"), pack(setting, "plain", "--plain")]
    inputs = [("jsonl", setting.events("jsonl")), ("zstd", setting.packed("zstd")), ("plain", setting.packed("plain"))]
    ours = [replay(setting, f"replay, {name}, {jobs}", path, jobs, setting.account)
            for name, path in inputs for jobs in (1, 2)]
    ours.append(replay(setting, "replay, text columns, 1", setting.events("text.arrows"), 1, setting.account))
    peers = [make(setting, form, 1) for make, form in ((duckdb, "duckdb"), (polars, "parquet"))]

    def check():
        require_same(ours)
        for peer in peers:
            require_agreement(setting, ours[0], peer)

    works = {work.name: work for work in alternate(packing + ours + peers, setting.runs, check)}
    sizes = {name: Path(path).stat().st_size for name, path in inputs}
    return works, sizes


def goal_rows(works, sizes, count):
    """The goal, its aim, what was measured by the clock and by the processor, and which of the two counts."""
    def ratio(one, other):
        return [getattr(works[one], cost) / getattr(works[other], cost) for cost in ("seconds", "processor_seconds")]

    def at_least(name, aim, figures):
        return name, f"≥ {aim}", figures, figures[0] >= aim

    def at_most(name, aim, figures):
        return name, f"≤ {aim}", figures, figures[0] <= aim

    lines, zstd, plain = "replay, jsonl, 1", "replay, zstd, 1", "replay, plain, 1"
    yield at_least("a replay of JSON Lines / of columns, zstd, one core", 4, ratio(lines, zstd))
    yield at_least("a replay of JSON Lines / of columns, plain, one core", 5.5, ratio(lines, plain))
    for name, work in (("zstd", zstd), ("plain", plain)):
        yield at_least(f"Polars on Parquet / a replay of columns, {name}, one core", 8, ratio("Polars, parquet, 1", work))
        yield at_least(f"DuckDB on its own table / a replay of columns, {name}, one core", 10,
                       ratio("DuckDB, duckdb, 1", work))
        scaling = ratio(work, work[:-1] + "2")[:1]
        yield at_least(f"columns, {name}: × as fast on two cores as on one", 1.7, scaling)
    yield at_most("`pack` / a replay of JSON Lines, one core", 1.7, ratio("pack, zstd, 1", lines))
    yield at_least("JSON Lines / columns, zstd, in bytes", 15, [sizes["jsonl"] / sizes["zstd"]])
    yield at_most("a replay of text columns / of JSON Lines, one core", 0.8, ratio("replay, text columns, 1", lines))
    if count >= 20_000_000:
        yield at_most("MB resident, a replay of columns, zstd, one core", 150, [works[zstd].resident_megabytes])


def text(works, sizes, count):
    """The chapter."""
    goals = [[name, aim, *[f"{figure:.2f}" for figure in figures], *[""] * (2 - len(figures)), "yes" if reached else "**no**"]
             for name, aim, figures, reached in goal_rows(works, sizes, count)]
    rows = [[work.name, *cost_cells(work, count)] for work in works.values()]
    megabytes = ", ".join(f"{name} {size / 1e6:.0f}" for name, size in sizes.items())
    weeks = f" The capture is one of {thousands(LONGEST_WEEK)} attestations several times, a week apart."
    return "\n\n".join([
        f"## Captures as columns, {thousands(count)} attestations",
        "P7. Every engine found the same figures. *Reached* goes by the clock. MB of the captures: " + megabytes + "."
        + (weeks if count > LONGEST_WEEK else ""),
        table(["goal", "aim", "by the clock", "by the processor", "reached"], goals),
        table(["work, input, threads", *COST_HEADS], rows),
    ])
