import PolicyEngine
import Testing

@testable import Analysis
@testable import Documents
@testable import TestSupport

/// Findings in files, and their positions.
@Suite struct LinterTests {
    struct Row: LabelledRow {
        let name: String
        /// Files by name; captures end with `.jsonl`.
        let files: [String: String]
        /// `file:line:column code` of each finding, sorted; `error` where there is no code.
        let found: [String]
    }

    private static func records(_ ips: [String]) -> String {
        ips.enumerated().map { number, ip in
            let id = DeviceID(first: 7, second: UInt64(number))
            return #"{"time":"2020-07-23T11:10:43Z","device-id":"\#(id)","flags":"","ip":"\#(ip)"}"# + "\n"
        }.joined()
    }

    private static let filter = """
        filters:
          - {name: lab, key: ip, match: 1.2.3.4, reject: true}
          - {name: watched, key: ip, match: 5.6.7.8}

        """

    static let rows = [
        Row(name: "a valid account", files: ["a.yaml": "policy: default,strict,risk\n"], found: []),
        Row(name: "an error", files: ["a.yaml": "polcy: x\n"], found: ["a.yaml:1:1 error"]),
        Row(
            name: "the account of a scenario, at its position",
            files: ["s.yaml": "scenario: s\naccount:\n  policy: default,default,all\nexpect: {metrics: {pass: 0}}\n"],
            found: ["s.yaml:3:11 annotates-everything"]),
        Row(
            name: "accounts of one team in two files",
            files: [
                "a.yaml": "devicecheck: {team-id: T, key-id: K, bits: both}\n",
                "b.yaml": "account: b\ndevicecheck: {team-id: T, key-id: L, bits: none}\n",
            ], found: ["a.yaml:1:14 autoban-with-shared-team"]),
        Row(
            name: "exact flags that cannot be",
            files: [
                "a.yaml": """
                filters:
                  - {name: order, key: flags-all, match: "xposed,rooted"}
                  - {name: space, key: flags-all, match: "rooted, xposed"}
                  - {name: left-out, key: flags-all, match: "rooted,new-did"}
                  - {name: unknown, key: public-flags, match: "roted"}
                  - {name: none-set, key: flags-all, match: ""}
                  - {name: fine, key: flags-all, match: "rooted,xposed"}
                  - {name: id, key: device-id, match: "abc"}
                  - {name: long, key: user-property, match: "a/b"}

                """
            ],
            found: [2, 3, 4, 5, 8, 9].map { "a.yaml:\($0):12 filter-never-matches" }),
        Row(
            name: "inputs that exclude each other",
            files: [
                "a.yaml": """
                filters:
                  - {name: one, key: ip, match: 1.2.3.4}
                  - {name: two, key: ip, match: 5.6.7.8}
                  - {name: both, conjunction: [one, two], ban: true}

                """
            ], found: ["a.yaml:4:12 filter-never-matches"]),
        Row(
            name: "inputs that look alike and differ in their bytes",
            files: [
                "a.yaml": """
                filters:
                  - {name: one, key: "caf\\xE9", match: x}
                  - {name: two, key: "cafe\\u0301", match: y}
                  - {name: keys, conjunction: [one, two], ban: true}
                  - {name: three, key: app-name, match: "caf\\xE9"}
                  - {name: four, key: app-name, match: "cafe\\u0301"}
                  - {name: values, conjunction: [three, four], ban: true}

                """
            ],
            found: [
                "a.yaml:2:12 unknown-filter-key", "a.yaml:3:12 unknown-filter-key", "a.yaml:7:12 filter-never-matches",
            ]),
        Row(
            name: "a filter that rejects 1 of 20, which is 5 % and no more",
            files: ["a.yaml": filter, "c.jsonl": records(["1.2.3.4"] + Array(repeating: "5.6.7.8", count: 19))],
            found: []),
        Row(
            name: "a filter that rejects 2 of 39",
            files: [
                "a.yaml": filter,
                "c.jsonl": records(["1.2.3.4", "1.2.3.4"] + Array(repeating: "5.6.7.8", count: 37)),
            ], found: ["a.yaml:2:12 rejects-many"]),
        Row(
            name: "a malformed capture", files: ["c.jsonl": "{}\n" + records(["1.2.3.4"])],
            found: ["c.jsonl:1 error"]),
    ]

    @Test(arguments: rows) func finds(_ row: Row) throws {
        let folder = try TemporaryFolder()
        var linter = Linter()
        for (name, text) in row.files.sorted(by: { $0.key < $1.key }) { linter.add(try folder.write(text, to: name)) }
        let found = linter.finish().diagnostics.all.map { diagnostic in
            let position = diagnostic.position.map { "\($0)" } ?? diagnostic.line.map { "\($0)" } ?? ""
            let code = diagnostic.message.split(separator: "[").last?.dropLast() ?? ""
            let what = diagnostic.severity == .error ? "error" : String(code)
            return "\(folder.relative(diagnostic.file)):\(position) \(what)"
        }
        #expect(found.sorted() == row.found)
    }

    @Test("an input that is mistyped is reported with the filter that was probably meant") func nearestInput() throws {
        let text = "filters: [{name: lab, key: ip, match: 1.2.3.4}, {name: both, conjunction: [lab, lbb]}]\n"
        let folder = try TemporaryFolder()
        var linter = Linter()
        linter.add(try folder.write(text, to: "a.yaml"))
        let found = linter.finish().diagnostics.all.filter { $0.message.contains("missing-input") }
        #expect(found.map(\.hint) == ["did you mean `lab`?"])
    }
}
