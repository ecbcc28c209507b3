internal import Documents
internal import PolicyEngine

/// The settings of a command line that compares commits: a change must not set the limits that it is held against.
///
/// Limits, and the level at which they hold, are those of the commit before the change. Only what that commit lacks comes from the
/// file as it is now, like all other settings.
enum CommittedSettings {
    /// Takes the limits of the commit before, and notes what the change does to the settings.
    ///
    /// - Parameters:
    ///   - applied: The settings as the file is now.
    ///   - diagnostics: Gets what is wrong with the file of a commit.
    static func hold(
        _ applied: inout AppliedSettings, of arguments: ParsedArguments, _ command: CommandDefinition,
        _ diagnostics: inout Diagnostics
    ) {
        guard command.name == DiffCommand.definition.name, let base = arguments.value(of: CommittedAccounts.base),
            let before = values(at: base, arguments, command, &diagnostics)
        else { return }
        let now = applied.values
        var after = now
        if let head = CommittedAccounts.commitAfter(arguments) {
            after = values(at: head, arguments, command, &diagnostics) ?? now
        }
        for value in before where value.setting.isOfLimits {
            applied.values.removeAll { $0.setting == value.setting }
            applied.values.append(
                AppliedSettings.Value(value.setting, value.words, isOfCommit: !now.contains(value)))
        }
        applied.changes = Setting.all.compactMap { setting in
            SettingChange(
                setting, from: before.first { $0.setting == setting }?.words,
                to: after.first { $0.setting == setting }?.words)
        }
    }

    // `nil` where there is no such commit of this folder, which whoever reads the account says, or after noting an error.
    private static func values(
        at commit: String, _ arguments: ParsedArguments, _ command: CommandDefinition,
        _ diagnostics: inout Diagnostics
    ) -> [AppliedSettings.Value]? {
        for path in SettingsFile.candidates(from: "") {
            do throws(GitFailure) {
                let bytes = try GitRepository.bytes(of: path, at: commit)
                return SettingsFile.values(of: bytes, path: path, named: "\(commit):\(path)", &diagnostics)?
                    .filter { $0.setting.applies(to: arguments, of: command) }
                    .map { AppliedSettings.Value($0.setting, $0.words) }
            } catch {
                switch error {
                case .noFile: continue
                case .noRepository, .unknownReference: return nil
                case .cannotRun, .notStored:
                    diagnostics.add(
                        Diagnostic(file: "\(commit):\(path)", message: error.description, hint: error.hint))
                    return nil
                }
            }
        }
        return []
    }
}

/// A setting that a change of the account changes, too.
struct SettingChange: Hashable, Sendable {
    /// The words on both sides, as they would be typed; `nil` where the setting is not there.
    let before, after: [String]?
    private let setting: Setting

    /// - Returns: `nil` where both are the same.
    init?(_ setting: Setting, from before: [String]?, to after: [String]?) {
        guard before != after else { return nil }
        (self.setting, self.before, self.after) = (setting, before, after)
    }

    /// The change in words: `--max-newly-rejected 0.1% becomes 50%`.
    var sentence: String {
        let name = setting.option ?? setting.key
        guard let after else { return "\(name) \(Self.text(before)) is gone" }
        return before == nil ? "\(name) \(Self.text(after)) is new" : "\(name) \(Self.text(before)) becomes \(Self.text(after))"
    }

    /// True if more may pass than before: all but new settings, and limits that are lower than before.
    var isLoosening: Bool {
        guard let before else { return false }
        guard case .bound(let form) = setting.form, form == .most, let after, let old = before.first, let new = after.first
        else { return true }
        switch (Bound(old, form), Bound(new, form)) {
        case (.count(let old), .count(let new)): return new > old
        case (.share(let old), .share(let new)): return new > old
        default: return true
        }
    }

    private static func text(_ words: [String]?) -> String { (words ?? []).joined(separator: " ") }

    /// The change as JSON.
    var json: JSONValue {
        func value(_ words: [String]?) -> JSONValue { words.map { .array($0.map(JSONValue.string)) } ?? .null }
        return .ordered([
            ("option", setting.option.map(JSONValue.string) ?? .null), ("before", value(before)), ("after", value(after)),
            ("loosens", .boolean(isLoosening)),
        ])
    }
}
