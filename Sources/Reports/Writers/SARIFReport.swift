internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine

/// Writes findings in the Static Analysis Results Interchange Format, version 2.1.0, on one line.
enum SARIFReport {
    /// A finding, wherever it comes from.
    struct Finding {
        let rule: String
        let level: Level
        var message: String
        var file: String?
        var line: Int?
        /// In code points, from 1.
        var column: Int?
        var snippet: String?
        /// The reason why the file allows it, if it does.
        var allowance: String?
        /// The words of a command line that it is about.
        var words: [String] = []
        /// The name of a flag or filter that the change may name.
        var part: String?
    }

    /// The severity of a finding.
    enum Level: String {
        case error, warning, note
    }

    /// A kind of finding.
    struct Rule {
        let name: String
        /// Why it matters.
        let why: String
        /// The page and the heading of the documentation that explain it.
        let page: String

        fileprivate var value: JSONValue {
            .sorted([
                "id": .string(name), "shortDescription": .sorted(["text": .string(why)]),
                "fullDescription": .sorted([
                    "text": .string("\(why.prefix(1).uppercased())\(why.dropFirst()).")
                ]),
                "helpUri": .string(HelpPage.link(to: page)),
            ])
        }
    }

    /// The file as bytes, newline included; equal findings give equal bytes.
    static func bytes(
        of findings: [Finding], rules: [Rule], version: String, inputs: [ReportOrigin.Input] = []
    ) -> [UInt8] {
        let driver: [ExactText: JSONValue] = [
            "name": .string("scenario"), "version": .string(version),
            "rules": .array(rules.map(\.value)),
        ]
        let indices = Dictionary(rules.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let run: JSONValue = .sorted([
            "tool": .sorted(["driver": .sorted(driver)]), "columnKind": .string("unicodeCodePoints"),
            "results": .array(findings.map { result($0, index: indices[$0.rule]) }),
            "artifacts": .array(inputs.map(artifact)),
        ])
        return JSONValue.ordered([
            ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")), ("version", .string("2.1.0")),
            ("runs", .array([run])),
        ]).line
    }

    private static func artifact(_ input: ReportOrigin.Input) -> JSONValue {
        var members: [ExactText: JSONValue] = ["location": .sorted(["uri": .string(uri(of: input.path))])]
        if let digest = input.digest {
            members["hashes"] = .sorted(["sha-256": .string(digest)])
        }
        if let size = input.size { members["length"] = .integer(size) }
        return .sorted(members)
    }

    private static func result(_ finding: Finding, index: Int?) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "ruleId": .string(finding.rule), "level": .string(finding.level.rawValue),
            "message": .sorted(["text": .string(finding.message.showingControls())]),
        ]
        if let index { members["ruleIndex"] = .integer(index) }
        if let reason = finding.allowance {
            members["suppressions"] = .array([
                .sorted(["kind": .string("inSource"), "justification": .string(reason.showingControls())])
            ])
        }
        if let file = finding.file { members["locations"] = .array([location(of: finding, in: file)]) }
        return .sorted(members)
    }

    private static func location(of finding: Finding, in file: String) -> JSONValue {
        var region: [ExactText: JSONValue] = [:]
        if let line = finding.line, line > 0 {
            region["startLine"] = .integer(line)
            if let column = finding.column, column > 0 { region["startColumn"] = .integer(column) }
            if let snippet = finding.snippet {
                region["snippet"] = .sorted(["text": .string(snippet.showingControls())])
            }
        }
        var physical: [ExactText: JSONValue] = ["artifactLocation": .sorted(["uri": .string(uri(of: file))])]
        if !region.isEmpty { physical["region"] = .sorted(region) }
        var location: [ExactText: JSONValue] = ["physicalLocation": .sorted(physical)]
        if !finding.words.isEmpty {
            location["logicalLocations"] = .array(
                finding.words.map { .sorted(["fullyQualifiedName": .string($0.showingControls())]) })
        }
        return .sorted(location)
    }

    // RFC 3986: a relative reference, whose first part has no colon; or the URI of a file.
    private static func uri(of path: String) -> String {
        var text = path.hasPrefix("/") ? "file://" : ""
        for byte in path.utf8 {
            if unreserved.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    private static let unreserved = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/+=@,".utf8)
}

// MARK: Diagnostics

extension SARIFReport {
    /// The rule for everything that is wrong with a file as such.
    private static let invalidInput = Rule(
        name: "invalid-input", why: "a file that cannot be read has no effect on devices",
        page: HelpPage.files)
    private static let doubtfulInput = Rule(
        name: "doubtful-input", why: "it can be read, but is probably a mistake", page: HelpPage.files)

    /// Diagnostics as findings; those of checks under the code of the check.
    static func bytes(of diagnostics: Diagnostics, allowed: [AllowedFindings] = [], version: String) -> [UInt8] {
        let rules =
            [invalidInput, doubtfulInput]
            + LintCatalogue.reasons.map { Rule(name: $0.code, why: $0.why, page: HelpPage.check($0.code)) }
        var findings = diagnostics.all.map { finding($0) }
        for allowed in allowed { findings += allowed.findings.map { finding($0, allowance: allowed.allowance.reason) } }
        return bytes(of: findings, rules: rules, version: version)
    }

    private static func finding(_ diagnostic: Diagnostic, allowance: String? = nil) -> Finding {
        Finding(
            rule: rule(of: diagnostic), level: diagnostic.severity == .error ? .error : .warning,
            message: diagnostic.message + (diagnostic.hint.map { "; \($0)" } ?? ""), file: diagnostic.file,
            line: diagnostic.position?.line ?? diagnostic.line, column: diagnostic.position?.column,
            snippet: diagnostic.excerpt, allowance: allowance)
    }

    // Checks put their code behind what they say.
    private static func rule(of diagnostic: Diagnostic) -> String {
        diagnostic.lintCode ?? (diagnostic.severity == .error ? invalidInput.name : doubtfulInput.name)
    }
}

// MARK: Comparisons

extension SARIFReport {
    private static let rules = [
        rule("newly-rejected", "devices that got valid tokens would get none"),
        rule("newly-accepted", "devices that got no valid tokens would get some"),
        rule("annotations-changed", "backends would read other flags in tokens"),
        rule("newly-blocked", "requests that a backend accepted would be accepted no longer"),
        rule("proof-lost", "proofs of measurements that matched would match no longer"),
        rule("limit-exceeded", "the change does more than the caller allows"),
        rule("not-judged", "the effect of the change on devices is not known"),
    ]

    private static func rule(_ name: String, _ why: String) -> Rule {
        Rule(name: name, why: why, page: "FORMATS.md#findings-of-a-diff")
    }

    /// The effects of a change: a finding for each flag, filter or other reason, and one for each limit.
    static func bytes(of comparison: Comparison, limits: [LimitResult], origin: ReportOrigin) -> [UInt8] {
        bytes(
            of: findings(of: comparison, limits: limits, origin: origin), rules: rules, version: origin.version,
            inputs: origin.inputs)
    }

    /// The same findings, each at the line that makes the change.
    static func findings(of comparison: Comparison, limits: [LimitResult], origin: ReportOrigin) -> [Finding] {
        // Without a file of the account, findings are in the captures, which come first.
        let change = origin.change
        var findings = findings(comparison.changes.rejected, "newly-rejected", .warning, "rejected")
        findings += Self.findings(comparison.changes.accepted, "newly-accepted", .note, "accepted")
        findings +=
            comparison.annotationChange.map {
                [Finding(rule: "annotations-changed", level: .warning, message: $0)]
            } ?? []
        findings += Self.findings(comparison.changes.clients)
        findings += limits.filter(\.isExceeded).map { limit in
            let reason = limit.allowance.map { "; allowed: \($0)" } ?? ""
            return Finding(
                rule: "limit-exceeded", level: limit.isFailure ? .error : .note, message: limit.excess + reason)
        }
        findings += comparison.unevaluated.map { Finding(rule: "not-judged", level: .note, message: $0) }
        let rest = comparison.narrowed.map { "; narrowed to \($0.words)" } ?? ""
        for index in findings.indices {
            findings[index].message += rest
            findings[index].file = change?.file ?? origin.inputs.first?.path
            findings[index].line = change?.line(naming: findings[index].part) ?? 1
            findings[index].words = change?.words ?? []
        }
        return findings
    }

    private static func findings(
        _ change: ChangeFigures, _ rule: String, _ level: Level, _ verb: String
    ) -> [Finding] {
        change.splits.filter { [.flag, .filter, .other].contains($0.kind) }.flatMap { split in
            split.parts.map { part in
                Finding(
                    rule: rule, level: level,
                    message: "\(part.devices.counting("device")) would newly be \(verb) by \(split.kind.rawValue) "
                        + "\(part.name), such as \(part.example)", part: part.name)
            }
        }
    }

    // Findings on requests and proofs. Tokens, strings and custom JWTs are among the newly rejected already, by their
    // reasons.
    private static func findings(_ clients: ClientChanges?) -> [Finding] {
        (clients?.parts ?? []).flatMap { part -> [Finding] in
            let rule: String
            switch part.kind {
            case .token, .secureString, .customToken: return []
            case .request: rule = "newly-blocked"
            case .proof: rule = "proof-lost"
            }
            return part.differences.filter { $0.effect == .worse }.map { difference in
                Finding(
                    rule: rule, level: .warning,
                    message: "\(part.kind.rawValue)s of \(difference.count.devices.counting("device")) would have "
                        + "another result: \(difference.before) before, \(difference.after) after, such as "
                        + "\(difference.example)")
            }
        }
    }
}
