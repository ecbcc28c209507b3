import Foundation
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
            name: "patterns in exact matches",
            files: [
                "a.yaml": """
                filters:
                  - {name: start, key: ip, match: "^1.2.3."}
                  - {name: star, key: ip, match: "192.0.2.*"}
                  - {name: part, key: ip, match: "192.0.2."}
                  - {name: any, key: device, match: "Android.*"}
                  - {name: cert, key: app-cert, match: C0F3159BA56CA8E1}
                  - {name: known, key: app-cert, match: "C0:F3:15:9B:A5:6C:A8:E1"}
                  - {name: free, key: user-property, match: "gold*"}

                """
            ],
            found: (2...6).map { "a.yaml:\($0):12 filter-never-matches" }),
        Row(
            name: "patterns that are found in longer values",
            files: [
                "a.yaml": #"""
                filters:
                  - {name: host, key: ip, regex: '^192\.0\.2\.1', reject: true}
                  - {name: net, key: ip, regex: '192[.]0[.]2', ban: true}
                  - {name: input, key: device, regex: '^Android 1'}
                  - {name: both, conjunction: [host, input], reject: true}
                  - {name: ended, key: ip, regex: '^192\.0\.2\.1$', reject: true}
                  - {name: dot, key: ip, regex: '^10\.', reject: true}
                  - {name: full, key: ip, regex: '^192\.0\.2\.26', reject: true}
                  - {name: watched, key: ip, regex: '^192\.0\.2\.1'}
                  - {name: class, key: device, regex: '^Android [5-7]', reject: true}

                """#
            ],
            found: [2, 3, 4].map { "a.yaml:\($0):12 open-ended-pattern" }),
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

/// Each check by its own examples.
@Suite struct LintCheckTests {
    struct Check: Sendable, CustomTestStringConvertible {
        let type: any LintCheck.Type
        var testDescription: String { type.information.code }
    }

    static let checks = LintCatalogue.all.map(Check.init)

    private static func lint(_ text: String, _ information: LintInformation) throws -> [Diagnostic] {
        let folder = try TemporaryFolder()
        var linter = Linter()
        linter.add(try folder.write(text, to: "file.yaml"))
        if let capture = information.capture { linter.add(try folder.write(capture, to: "capture.jsonl")) }
        return linter.finish().diagnostics.all
    }

    @Test(arguments: checks) func findsItsExample(_ check: Check) throws {
        let information = check.type.information
        let found = try Self.lint(information.trips, information).filter {
            $0.message.hasSuffix("[\(information.code)]")
        }
        #expect(found.count >= 1)
        #expect(found.allSatisfy { $0.severity == .warning && $0.hint == information.why && $0.position != nil })
    }

    @Test(arguments: checks) func passesTheSimilarOne(_ check: Check) throws {
        let information = check.type.information
        let found = try Self.lint(information.passes, information)
        #expect(!found.contains { $0.message.contains("[\(information.code)]") || $0.severity == .error })
    }

    // A check whose file is not in the catalogue would never run.
    @Test func theCatalogueListsEveryFile() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/Analysis/Lint/Checks")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        let names = LintCatalogue.all.map { check in String(describing: check) + ".swift" }
        let codes = LintCatalogue.all.map { check in check.information.code }
        #expect(names == files.sorted())
        #expect(codes == codes.sorted())
        #expect(Set(codes).count == codes.count)
    }
}

/// Comments that allow findings in their place.
@Suite struct LintAllowanceTests {
    struct Row: LabelledRow {
        let name: String
        let text: String
        /// The messages that remain, each from its beginning, in the order of lines.
        var left: [String] = []
        /// The reason and the number of findings of each comment.
        var allowed: [String] = []
    }

    private static let comment = "# scenario: allow development-key because testers alone have it"
    private static let found = "the account has a development key [development-key]"
    private static let unused = "`development-key` finds nothing here, so the comment allows nothing"

    private static func scenario(describedBy text: String) -> String {
        "scenario: s\ndescription: \(text)\naccount:\n  dev-key: x\nexpect: {metrics: {pass: 0}}\n"
    }

    static let rows = [
        Row(name: "no comment", text: "dev-key: x\n", left: [found]),
        Row(name: "behind the value", text: "dev-key: x \(comment)\n", allowed: ["testers alone have it: 1"]),
        Row(
            name: "above it", text: "\(comment)\n\n# Another comment.\ndev-key: x\n",
            allowed: ["testers alone have it: 1"]),
        Row(name: "above another key", text: "\(comment)\naccount: a\ndev-key: x\n", left: [unused, found]),
        Row(name: "below it", text: "dev-key: x\n\(comment)\n", left: [found, unused]),
        Row(
            name: "an entry, and all that is indented below its first line",
            text: """
                filters:
                  # scenario: allow filter-never-matches because the lab is closed
                  - key: flags-all
                    name: one
                    match: "rooted, xposed"
                  - key: flags-all
                    name: two
                    match: "rooted, xposed"

                """,
            left: ["filter `two`"], allowed: ["the lab is closed: 1"]),
        Row(
            name: "a whole list",
            text: """
                # scenario: allow filter-never-matches because the lab is closed
                filters:
                  - {name: one, key: flags-all, match: "rooted, xposed"}
                  - {name: two, key: flags-all, match: "rooted, xposed"}
                dev-key: x

                """,
            left: [found], allowed: ["the lab is closed: 2"]),
        Row(
            name: "no reason", text: "dev-key: x # scenario: allow development-key because \n",
            left: [found, "nothing is allowed without a reason"]),
        Row(
            name: "a reason that nobody can see",
            text: "dev-key: x # scenario: allow development-key because \u{200B}\u{2060}\n",
            left: [found, "nothing is allowed without a reason"]),
        Row(
            name: "no because", text: "dev-key: x # scenario: allow development-key\n",
            left: [found, "nothing is allowed without a reason"]),
        Row(
            name: "a code that no check has", text: "dev-key: x # scenario: allow development-kay because it is\n",
            left: [found, "no check has the code `development-kay`"]),
        Row(
            name: "a text in quotes that looks like a comment", text: scenario(describedBy: "'a \(comment)'"),
            left: [found]),
        Row(name: "a text in block style", text: scenario(describedBy: "|\n  \(comment)"), left: [found]),
        Row(name: "behind such a text", text: scenario(describedBy: "'a' \(comment)"), left: [unused, found]),
        Row(
            name: "an error is never allowed", text: "\(comment)\npolcy: x\n", left: ["unknown key `polcy`"]),
        Row(
            name: "the account of a scenario",
            text: """
                scenario: s
                account:
                  \(comment)
                  dev-key: x
                expect: {metrics: {pass: 0}}

                """, allowed: ["testers alone have it: 1"]),
        Row(
            name: "a finding that needs a capture",
            text: "# scenario: allow rejects-many because of the attack\naccount: a\n"),
    ]

    @Test(arguments: rows) func allows(_ row: Row) throws {
        let folder = try TemporaryFolder()
        var linter = Linter()
        linter.add(try folder.write(row.text, to: "a.yaml"))
        let result = linter.finish()
        let found = result.diagnostics.all
        #expect(found.count == row.left.count, "\(found)")
        for (diagnostic, message) in zip(found, row.left) { #expect(diagnostic.message.hasPrefix(message)) }
        #expect(result.allowed.map { "\($0.allowance.reason): \($0.findings.count)" } == row.allowed)
    }

    @Test("with a capture, an allowance of what it shows is used, or it is unused") func capture() throws {
        let comment = "# scenario: allow rejects-many because of the attack\n"
        let information = RejectingShare.information
        for (text, left, allowed) in [(information.trips, 0, 1), (information.passes, 1, 0)] {
            let folder = try TemporaryFolder()
            var linter = Linter()
            linter.add(try folder.write(comment + text, to: "a.yaml"))
            linter.add(try folder.write(try #require(information.capture), to: "c.jsonl"))
            let result = linter.finish()
            #expect(result.diagnostics.all.count == left && result.allowed.count == allowed)
        }
    }
}
