package import Analysis
internal import Documents
internal import Figures
package import PolicyEngine
package import Replay

/// The requests that a backend would refuse, with the reasons, and the limits of the caller.
package struct RequestReport: SectionedAnswer {
    private let review: RequestReview
    private let limits: [LimitResult]
    private let redactor: Redactor?

    package static let forms: [ReportForm] = [.text, .json, .markdown, .html, .csv]
    package static let kind = ReportKind("requests", "Requests of a backend", columns)

    /// - Parameters:
    ///   - review: The requests.
    ///   - limits: The caller's limits, and which are exceeded.
    ///   - redactor: Hides values that say something of people; `nil` shows them.
    package init(_ review: RequestReview, limits: [LimitResult] = [], redactor: Redactor? = nil) {
        (self.review, self.limits, self.redactor) = (review, limits, redactor)
    }

    package var sections: [ReportSection] {
        [ReportSection(.notice(ReportText(answer, .strong)))] + details
    }

    package func page(in setting: ReportSetting) -> ReportPage {
        ReportPage(
            title: review.account.isEmpty ? "Requests" : "\(review.account): requests",
            scope: [review.requests.counting("request")],
            head: ReportHead(answer, limits: limits),
            sections: details + setting.origin.sections(), origin: setting.origin)
    }

    package var json: JSONValue { Self.columns.value(of: self) }

    package var csv: [UInt8] { Self.cell.csv(of: cells, narrowed: nil) }

    // MARK: Sections

    private var answer: String {
        let all = review.requests.counting("request")
        return review.refused == 0
            ? "a backend would refuse none of \(all)"
            : "a backend would refuse \(review.refused.grouped) of \(all): \(review.refused.share(of: review.requests))"
    }

    private var details: [ReportSection] {
        guard review.refused > 0 else { return [] }
        return [
            ReportSection(
                .title("Reasons"),
                table: Self.reason.table(of: reasons, anchor: { "reason \($0.reason.kind.rawValue)" })),
            ReportSection(.title("By hour"), table: Self.hour.table(of: hours).ranking, place: .half),
            ReportSection(.title("By \(review.key)"), table: Self.group.table(of: groups).ranking, place: .half),
        ]
    }

    // MARK: Rows

    private typealias ReasonRow = (reason: RequestReview.Reason, all: Int)
    private typealias HourRow = (group: Instant, sum: RequestReview.Sum)
    private typealias GroupRow = (group: String?, sum: RequestReview.Sum)
    private typealias CellRow = (cell: RequestReview.Cell, value: String?, requests: Int, key: String)

    private var reasons: [ReasonRow] { review.reasons.map { ($0, review.requests) } }

    private var hours: [HourRow] { review.sums { $0.hour }.sorted { $0.group < $1.group } }

    // Those with the most refused requests first.
    private var groups: [GroupRow] {
        review.sums { cell in cell.value.map(shown) }.sorted { left, right in
            (right.sum.refused, right.sum.requests, ExactText(left.group ?? ""))
                < (left.sum.refused, left.sum.requests, ExactText(right.group ?? ""))
        }
    }

    private var cells: [CellRow] {
        let order = [nil] + RequestRefusal.Kind.allCases.map(Optional.some)
        return review.counts.map { (cell: $0.key, value: $0.key.value.map(shown), requests: $0.value, key: review.key) }
            .sorted { left, right in
                (left.cell.hour, ExactText(left.value ?? ""), order.firstIndex(of: left.cell.reason) ?? 0)
                    < (right.cell.hour, ExactText(right.value ?? ""), order.firstIndex(of: right.cell.reason) ?? 0)
            }
    }

    private func shown(_ value: String) -> String { redactor?.value(value, of: review.key) ?? value }
}

// MARK: Columns

