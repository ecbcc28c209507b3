import Foundation
import Testing

@testable import Reports
@testable import TestSupport
@testable import scenario

/// `scenario schema report`: the JSON Schema of all JSON reports.
@Suite struct ReportSchemaTests {
    private static let stricter = ["--change", "policy -set default,strict,risk"]

    /// The kind of report, and a command line that writes one.
    static let rows: [Case<Words, String>] = {
        let path = "Tests/Tables/words/report-kinds.txt"
        let file = CaseFile(path: path, text: (try? Repository.text(of: path)) ?? "")
        return file.cases.flatMap(\.body).rows(36).map { line in
            let parts = line.split(separator: ": ").map(String.init)
            let words = parts[1].replacing("DEVICE", with: DiffSample.device(0))
            return Case(words, Words(stringLiteral: words), gives: parts[0])
        }
    }()

    private static let scenario = """
        scenario: Shop
        devices: {bob: {id: \(Sample.bob), flags: [rooted]}, crowd: {count: 2, os: ios}}
        steps: [{at: 0s, fetch: all, expect: {pass: 3}}, {at: 1h, fetch: crowd}]

        """

    // A label of a device with each verdict, and one that fits no record.
    private static let more = [
        "s.yaml": scenario, "crowd.jsonl": DiffSample.capture(devices: 40, rooted: 20),
        "labels.csv": "device-id,label\n\(Sample.bob),bad\n\(Sample.amy),good\n\(DiffSample.device(1)),good\n",
        "trial.yaml": "rules: [trial]\npolicy: default,allow-root,default\n",
        "one.yaml": "apis: [{domain: a.com}]\n", "log.jsonl": #"{"time":1595502643,"token":null}"# + "\n",
        "allowed.yaml": "dev-key: x # scenario: allow development-key because of testers\n",
    ]

    private static let schema = try? ToolRun("schema report").output

    // The schema of one kind of report alone.
    private static func schema(of kind: String) throws -> String {
        let text = try #require(schema)
        var root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        root["anyOf"] = nil
        root["$ref"] = "#/$defs/\(kind)"
        return String(decoding: try JSONSerialization.data(withJSONObject: root), as: UTF8.self)
    }

    private static func report(_ row: Case<Words, String>) throws -> String {
        let folder = try TemporaryFolder(DiffSample.files.merging(more) { $1 })
        let words = row.input.list.map {
            $0.hasPrefix("Scenarios/") ? Repository.root.appending(path: $0).path(percentEncoded: false) : $0
        }
        return ToolRun(words + ["--format=json"], in: folder).output
    }

