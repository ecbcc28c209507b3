import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `scenario pack`, as a user types it.
@Suite struct PackCommandTests {
    private static let day = """
        {"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":"rooted,xposed","ip":"1.2.3.4"}
        {"time":"2020-07-23T13:10:44+02:00","device-id":"AAAAAAAAAAAAAAAAAAAAAQ==","public-flags":"","ip":null,"n":5,"b":true}

        {"time":"2020-07-23T11:10:44Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":["rooted","frida"],"é":"\\u00e9\\n"}

        """

    private static let disorder = """
        {"time":"2020-07-23T12:00:00Z","device-id":"AAAAAAAAAAAAAAAAAAAAAQ==","flags":""}
        {"time":"2020-07-23T11:00:00Z","device-id":"AAAAAAAAAAAAAAAAAAAAAQ==","flags":""}

        """

    private static let files = [
        "day.jsonl": day, "disorder.jsonl": disorder, "bad.jsonl": "{}\n" + day, "none.jsonl": "{}\n",
        "fetches.txt": "AAAAAAAAAAAAAAAAAAAAAQ==\n",
        "origin.jsonl": String(day.prefix(108)) + #","origin-line":"1"}"# + "\n",
        "old.arrow": "old",
    ]

    static let refused: [ToolRow] = [
        .usage("no capture", "pack --output x", "`CAPTURE…` is missing; `--help` shows how it is used"),
        .usage(
            "no output", "pack day.jsonl", "option `--output` is missing; the file to write; `-` is standard output"),
        .usage(
            "two ways to compress", "pack day.jsonl --output x --level 3 --plain",
            "`--plain` cannot be combined with `--level`"),
        .usage(
            "a level of lines", "pack day.jsonl --output x.jsonl --level 3",
            "`--level` is of columns, and `x.jsonl` stands for JSON Lines"),
        .usage(
            "columns that are compressed twice", "pack day.jsonl --output x.arrow.gz",
            "`x.arrow.gz` stands for a compressed file, and columns are compressed within the file; "
                + "an ending .arrow for columns, .jsonl.gz or .jsonl.zst for JSON Lines"),
        .usage(
            "a form that others would expect", "pack day.jsonl --output week.Parquet",
            "no file of the form `.parquet` is written; an ending .arrow for columns, .jsonl, .jsonl.gz or .jsonl.zst for "
                + "JSON Lines"),
        .usage(
            "the capture itself", "pack @day.jsonl --output @day.jsonl",
            "`--output` would overwrite `day.jsonl`, which is read"),
        .invalid(
            "out of order", "pack @disorder.jsonl --output @old.arrow",
            "disorder.jsonl:2: error: record of 2020-07-23T11:00:00Z after one of 2020-07-23T12:00:00Z\n"
                + "  hint: --sort puts records into the order of time"),
        .invalid(
            "a malformed record", "pack @bad.jsonl --output @old.arrow",
            "bad.jsonl:1: error: record without `device-id`"),
        .invalid(
            "a key of the form", "pack @origin.jsonl --output @old.arrow",
            "origin.jsonl: error: the key `origin-line` cannot be the name of a column\n"
                + "  hint: a packed capture has at most 4096 columns, names of at most 1024 bytes, and `origin-line`, "
                + "`origin-capture` and `origin-record` for itself"),
        .invalid("a full disk", "pack @day.jsonl --output /dev/full", "/dev/full: error: no space left on device"),
        .invalid("no folder", "pack @day.jsonl --output @no/x", "no/x: error: no such file or directory"),
        .invalid(
            "fetches", "pack @fetches.txt --output @old.arrow",
            "fetches.txt: error: a capture of fetches has no attestations, so `pack` would have no effect\n"
                + "  hint: `--fetches` takes it, to weigh a capture of attestations"),
    ]

    @Test(arguments: refused) func nothingIsWritten(_ row: ToolRow) throws {
        let folder = try TemporaryFolder(Self.files)
        let before = folder.names
        row.expectNoOutput(of: ToolRun(row.arguments.list, in: folder))
        #expect(folder.names == before && folder["old.arrow"] == "old")
    }

