package import Analysis
internal import Documents

/// The pages on the checks of `lint`: for a terminal, and all of them as a document.
package enum LintPages {
    /// The document about all checks, in Markdown.
    package static var document: String {
        let information = LintCatalogue.information
        let table = information.map { "| [`\($0.code)`](#\($0.code)) | \($0.why) |" }
        let head = """
            # Checks of `scenario lint`

            A finding is a setting that is valid and probably a mistake. It ends with its code, such as `[\(information[0].code)]`;
            `scenario lint --explain CODE` shows the section of the code. `scenario` writes this page itself, from the
            catalogue of the checks.

            | code | why it matters |
            | --- | --- |
            \(table.joined(separator: "\n"))

            ## Allow a finding

            \(allowance("CODE").wrappedLines)

            ```yaml
            # scenario: allow development-key because the account is for testers alone
            dev-key: letmein
            ```

            """
        return head + information.map { section(on: $0) }.joined()
    }

    /// The page on one check, for a terminal.
    package static func text(on check: LintInformation) -> String {
        blocks(on: check).map { block in
            switch block {
            case .prose(let text): text.wrappedLines
            case .file(let text, _): text.lines.map { "    " + $0 }.joined(separator: "\n")
            }
        }.joined(separator: "\n\n") + "\n"
    }

    private static func section(on check: LintInformation) -> String {
        let blocks = blocks(on: check).dropFirst().map { block in
            switch block {
            case .prose(let text): text.wrappedLines
            case .file(let text, let form): "```\(form)\n\(text.lines.joined(separator: "\n"))\n```"
            }
        }
        return "\n## \(check.code)\n\n" + blocks.joined(separator: "\n\n") + "\n"
    }

    private enum Block {
        case prose(String)
        case file(String, form: String)
    }

    private static func blocks(on check: LintInformation) -> [Block] {
        var blocks: [Block] = [
            .prose(check.code), .prose("Why it matters: \(check.why)."), .prose("To mend it, \(check.mend)."),
            .prose("The check finds something in this file:"), .file(check.trips, form: "yaml"),
        ]
        if let capture = check.capture {
            blocks += [.prose("given with this capture:"), .file(capture, form: "json")]
        }
        if let instant = check.instant { blocks.append(.prose("by `scenario lint --at \(instant)`,")) }
        return blocks + [
            .prose("and nothing in this one:"), .file(check.passes, form: "yaml"), .prose(allowance(check.code)),
        ]
    }

    private static func allowance(_ code: String) -> String {
        """
        A comment allows the finding in its place, with a reason: `# scenario: allow \(code) because …`. It covers the line \
        that it ends, or the next line if nothing is before it, and what is indented below that line. The report counts what is \
        allowed.
        """
    }
}

extension AllowedFindings {
    /// The allowance as a line of a report.
    var line: String {
        let count = findings.count == 1 ? "1 finding" : "\(findings.count.grouped) findings"
        let reason = allowance.reason.showingControls()
        return
            "\(file.showingControls()):\(allowance.position): allowed: \(count) of \(allowance.code), because \(reason)"
    }
}

extension String {
    fileprivate var lines: [Substring] { split(separator: "\n") }

    // The text in lines of up to 100 characters.
    fileprivate var wrappedLines: String {
        var lines: [String] = []
        for word in split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= 100 {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }
}
