import Foundation
import Testing

@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// Records with names and times of others are read as those with the service's own: each report has the same bytes.
@Suite struct RecordFormTests {
    private static let root = Repository.root.path(percentEncoded: false)
    private static let bank = "--account=\(root)Scenarios/accounts/bank.yaml"
    private static let renamed = [
        "device-id": "device_id", "time": "ts", "flags": "signals", "ip": "client.ip", "app-version": "Version",
    ]
    private static let rename = "--rename=" + renamed.map { "\($0.value)=\($0.key)" }.sorted().joined(separator: ",")

    // A way to write the time of a record.
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let options: [String]
        let time: @Sendable (Instant) -> any Sendable

        init(_ name: String, _ options: [String] = [], _ time: @escaping @Sendable (Instant) -> any Sendable) {
            (testDescription, self.options, self.time) = (name, options, time)
        }
    }

    private static func text(_ time: Instant, _ separator: String, _ end: String = "") -> String {
        time.description.replacing("T", with: separator).replacing("Z", with: end)
    }

    static let forms = [
        Form("the service's own time") { "\($0)" },
        Form("seconds") { $0.secondsSinceEpoch },
        Form("milliseconds") { $0.secondsSinceEpoch * 1000 + 999 },
        Form("microseconds") { $0.secondsSinceEpoch * 1_000_000 },
        Form("nanoseconds") { $0.secondsSinceEpoch * 1_000_000_000 + 1 },
        Form("seconds as text") { "\($0.secondsSinceEpoch)" },
        Form("seconds with a fraction") { "\($0.secondsSinceEpoch).75" },
        Form("a time without a zone", ["--timezone=+02:00"]) { text($0 + 7200, " ") },
        Form("the same with a fraction", ["--timezone=Europe/Madrid"]) { text($0 + 7200, "T", ".125") },
    ]

    private static func lines(_ form: Form?) throws -> String {
        let text = try Repository.text(of: "Scenarios/captures/afternoon-2020-07-23.jsonl")
        return try text.split(separator: "\n").map { line in
            var record = try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            if let form, let time = Instant(rfc3339: record["time"] as? String ?? "") {
                record["time"] = form.time(time)
                for (key, name) in renamed { record[name] = record.removeValue(forKey: key) }
            }
            let json = try JSONSerialization.data(
                withJSONObject: record, options: [.sortedKeys, .withoutEscapingSlashes])
            return String(decoding: json, as: UTF8.self) + "\n"
        }.joined()
    }

    private static let commands: [[String]] = [
        ["replay", "--format=csv"], ["replay", "--format=csv-long", "--count=ip,app-version"],
        ["diff", "--policy=default,strict,risk", "--format=csv", "--who=app-version,ip/16"],
        ["whatif", "--format=csv"], ["compare", "@other.jsonl", "--format=csv"],
    ]

    // Each report on a capture, and the records after packing.
    private static func reports(_ capture: String, _ options: [String], _ folder: TemporaryFolder) throws -> [String] {
        try commands.map { command in
            let run = ToolRun([command[0], capture, bank] + command.dropFirst() + options, in: folder)
            try #require(run.status == .success, "\(command) \(run.error)")
            #expect(run.output.utf8.count > 100)
            return run.output
        }
    }

    @Test(arguments: forms) func reportsAreTheSame(_ form: Form) throws {
        let folder = try TemporaryFolder(["plain.jsonl": Self.lines(nil), "others.jsonl": Self.lines(form)])
        let options = [Self.rename] + form.options
        // The capture that is compared with has the same form.
        try folder.write(Self.lines(nil), to: "other.jsonl")
        let plain = try Self.reports("@plain.jsonl", [], folder)
        try folder.write(Self.lines(form), to: "other.jsonl")
        try expect(Self.reports("@others.jsonl", options, folder), equals: plain)
        // Packed columns have the service's own names and times.
        for (name, options) in [("plain", []), ("others", options)] {
            let run = ToolRun(["pack", "@\(name).jsonl", "--output=@\(name).arrow"] + options, in: folder)
            try #require(run.status == .success, "\(run.error)")
        }
        try folder.write(Self.lines(nil), to: "other.jsonl")
        try expect(Self.reports("@others.arrow", [], folder), equals: plain)
    }

    @Test func columnsOfOthersAreReadAlike() throws {
        let folder = try TemporaryFolder(["plain.jsonl": Self.lines(nil)])
        _ = ToolRun("pack @plain.jsonl --output @plain.arrow", in: folder)
        for unit in ["s", "ms", "us", "ns", "number"] {
            _ = try Python.columns.output(
                of: "CommandTests/scenario/Tooling/renamed.py",
                [folder.path("plain.arrow"), folder.path("others.arrow"), unit, Self.rename])
            let commands = Self.commands.filter { $0[0] != "compare" }
            for command in commands {
                let runs = [("plain", []), ("others", [Self.rename])].map { name, options in
                    ToolRun([command[0], "@\(name).arrow", Self.bank] + command.dropFirst() + options, in: folder)
                }
                expect(runs[1].output, equals: runs[0].output, "\(unit) \(command) \(runs[1].error)")
                #expect(runs[0].output.utf8.count > 100)
            }
        }
    }

    @Test(
        "a wrong option is refused",
        arguments: [
            ("x", "`x` is not `NAME=KEY`"), ("=ip", "`=ip` is not `NAME=KEY`"), ("a=b=c", "`a=b=c` is not `NAME=KEY`"),
            ("a=ip,b=ip", "two names are `ip`"), ("a=ip,a=app", "`a` is renamed twice"),
            ("id=device_id", "`device_id` is no key"), ("", "the value of option `--rename NAME=KEY,…` is empty"),
        ])
    func refusals(_ text: String, _ message: String) throws {
        let folder = try TemporaryFolder(["plain.jsonl": Self.lines(nil)])
        let run = ToolRun(["replay", "@plain.jsonl", "--rename=\(text)"], in: folder)
        expect(run.status, equals: .usage)
        #expect(run.error.contains(message), "\(run.error)")
    }

    @Test func aTimeWithoutAZoneNeedsOne() throws {
        let line = #"{"time":"2020-07-23T10:00:00","device-id":"qZka0yfv+ExvOq3PRh6pGw==","flags":""}"# + "\n"
        let run = ToolRun("replay @a.jsonl", in: try TemporaryFolder(["a.jsonl": line]))
        expect(run.status, equals: .invalidInput)
        #expect(run.error.contains("it has no time zone; give its offset from UTC with --timezone"), "\(run.error)")
    }
}
