package import PolicyEngine

/// The records of captures that a report is of, where it was narrowed to some of them.
package struct NarrowedRecords: Hashable, Sendable {
    /// The first time; `nil` for none.
    package let from: Instant?
    /// The time behind the last; `nil` for none.
    package let to: Instant?
    /// The expressions, each of which selects at least one record of every device, as they were typed.
    package let expressions: [String]

    package init(from: Instant?, to: Instant?, expressions: [String]) {
        (self.from, self.to, self.expressions) = (from, to, expressions)
    }

    /// In words: "attestations from 2020-07-23T08:00:00Z on of devices with one that `flag:rooted` selects".
    package var words: String {
        let times = [from.map { " from \($0) on" }, to.map { " before \($0)" }].compactMap(\.self)
        let devices = expressions.map { "one that `\($0)` selects" }.joined(separator: " and ")
        return "attestations" + times.joined() + (expressions.isEmpty ? "" : " of devices with \(devices)")
    }
}
