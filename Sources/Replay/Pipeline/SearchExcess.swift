package import Documents
package import PolicyEngine

/// A filter whose pattern reaches its limit on more distinct values than a command takes (R7.2).
///
/// The accounts and the values that were searched say if there is one and what is said of it, not the order of searches or the
/// number of workers.
package struct SearchExcess: Hashable, Sendable {
    private let filter: String
    private let pattern: Pattern
    private let value: String?

    /// The first such filter of some accounts.
    ///
    /// - Parameters:
    ///   - accounts: The accounts by which all values were searched.
    ///   - showsValue: True if a value is named; false where values are secret.
    /// - Returns: `nil` where there is none.
    package init?(_ accounts: [Account], showsValue: Bool = true) {
        for filter in accounts.lazy.flatMap(\.filters) {
            guard case .regex(_, let pattern) = filter.test, pattern.isBeyondLimit else { continue }
            (self.filter, self.pattern) = (filter.name, pattern)
            value = showsValue ? pattern.valueAtLimit : nil
            return
        }
        return nil
    }

    /// The error for people.
    package var diagnostic: Diagnostic {
        let example = value.map { ", such as \($0.showingControls().quoted)" } ?? ""
        return Diagnostic(
            file: "filter \(filter)",
            message: "the regex \(pattern.source.quoted) hits its match limit in more than "
                + "\(Pattern.reachedLimit.grouped) values\(example)",
            hint: "a pattern without nested repetition does not")
    }
}