    @Test func nothingToPack() throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun("pack @none.jsonl --skip-malformed --output @old.arrow", in: folder)
        #expect(run.status == .nothingRan && run.output == "" && folder["old.arrow"] == "old")
        #expect(run.error.hasSuffix("scenario: error: nothing to pack: the captures contain no valid record\n"))
    }

    @Test("the result says what is in the file") func summary() throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun("pack @day.jsonl --output @old.arrow", in: folder)
        #expect(run.status == .success && run.error == "")
        #expect(run.output == "old.arrow: 3 records of 2 devices\n")
        #expect(folder.bytes(of: "old.arrow")?.starts(with: Array("ARROW1".utf8)) == true)
        let skipped = ToolRun("pack @bad.jsonl --skip-malformed --output @old.arrow --plain", in: folder)
        #expect(skipped.output == "old.arrow: 3 records of 2 devices; 1 malformed record left out\n")
    }

    @Test("the ending decides the form") func endings() throws {
        let folder = try TemporaryFolder(Self.files)
        for name in ["x.jsonl", "x.JSONL.gz", "x.jsonl.zst"] {
            ToolRun("pack @day.jsonl --output @\(name)", in: folder).ending(.success)
            let replays = ["day.jsonl", name].map { ToolRun("replay @\($0) --format json", in: folder).output }
            #expect(replays[0] == replays[1] && replays[0].contains("\"attestations\""))
        }
        #expect(ToolRun("pack @day.jsonl --output @x.arrows", in: folder).status == .success)
        #expect(folder.bytes(of: "x.arrows")?.starts(with: [255, 255, 255, 255]) == true)
        let piped = try ToolProcess(
            ["pack", "day.jsonl", "--output", "-"], in: folder, output: folder.path("old.arrow"))
        #expect(piped.end().status == 0)
        // A stream has the path of its capture in it, so that both have the same bytes only from the same folder.
        #expect(folder.bytes(of: "old.arrow")?.starts(with: [255, 255, 255, 255]) == true)
    }

    private static let examples = [
        "Scenarios/captures/new-devices-2020-07-23.txt", "Scenarios/captures/afternoon-2020-07-23.jsonl",
        "device-information capture.txt", "fetches-weigh capture.jsonl", "sorted-json-lines capture.jsonl",
    ]

    @Test("an example that was packed is replayed as before, and comes back", arguments: examples)
    func examplesComeBack(_ path: String) throws {
        let folder = try TemporaryFolder()
        // A file of the package, or of a case of the transcripts.
        let words = path.split(separator: " ").map(String.init)
        let capture =
            words.count == 1
            ? Repository.root.appending(path: path).path(percentEncoded: false)
            : try folder.write(Transcript.file(words[1], of: words[0], in: "reports/replay.txt"), to: words[1])
        func run(_ words: String...) {
            let run = ToolRun(words + ["--skip-malformed", "--sort"], in: folder)
            #expect(run.status == .success, "\(words): \(run.error)")
        }
        run("pack", capture, "--output", "@packed.arrow")
        run("pack", "@packed.arrow", "--output", "@unpacked.jsonl")
        run("pack", capture, "--output", "@lines.jsonl")
        #expect(folder["unpacked.jsonl"] == folder["lines.jsonl"] && folder["lines.jsonl"]?.isEmpty == false)
        for name in ["packed.arrow", "unpacked.jsonl"] {
            run("replay", "@\(name)", "--decisions", "@\(name).decisions")
        }
        #expect(folder["packed.arrow.decisions"] == folder["unpacked.jsonl.decisions"])
        #expect(folder["packed.arrow.decisions"]?.contains("\"verdict\"") == true)
    }

    @Test(
        "pyarrow, polars, pandas and DuckDB read the values that Python reads in the lines",
        arguments: [
            "--level 1", "--level 19", "--plain",
        ]) func othersReadIt(_ option: String) throws
    {
        var chance = Chance(seed: 7)
        let drawn = (0..<3000).map { number in
            let second = number / 60
            let words = (0..<chance.below(4)).map { _ in "w\(chance.below(3000))" }.joined(separator: ",")
            let optional = chance.happens(20) ? #","n":\#(chance.below(400))"# : ""
            return #"{"time":"2020-07-23T\#(10 + second / 60 % 10):\#(10 + second % 50):00Z","device-id":""#
                + "\(TestSupport.Sample.device(chance.below(700)))"
                + #"","flags":"rooted","note":"\#(words)"\#(optional)}"# + "\n"
        }
        let folder = try TemporaryFolder(["day.jsonl": Self.day, "drawn.jsonl": drawn.joined()])
        for (name, ending) in [("day", "arrow"), ("drawn", "arrow"), ("day", "arrows"), ("drawn", "arrows")] {
            let (capture, packed) = ("@\(name).jsonl", "@\(name).\(ending)")
            let run = ToolRun(
                ["pack", capture, "--output", packed] + option.split(separator: " ").map(String.init), in: folder)
            #expect(run.status == .success, "\(run.error)")
            let differences = try Self.compare(folder.path("\(name).\(ending)"), folder.path("\(name).jsonl"))
            #expect(differences == "", "\(packed)")
        }
    }

    // The output of the program for Python.
    private static func compare(_ packed: String, _ lines: String) throws -> String {
        let (process, output) = (Process(), Pipe())
        let python = Repository.root.appending(path: ".build/columns/venv/bin/python")
        process.executableURL = python
        let program = Repository.root.appending(path: "Tests/scenarioTests/Tooling/packed.py")
        process.arguments = ["-B", program.path(percentEncoded: false), packed, lines]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "`make test-setup` installs pyarrow, polars, pandas and DuckDB")
        return String(decoding: data, as: UTF8.self)
    }

    @Test("a signal leaves nothing behind", arguments: [SIGINT, SIGTERM, SIGKILL]) func signalled(signal: Int32) throws
    {
        let folder = try TemporaryFolder(["out": "earlier"])
        let run = try ToolProcess(["pack", "-", "--output", "out"], in: folder)
        run.type(Self.day)
        // The spool has a name for a moment, and the output until it is finished.
        var partials = 0
        for _ in 0..<60_000 where partials != 1 {
            usleep(1_000)
            partials = folder.names.count { $0.hasSuffix(".partial") }
        }
        #expect(partials == 1)
        run.send(signal)
        #expect(run.end().status == -signal)
        if signal == SIGKILL {
            let again = try ToolProcess(["pack", "-", "--output", "out"], in: folder)
            again.type(Self.day)
            again.endInput()
            #expect(again.end().status == 0)
        } else {
            #expect(folder["out"] == "earlier")
        }
        #expect(ToolProcess.names(in: folder) == ["out"])
    }
}
