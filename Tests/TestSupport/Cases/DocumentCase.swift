import Accounts
import Documents
import Scenarios
import Testing

/// A case that is a document: a scenario, an account, or any YAML.
///
/// Its lines are the document; those that begin with `! ` are the problems that are found in it, in their order: a marker or
/// `line:column`, then `error:`, `warning:` or `failed:`, the message, and its hint behind `; hint: `. The markers ① to ⑳ in
/// the document are the places, and no part of it. `! accepted` is a document that nothing is expected of but that it has no
/// problem.
struct DocumentCase {
    /// The kind of a document.
    enum Kind {
        case scenario, account, yaml
    }

    /// The lines of the problems.
    let expected: [String]
    private let body: [String]
    private let marked: MarkedText
    private let kind: Kind

    /// Reads a case.
    ///
    /// A case whose first line is `---` is the whole document. Otherwise each member of the head (a line that begins with a key,
    /// and those below it that begin with a space or a comment) belongs to the document, unless the case has one of that key,
    /// which takes its place; lines that begin with `- ` are steps of a scenario, which needs no name.
    init(_ example: CaseFile.Case, _ kind: Kind) {
        let isProblem = { (line: String) in line.hasPrefix("! ") }
        body = example.body.filter { !isProblem($0) }
        expected = example.body.filter(isProblem)
        self.kind = kind
        let isWhole = body.first == "---"
        let lines = isWhole ? Array(body.dropFirst()) : Self.merged(example.head, body, kind)
        marked = MarkedText(lines.map { $0 + "\n" }.joined())
    }

    /// The document, without its markers.
    var text: String { marked.text }

    /// The case with the problems that are found.
    func rewritten() throws -> [String] {
        var (found, isChecked) = try problems()
        if found.isEmpty, !isChecked { found = ["! accepted"] }
        return body + found
    }

    private func problems() throws -> (lines: [String], isChecked: Bool) {
        var diagnostics = Diagnostics()
        let document = YAMLParser.parse(marked.source)
        switch kind {
        case .yaml: diagnostics = document.diagnostics
        case .account: _ = AccountLoader.load(document, diagnostics: &diagnostics)
        case .scenario:
            if let scenario = ScenarioLoader.load(document, diagnostics: &diagnostics) {
                return try run(scenario, diagnostics)
            }
        }
        return (diagnostics.all.map(line), false)
    }

    private func run(_ scenario: Scenario, _ loading: Diagnostics) throws -> (lines: [String], isChecked: Bool) {
        var diagnostics = loading
        var runner = ScenarioRunner(seed: nil)
        runner.isVerbose = true
        let results = runner.run([scenario], diagnostics: &diagnostics)
        let expectations = try #require(results.first).expectations
        let failures = expectations.filter { !$0.passed }.map { expectation in
            line(
                at: expectation.position,
                "failed: \(expectation.message): expected \(expectation.expected), actual \(expectation.actual)")
        }
        return (diagnostics.all.map(line) + failures, !expectations.isEmpty)
    }

    private func line(_ diagnostic: Diagnostic) -> String {
        let hint = diagnostic.hint.map { "; hint: \($0)" } ?? ""
        return line(at: diagnostic.position, "\(diagnostic.severity): \(diagnostic.message)\(hint)")
    }

    private func line(at position: SourcePosition?, _ text: String) -> String {
        guard let position else { return "! \(text)" }
        let marker = marked.positions.filter { $0.value == position }.keys.min()
        return "! \(marker.map(String.init) ?? "\(position)") \(text)"
    }

    private static func merged(_ head: [String], _ body: [String], _ kind: Kind) -> [String] {
        var members = self.members(of: head)
        for member in self.members(of: body) {
            if let index = members.firstIndex(where: { $0.key == member.key }), member.key != "" {
                members[index] = member
            } else {
                members.append(member)
            }
        }
        if kind == .scenario, !members.contains(where: { $0.key == "scenario" }) {
            members.insert(("scenario", ["scenario: s"]), at: 0)
        }
        return members.flatMap(\.lines)
    }

    // A line that begins with a space or as a comment continues a member; comments above the first member are left out.
    private static func members(of lines: [String]) -> [(key: String, lines: [String])] {
        var members: [(key: String, lines: [String])] = []
        for line in lines {
            let plain = MarkedText(line).text
            let isStep = plain.hasPrefix("- ")
            if isStep, members.last?.key != "steps" {
                members.append(("steps", ["steps:"]))
            } else if !isStep, plain.first.map({ !" #-".contains($0) }) == true {
                members.append((String(plain.prefix { $0 != ":" }), []))
            }
            if members.isEmpty { continue }
            members[members.count - 1].lines.append(line)
        }
        return members
    }
}