extension RequestReport {
    private static let columns = Columns<RequestReport>(inOrder: [
        .version, .field("account", "The name of the account.", \.review.account),
        .field("requests", "All requests.", \.review.requests),
        .field("refused", "Requests that a backend refuses.", \.review.refused),
        .field("first", "The time of the first request; null where there is none.") { $0.review.span?.lowerBound },
        .field("last", "The time of the last request; null where there is none.") { $0.review.span?.upperBound },
        .list("reasons", "The reasons, the commonest first.", reason, \.reasons),
        .list("hours", "The requests by hour.", hour, \.hours),
        .field("key", "The key by which requests are counted.", \.review.key),
        .list(
            "groups", "The requests by the value of the key, those with the most refused ones first.", group, \.groups),
    ])

    private static let reason = Columns<ReasonRow>(inOrder: [
        .word("reason", "The reason.", of: RequestRefusal.Kind.allCases.map(\.rawValue)) { $0.reason.kind.rawValue }
            .text("reason"),
        .field("requests", "Requests that are refused for it.", \.reason.requests).figure("requests", bars: .worse),
        .shown("share", .figure("of all")) { .share($0.reason.requests, of: $0.all) },
        .field("devices", "Their devices, as far as tokens name them.", \.reason.devices).figure("devices"),
        .field("summary", "The reason in a sentence.") { $0.reason.kind.summary }
            .text("meaning") { .text(words($0.reason)) },
        .field("file", "The log with the first of these requests.", \.reason.file),
        .field("line", "The line of that request, from 1.", \.reason.line)
            .text("first") { .code("\($0.reason.file):\($0.reason.line)") },
        .field("details", "Flags of failed attestations, and other words, each with its requests.", \.reason.details),
        .field(
            "median-seconds", "The median of the seconds since tokens expired, or until they are valid.",
            \.reason.median),
        .field("longest-seconds", "The greatest number of these seconds.", \.reason.longest),
    ])

    private static let hour = Columns<HourRow>(
        inOrder: [
            .field("hour", "The start of the hour.", \.group).text("hour") {
                .time(String($0.group.dateAndTime.dropLast(3)))
            }
        ]
            + sum.map { $0.of(\.sum) })

    private static let group = Columns<GroupRow>(
        inOrder: [
            .field("value", "The value; null for requests without one.", \.group).text("value") {
                .text($0.group ?? "none")
            }
        ]
            + sum.map { $0.of(\.sum) })

    private static let sum: [Column<RequestReview.Sum>] = [
        .field("requests", "All requests.", \.requests).figure("requests"),
        .field("refused", "Requests that a backend refuses.", \.refused).figure("refused", bars: .worse),
        .shown("share", .figure("share")) { .share($0.refused, of: $0.requests) },
        .field("reasons", "The refused requests by reason.") { sum in
            [String: Int](uniqueKeysWithValues: sum.reasons.map { ($0.key.rawValue, $0.value) })
        },
        .shown("commonest", .text("most often for")) { .text($0.commonest?.rawValue ?? "") },
    ]

    private static let cell = Columns<CellRow>(inOrder: [
        .field("hour", "The start of the hour.", \.cell.hour), .field("key", "The key.", \.key),
        .field("value", "The value of the key.", \.value),
        .field("reason", "The reason; empty for requests that are accepted.") { $0.cell.reason?.rawValue },
        .field("requests", "The requests.", \.requests),
    ])

    // The meaning of the reason, and the words on its requests: `The token had expired. By 40 s in the median, 2 h at most.`
    private static func words(_ reason: RequestReview.Reason) -> String {
        var words = [reason.kind.summary]
        if let median = reason.median, let longest = reason.longest {
            words.append("By \(DurationText.text(median)) in the median, \(DurationText.text(longest)) at most.")
        }
        let details = reason.details.sorted { ($1.value, ExactText($0.key)) < ($0.value, ExactText($1.key)) }
        if !details.isEmpty {
            let shown = details.prefix(detailLimit).map { "\($0.key) (\($0.value.grouped))" }
            let rest = details.count > detailLimit ? ", and \((details.count - detailLimit).grouped) more" : ""
            words.append(shown.joined(separator: ", ") + rest)
        }
        return words.joined(separator: " ")
    }

    // The number of details that people read of a reason.
    private static let detailLimit = 5
}
