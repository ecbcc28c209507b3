internal import Documents
internal import PolicyEngine

/// The edits that do what was asked for: one value behind every form of report.
package struct SearchReport: Sendable {
    /// An answer, as a comparison with the account as it is sees it.
    package struct Answer: Sendable {
        package let commands: [String]
        /// Devices that newly fail, of them those that nobody asked for, and devices that newly pass.
        package let rejected, besides, accepted: Int

        package init(commands: [String], rejected: Int, besides: Int, accepted: Int) {
            (self.commands, self.rejected, self.besides, self.accepted) = (commands, rejected, besides, accepted)
        }
    }

    private let answers: [Answer]
    private let maximumEdits: Int
    // The attribute that a filter was searched on; `nil` where edits of all kinds were tried.
    private let filterKey: String?
    // The numbers of records that have to fail, and to pass.
    private let rejecting, keeping: Int

    /// - Parameters:
    ///   - answers: The best answers, the best one first; none where there is none.
    ///   - maximumEdits: The greatest number of edits that was allowed.
    ///   - rejecting: The number of records that have to fail.
    ///   - keeping: The number of records that have to pass.
    ///   - filterKey: The attribute that a filter was searched on; `nil` where edits of all kinds were tried.
    package init(_ answers: [Answer], maximumEdits: Int, rejecting: Int, keeping: Int, filterKey: String? = nil) {
        (self.answers, self.maximumEdits, self.filterKey) = (answers, maximumEdits, filterKey)
        (self.rejecting, self.keeping) = (rejecting, keeping)
    }

    /// The report in a form; equal reports give equal bytes.
    ///
    /// - Parameters:
    ///   - format: The form.
    ///   - style: Colours of the text, where a terminal shows them.
    package func bytes(as format: PlainFormat, style: TextStyle = .plain) -> [UInt8] {
        switch format {
        case .text: return Array(TextWriter(style: style).text(of: sections).utf8)
        case .json:
            var output = JSONBytes()
            json.write(to: &output)
            return output.bytes + [UInt8(ascii: "\n")]
        }
    }

    private var sections: [ReportSection] {
        let asked: ReportText =
            "\(rejecting.grouped) attestations have to fail, and \(keeping.grouped) have to pass"
        guard let count = answers.map(\.commands.count).min() else {
            let none =
                filterKey.map { "none: no filter on \($0) that rejects does that" }
                ?? "none: no \(Self.edits(maximumEdits)) or fewer do that"
            return [ReportSection(.notice(ReportText(none)), sentences: [asked])]
        }
        let head = count == 0 ? "no edit is needed" : "\(Self.edits(count)) \(count == 1 ? "does" : "do") that"
        let rows = answers.map { answer in
            ReportTable.Row(
                cells: [
                    .text(answer.commands.first ?? "the account as it is"), .number(answer.rejected),
                    .number(answer.besides), .number(answer.accepted),
                ],
                details: answer.commands.count > 1 ? [ReportList(items: Array(answer.commands.dropFirst()))] : [])
        }
        let columns: [ReportTable.Column] = [
            .text("edits"), .figure("newly rejected"), .figure("of them besides"), .figure("newly accepted"),
        ]
        return [
            ReportSection(.notice(ReportText(head, .strong)), sentences: [asked]),
            ReportSection(.title("The best answers, in devices"), table: ReportTable(columns, rows: rows)),
        ]
    }

    private static func edits(_ count: Int) -> String { "\(count) \(count == 1 ? "edit" : "edits")" }

    private var json: JSONValue {
        .ordered([
            ("version", .integer(1)), ("maximum-edits", .integer(maximumEdits)), ("rejecting", .integer(rejecting)),
            ("keeping", .integer(keeping)),
            (
                "answers",
                .array(
                    answers.map { answer in
                        .ordered([
                            ("commands", .array(answer.commands.map { .string($0) })),
                            ("newly-rejected", .integer(answer.rejected)), ("besides", .integer(answer.besides)),
                            ("newly-accepted", .integer(answer.accepted)),
                        ])
                    })
            ),
        ])
    }
}
