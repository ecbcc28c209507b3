import Testing

@testable import Analysis
@testable import Documents
@testable import TestSupport

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
