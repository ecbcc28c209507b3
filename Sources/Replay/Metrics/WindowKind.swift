/// The spans over which unique devices are counted (R13.2).
package enum WindowKind: String, Hashable, Sendable, CaseIterable {
    case hourly, daily, monthly
}

extension WindowKind {
    /// What the names of its metrics start with, such as `hourly-`.
    var prefix: String { rawValue + "-" }
}
