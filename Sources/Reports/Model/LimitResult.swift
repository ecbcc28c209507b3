/// A limit that a caller set, and whether it was exceeded.
package struct LimitResult: Hashable, Sendable {
    /// The option by which it was set: `--max-newly-rejected 12`.
    package let name: String
    /// What was found, in words.
    package let finding: String
    package let isExceeded: Bool

    package init(name: String, finding: String, isExceeded: Bool) {
        self.name = name
        self.finding = finding
        self.isExceeded = isExceeded
    }
}
