internal import Documents

/// A limit that a caller set, and its result.
package struct LimitResult: Hashable, Sendable {
    /// The option by which it was set: `--max-newly-rejected 12`.
    package let name: String
    /// The finding in words.
    package let finding: String
    package let isExceeded: Bool
    /// The greatest share that it allows, from 0 to 1; `nil` for a count.
    package let share: Double?
    /// The reason why it may be exceeded this time; `nil` if it may not.
    package let allowance: String?
    /// The number of devices that do not count, because an earlier comparison has them.
    package let known: Int
    private let kind: Kind
    /// The problem, if there is one: `12 of 100 devices (12.0 %), more than --max-newly-rejected 0.1% allows`.
    package let excess: String

    package init(
        name: String, finding: String, isExceeded: Bool, share: Double? = nil, allowance: String? = nil,
        known: Int = 0, excess: String? = nil
    ) {
        self.share = share
        self.name = name
        self.finding = finding
        self.isExceeded = isExceeded
        self.allowance = allowance
        self.known = known
        kind = .limit
        self.excess = excess ?? "\(finding), more than \(name) allows"
    }

    /// Changes of an account that no capture shows: they exceed whatever limits were set.
    package init(unseen changes: [String], allowance: String?) {
        (name, finding) = ("changes that no capture shows", changes.joined(separator: "; "))
        (isExceeded, self.allowance, known, kind) = (true, allowance, 0, .unseen)
        share = nil
        excess = "\(name): \(finding)"
    }

    /// Changes of the settings that come with a change of the account.
    ///
    /// - Parameters:
    ///   - name: The words for them: `changes of scenario.toml`.
    ///   - changes: Each in words.
    ///   - isExceeded: True if more may pass after them.
    package init(settings name: String, _ changes: [String], isExceeded: Bool, allowance: String?) {
        (self.name, finding) = (name, changes.joined(separator: "; "))
        (self.isExceeded, self.allowance, known, kind) = (isExceeded, allowance, 0, .settings)
        share = nil
        excess = "\(name), which a change must not loosen for itself: \(finding)"
    }

    // The subject of a result: a limit of the caller, or changes that no limit can allow.
    private enum Kind: String {
        case limit
        case unseen = "changes that no capture shows"
        case settings = "looser settings"
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
        let (set, count) = (limits.count { $0.kind == .limit }, exceeded.count { $0.kind == .limit })
        let known = set == 1 ? "limit exceeded" : "\(count.grouped) of \(set.grouped) limits exceeded"
        let others = exceeded.filter { $0.kind != .limit }.map(\.kind.rawValue)
        let words = ((count == 0 ? [] : [known]) + others).joined(separator: ", and ")
        let start = words.prefix(1).uppercased() + words.dropFirst()
        return ReportText("✗ \(start)\(isFailure ? "" : ", allowed")", isFailure ? .bad : .plain)
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

    /// The limits as a section, if one must not be overlooked: an exception, devices that do not count, or changed settings.
    static func exceptions(_ limits: [LimitResult]) -> [ReportSection] {
        limits.contains { $0.known > 0 || ($0.isExceeded && $0.allowance != nil) || $0.kind == .settings }
            ? sections(limits) : []
    }
}
