internal import Figures
internal import PolicyEngine
internal import Reports

/// A setting of `scenario.toml` that a change of the account changes, too.
struct SettingChange: Sendable {
    private let key: String
    // The option whose default it is; `nil` for operands.
    private let option: String?
    // The form of a limit; `nil` for other settings.
    private let bound: Bound.Form?
    // The words on both sides, as they would be typed; `nil` where the setting is not there.
    private let before, after: [String]?

    /// - Parameters:
    ///   - key: The key of the file.
    ///   - option: The option whose default it is; `nil` for operands.
    ///   - bound: The form of a limit; `nil` for other settings.
    ///   - before: The words before the change, as they would be typed; `nil` for none.
    ///   - after: Those after it.
    /// - Returns: `nil` where both are the same.
    init?(_ key: String, option: String?, _ bound: Bound.Form?, from before: [String]?, to after: [String]?) {
        guard before != after else { return nil }
        (self.key, self.option, self.bound, self.before, self.after) = (key, option, bound, before, after)
    }

    /// The change in words: `--max-newly-rejected 0.1% becomes 50%`.
    var sentence: String {
        let (old, new) = (before?.joined(separator: " "), after?.joined(separator: " "))
        let name = option ?? key
        guard let new else { return "\(name) \(old ?? "") is gone" }
        return old.map { "\(name) \($0) becomes \(new)" } ?? "\(name) \(new) is new"
    }

    /// True if more may pass than before: all but new settings, and limits that are lower than before.
    var isLoosening: Bool {
        guard let before else { return false }
        guard let bound, bound == .most, let old = before.first, let new = after?.first else { return true }
        switch (Bound(old, bound), Bound(new, bound)) {
        case (.count(let old), .count(let new)): return new > old
        case (.share(let old), .share(let new)): return new > old
        default: return true
        }
    }

    /// The members of a change as JSON.
    static let columns = Columns<SettingChange>(inOrder: [
        .field("option", "The option; null for what is no option.", \.option),
        .field("before", "Its values before the change; null where it had none.", \.before),
        .field("after", "Its values after the change; null where it has none.", \.after),
        .field("loosens", "True if more may pass after the change.", \.isLoosening),
    ])
}
