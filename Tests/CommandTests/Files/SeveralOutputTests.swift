import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `--output` more than once, and forms by the endings of files.
@Suite struct SeveralOutputTests {
    private static let diff: Words =
        "diff @three.jsonl --account=@plain.yaml --candidate=@root.yaml --max-newly-accepted=0"

    /// Command lines, and the endings of their forms.
    static let commands: [Case<Words, [String: String]>] = [
        Case(
            diff,
            gives: [
                "txt": "text", "json": "json", "md": "markdown", "html": "html", "csv": "csv", "xml": "junit",
                "sarif": "sarif", "other": "text",
            ]),
        Case(
            "run @fails.yaml",
            gives: ["json": "json", "html": "html", "xml": "junit", "tap": "tap", "prom": "openmetrics", "txt": "text"]),
        Case("replay @day.txt", gives: ["json": "json", "csv": "csv", "prom": "openmetrics", "mbox": "summary-mail"]),
        Case("whatif @three.jsonl --account=@plain.yaml", gives: ["json": "json", "csv": "csv", "html": "html"]),
    ]

    @Test(arguments: commands) func eachFileHasTheFormOfItsEnding(_ row: Case<Words, [String: String]>) throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let endings = row.expected.keys.sorted()
        let together = ToolRun(row.input.list + endings.map { "--output=@all.\($0)" }, in: folder)
        #expect(together.output == "")
        for ending in endings {
            let form = try #require(row.expected[ending])
            let alone = ToolRun(row.input.list + ["--format=\(form)", "--output=@alone"], in: folder)
            #expect(alone.status == together.status && alone.error == together.error)
            #expect(folder["all.\(ending)"] == folder["alone"], "\(ending)")
            _ = ToolRun(row.input.list + ["--output=@single.\(ending)"], in: folder)
            #expect(folder["single.\(ending)"] == folder["alone"], "\(ending)")
        }
    }

    @Test func aFormThatIsNamedIsThatOfAllFiles() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        _ = ToolRun(Self.diff.list + ["--format=csv", "-o", "@a.json", "-o", "@b.md"], in: folder)
        #expect(folder["a.json"]?.hasPrefix("change,by,") == true && folder["a.json"] == folder["b.md"])
    }

    @Test func eachFormHidesDevicesAsItDoesAlone() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let run = ToolRun(Self.diff.list + ["-o", "@a.md", "-o", "@b.json", "-o", "-"], in: folder)
        #expect(folder["a.md"]?.contains("device-") == true && folder["a.md"]?.contains(DiffSample.device(0)) == false)
        #expect(folder["b.json"]?.contains(DiffSample.device(0)) == true && run.output.contains(DiffSample.device(0)))
    }

    @Test(arguments: [("gz", "gzip"), ("zst", "zstd")]) func anEndingCompresses(_ ending: String, _ program: String)
        throws
    {
        let folder = try TemporaryFolder(DiffSample.files)
        _ = ToolRun(
            Self.diff.list + ["-o", "@a.json", "-o", "@b.json.\(ending)", "-o", "@c.JSON.\(ending)"], in: folder)
        for name in ["b.json.\(ending)", "c.JSON.\(ending)"] {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [program, "-dc", folder.path(name)]
            process.standardOutput = output
            try process.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0 && String(decoding: data, as: UTF8.self) == folder["a.json"])
        }
    }

    @Test func aFileThatFailsLeavesTheOthersRight() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        try folder.write("as it was", to: "third.csv")
        let run = ToolRun(
            Self.diff.list + ["-o", "@first.json", "-o", "@missing/second.html", "-o", "@third.csv"], in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.error == "missing/second.html: error: no such file or directory\n")
        #expect(folder["first.json"]?.hasSuffix("}\n") == true && folder["third.csv"]?.hasPrefix("change,by,") == true)
    }

    static let wrong: [ToolRow] = [
        .usage(
            "a form that the command lacks", "run @good.yaml --output=report.md",
            "`report.md` stands for the form `markdown`, which `run` does not write; `--format text` writes text, "
                + "whatever the name of the file"),
        .usage(
            "behind a compression", "whatif @three.jsonl --account=new -o a.json -o b.xml.gz",
            "`b.xml.gz` stands for the form `junit`, which `whatif` does not write; `--format text` writes text, whatever "
                + "the name of the file"),
        .usage(
            "a form that no report has", "run @good.yaml --output=report.PDF",
            "`report.PDF` stands for a form that no report has; `run` writes text, json, html, openmetrics, junit, tap, "
                + "github, summary-mail; `--format` names one of them, whatever the name of the file"),
        .usage(
            "one file twice", "run @good.yaml -o same.json -o same.json",
            "`--output` and `--output` cannot go to the same file"),
        .usage(
            "samples of no form that has them", "replay @day.txt --output=a.json --step=1m",
            "`--step` needs `--format openmetrics`"),
    ]

    @Test(arguments: wrong) func wrongFormsAreRefused(_ row: ToolRow) throws {
        try row.expectNoOutput(files: DiffSample.files)
    }

    @Test func aReportHasMinutesOnlyIfItWouldAlone() throws {
        let folder = try TemporaryFolder(Sample.files)
        _ = ToolRun("replay @day.txt -o @a.csv -o @a.json", in: folder)
        #expect(folder["a.csv"]?.contains("minute,") == true && folder["a.json"]?.contains("\"series\"") == false)
        #expect(ToolRun("replay @day.txt -o @b.json --series", in: folder).status == .success)
        #expect(folder["b.json"]?.contains("\"series\"") == true)
    }

    // Worked out by hand: bob's record is rejected for `rooted`, and amy's passes.
    @Test func longCSVHasARowForEachCount() throws {
        let files = [
            "c.jsonl":
                #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Sample.bob)","flags":"rooted","appid":"com.a-b","#
                + #""app-version":"1-2","device":"iOS 13"}"# + "\n"
        ]
        let run = try ToolRun("replay @c.jsonl --format=csv-long", files: files)
        let rows = run.output.split(separator: "\r\n").map(String.init)
        #expect(rows.first == "window,start,metric,app,version,flag,value")
        let time = "2020-07-23T10:00:00Z"
        for row in [
            "minute,\(time),pass,,,,0", "minute,\(time),fail,,,,1", "minute,\(time),fail-flag,,,rooted,1",
            "minute,\(time),rejection-flag,,,rooted,1", "minute,\(time),policy-default,,,,1",
            "hourly,\(time),fail,,,,1", "daily,2020-07-23T00:00:00Z,fail-flag,,,rooted,1",
            "monthly,2020-07-01T00:00:00Z,fail,,,,1",
        ] { #expect(rows.contains(row), "\(row)") }
        let apps = rows.filter { $0.hasPrefix("minute,") && $0.contains("-app") }
        #expect(apps.count == 2)
        let system = apps[0].contains("ios-com.a-b") ? "ios" : "unknown"
        #expect(
            apps == [
                "minute,\(time),fail-app,\(system)-com.a-b,,,1", "minute,\(time),fail-appver,\(system)-com.a-b,1-2,,1",
            ])
    }
}
