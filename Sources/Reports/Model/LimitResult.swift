internal import Documents

/// A limit that a caller set, and its result.
package struct LimitResult: Hashable, Sendable {
    /// The option by which it was set: `--max-newly-rejected 12`.
    package let name: String
    /// The finding in words.
    package let finding: String
    package let isExceeded: Bool
    /// The reason why it may be exceeded this time; `nil` if it may not.
    package let allowance: String?
    /// The number of devices that do not count, because an earlier comparison has them.
    package let known: Int
    // True if it is no limit of the caller, but stands for changes that no limit can allow.
    private let isUnseen: Bool
    /// The problem, if there is one: `12 of 100 devices (12.0 %), more than --max-newly-rejected 0.1% allows`.
    package let excess: String

    package init(
        name: String, finding: String, isExceeded: Bool, allowance: String? = nil, known: Int = 0,
        excess: String? = nil
    ) {
        self.name = name
        self.finding = finding
        self.isExceeded = isExceeded
        self.allowance = allowance
        self.known = known
        isUnseen = false
        self.excess = excess ?? "\(finding), more than \(name) allows"
    }

    /// Changes of an account that no capture shows: they exceed whatever limits were set.
    package init(unseen changes: [String], allowance: String?) {
        (name, finding) = ("changes that no capture shows", changes.joined(separator: "; "))
        (isExceeded, self.allowance, known, isUnseen) = (true, allowance, 0, true)
        excess = "\(name): \(finding)"
    }

    /// True if the failure is reported to the caller.
    package var isFailure: Bool { isExceeded && allowance == nil }

    // The state of the limit in words.
    private var outcome: ReportTable.Cell {
        guard isExceeded else { return .text("holds", .good) }
        return allowance.map { .text("exceeded, allowed: \($0)", .strong) } ?? .text("exceeded", .bad)
    }

    /// The verdict of some limits: a sign, and words; `nil` where none was set.
    static func verdict(_ limits: [LimitResult]) -> ReportText? {
        guard !limits.isEmpty else { return nil }
        let exceeded = limits.filter(\.isExceeded)
        if exceeded.isEmpty { return ReportText("✓ \(limits.count == 1 ? "Limit" : "Limits") held", .good) }
        let isFailure = exceeded.contains(where: \.isFailure)
        let (set, count) = (limits.count { !$0.isUnseen }, exceeded.count { !$0.isUnseen })
        let known = set == 1 ? "Limit exceeded" : "\(count.grouped) of \(set.grouped) limits exceeded"
        let unseen = "\(count == 0 ? "Changes" : ", and changes") that no capture shows"
        let words = (count == 0 ? "" : known) + (exceeded.contains(where: \.isUnseen) ? unseen : "")
        return ReportText("✗ \(words)\(isFailure ? "" : ", allowed")", isFailure ? .bad : .plain)
    }

    /// The result in a line: `exceeded: --max-newly-rejected 1%, 12 of 100 devices`.
    var line: ReportText {
        let known = known > 0 ? "; \(known.grouped) known ones do not count" : ""
        return ReportText(outcome.text, outcome.emphasis) + ReportText(": \(name), \(finding)\(known)")
    }

    /// The limits as a section; empty where none was set.
    static func sections(_ limits: [LimitResult]) -> [ReportSection] {
        guard !limits.isEmpty else { return [] }
        let hasKnown = limits.contains { $0.known > 0 }
        let rows: [[ReportTable.Cell]] = limits.map { limit in
            [.text(limit.name), .text(limit.finding)] + (hasKnown ? [.number(limit.known)] : [])
                + [limit.outcome]
        }
        let known: [ReportTable.Column] = hasKnown ? [.figure("known devices, not counted")] : []
        let columns: [ReportTable.Column] = [.text("limit"), .text("found")] + known + [.text("result")]
        return [ReportSection(.title("Limits"), table: ReportTable(columns, rows))]
    }

    /// The limits as a section, if one must not be overlooked: an exception, or devices that do not count.
    static func exceptions(_ limits: [LimitResult]) -> [ReportSection] {
        limits.contains { $0.known > 0 || ($0.isExceeded && $0.allowance != nil) } ? sections(limits) : []
    }
}
