internal import Documents

/// The settings of a command line that compares commits: a change must not set the limits that it is held against.
///
/// Limits, and the level at which they hold, are those of the commit before the change. Only what that commit lacks comes from the
/// file as it is now, like all other settings.
enum CommittedSettings {
    /// Takes the limits of the commit before, and notes what the change does to the settings.
    ///
    /// - Parameters:
    ///   - values: The settings of the file as it is now.
    ///   - diagnostics: Gets what is wrong with the file of a commit.
    /// - Returns: The settings that are those of the commit, where they differ from the file; and the changes.
    static func hold(
        _ values: inout [SettingValue], of arguments: ParsedArguments,
        _ diagnostics: inout Diagnostics
    ) -> (ofCommit: Set<Setting>, changes: [SettingChange]) {
        guard let base = arguments[CommittedAccounts.base],
            let before = Self.values(at: base, arguments, &diagnostics)
        else { return ([], []) }
        let now = values
        var after = now
        if let head = CommittedAccounts.commitAfter(arguments) {
            after = Self.values(at: head, arguments, &diagnostics) ?? now
        }
        let limits = before.filter { $0.setting.isOfLimits }
        values.removeAll { value in limits.contains { $0.setting == value.setting } }
        values += limits
        let ofCommit = limits.map(\.setting).filter { before.words(of: $0) != now.words(of: $0) }
        let changes = Setting.all.compactMap { setting in
            SettingChange(
                setting.key, option: setting.option, setting.bound, from: before.words(of: setting),
                to: after.words(of: setting))
        }
        return (Set(ofCommit), changes)
    }

    // `nil` where there is no such commit of this folder, which whoever reads the account says, or after noting an error.
    private static func values(
        at commit: String, _ arguments: ParsedArguments,
        _ diagnostics: inout Diagnostics
    ) -> [SettingValue]? {
        for path in SettingsFile.candidates(from: "") {
            do throws(GitFailure) {
                let bytes = try GitRepository.bytes(of: path, at: commit)
                return SettingsFile.values(of: bytes, path: path, named: "\(commit):\(path)", &diagnostics)?
                    .filter { $0.setting.applies(to: arguments) }
            } catch {
                switch error {
                case .noFile: continue
                case .noRepository, .unknownReference: return nil
                case .cannotRun, .notStored:
                    diagnostics.add(Diagnostic(file: "\(commit):\(path)", message: error.description, hint: error.hint))
                    return nil
                }
            }
        }
        return []
    }
}

extension [SettingValue] {
    fileprivate func words(of setting: Setting) -> [String]? { first { $0.setting == setting }?.words }
}