    @Test func everyReportIsOfItsKindAlone() async throws {
        let reports = try Self.rows.map { try Self.report($0) }
        #expect(reports.allSatisfy { $0.hasPrefix("{\"version\":1,") })
        let whole = try await SchemaCheck.problems(in: reports, by: try #require(Self.schema))
        for (row, problem) in zip(Self.rows, whole) { #expect(problem == nil, "\(row.label)") }
        for kind in Set(Self.rows.map(\.expected)) {
            let problems = try await SchemaCheck.problems(in: reports, by: Self.schema(of: kind))
            for (row, problem) in zip(Self.rows, problems) {
                expect((problem == nil), equals: (row.expected == kind), "\(row.label) as \(kind): \(problem ?? "")")
            }
        }
    }

    @Test func everyKindThatACommandNamesIsWritten() {
        let kinds = ScenarioTool.commands.flatMap(\.reports).map(\.name)
        expect(Set(kinds).sorted(), equals: Set(Self.rows.map(\.expected)).sorted())
    }

    @Test func everyCommandThatWritesJSONNamesItsKinds() {
        let writing = ScenarioTool.commands.filter { command in
            command.options.contains { $0.name == "--format" && $0.shape?.choices?.contains("json") == true }
        }
        expect(writing.filter(\.reports.isEmpty).map(\.name), equals: [])
        #expect(writing.count >= 12)
    }

    @Test func everyMemberIsDescribed() throws {
        let text = try #require(Self.schema)
        let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        expect(Self.undescribed(root, path: ""), equals: [])
    }

    // The paths of members without a description.
    private static func undescribed(_ value: Any, path: String) -> [String] {
        if let list = value as? [Any] { return list.flatMap { undescribed($0, path: path) } }
        guard let object = value as? [String: Any] else { return [] }
        let members = object["properties"] as? [String: [String: Any]] ?? [:]
        let own = members.filter { ($0.value["description"] as? String ?? "").isEmpty }.map { "\(path)/\($0.key)" }
        return own.sorted()
            + object.sorted { $0.key < $1.key }.flatMap { undescribed($0.value, path: "\(path)/\($0.key)") }
    }

    @Test func otherMembersAndValuesAreRefused() async throws {
        let report = try Self.report(Case("replay @day.txt", gives: "report"))
        let changed = [
            report.replacing("\"billing\":", with: "\"biling\":"), report.replacing("{\"version\":1,", with: "{"),
            report.replacing("\"attestations\":2", with: "\"attestations\":\"two\""),
            report.replacing("{\"version\":1,", with: "{\"version\":1,\"more\":1,"),
            report.replacing("T10:00:00Z", with: " 10:00"),
        ]
        #expect(changed.allSatisfy { $0 != report })
        let problems = try await SchemaCheck.problems(in: [report] + changed, by: try Self.schema(of: "report"))
        expect(problems.map { $0 == nil }, equals: [true, false, false, false, false, false])
    }
}

/// The shape of JSON reports (formats: Report).
@Suite struct JSONShapeTests {
    private static let scenario = """
        scenario: "Shape \\"quoted\\" \\u00e9"
        account: {filters: [{name: myip, key: ip, match: 1.2.3.4}]}
        devices:
          bob: {os: android, flags: [rooted], attributes: {ip: 1.2.3.4, appid: com.example, app-version: "1.0"}}
          stock: {count: 2, os: ios, attributes: {appid: com.example}}
        steps: [{at: 0s, fetch: all, expect: {pass: 2, fail: 0}}, {at: 1d, launch: all}, {at: 1d, fetch: all}]

        """

    private static let order = [
        "version", "summary", "scenarios", "metrics", "lifetimes", "devices", "windows", "filters", "reproduced",
    ]

    private static let commands = [["run", "@s.yaml"], ["replay", "@day.txt"], ["replay", "@fetches.txt"]]
    private static var files: [String: String] { Sample.files.merging(["s.yaml": scenario]) { $1 } }

    private static func report(_ arguments: [String]) throws -> JSONText {
        try JSONText(try ToolRun(arguments + ["--format", "json"], files: files).output)
    }

    @Test(arguments: commands) func theTopLevelKeepsItsOrder(arguments: [String]) throws {
        let keys = try Self.report(arguments).keys[0]
        expect(Array(keys.prefix(Self.order.count)), equals: Self.order)
        expect(Set(keys).count, equals: keys.count)
    }

    @Test(arguments: commands) func allOtherKeysAreSorted(arguments: [String]) throws {
        for keys in try Self.report(arguments).keys.dropFirst() {
            expect(keys, equals: keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
    }

    @Test(arguments: commands) func isOneLine(arguments: [String]) throws {
        let output = try ToolRun(arguments + ["--format", "json"], files: Self.files).output
        #expect(output.hasPrefix("{\"version\":1,\"summary\":{"))
        #expect(output.hasSuffix("}\n"))
        expect(output.count { $0 == "\n" }, equals: 1)
    }
}

/// A JSON document: its values, and the keys of its objects in their order.
struct JSONText {
    private let root: [String: Any]
    /// For each object, in the order of their beginnings, its keys.
    let keys: [[String]]

    init(_ text: String) throws {
        root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        keys = Self.keys(of: text)
    }

    /// The value at a path of keys.
    subscript(path: String...) -> Any? { value(path) }

    /// The whole number at a path of keys.
    func integer(_ path: String...) -> Int? { value(path) as? Int }

    private func value(_ path: [String]) -> Any? {
        path.reduce(root as Any?) { ($0 as? [String: Any])?[$1] }
    }

    private static func keys(of text: String) -> [[String]] {
        var (keys, open, latest) = ([[String]](), [Int](), "")
        var scanner = text[...]
        while let character = scanner.popFirst() {
            switch character {
            case "{":
                open.append(keys.count)
                keys.append([])
            case "}": open.removeLast()
            case "\"": latest = string(&scanner)
            case ":": keys[open[open.count - 1]].append(latest)
            default: break
            }
        }
        return keys
    }

    // The rest of a string up to its quote; escapes stay as they are.
    private static func string(_ scanner: inout Substring) -> String {
        var text = ""
        while let character = scanner.popFirst(), character != "\"" {
            text.append(character)
            if character == "\\", let next = scanner.popFirst() { text.append(next) }
        }
        return text
    }
}
