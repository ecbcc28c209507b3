internal import Documents
internal import PolicyEngine

@testable import Accounts

/// An account file that commands change: the result is read again, and then changed back.
///
/// The bytes are an account file; below a line of `%%%` there are management commands, one a line.
enum AccountReadAgain {
    private static let separator = "\n%%%\n"

    /// Reads, changes, writes, reads, and changes back.
    static func feed(_ bytes: [UInt8]) {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: separator, maxSplits: 1)
        guard let text = parts.first, let file = read(Array(text.utf8)) else { return }
        // A file is not touched if its account has not changed.
        let again = written(file.account, by: file)
        DifferentialTarget.compare(again, nil, ("the file as it was", "the file written without a change"))
        var changed = file.account
        for line in parts.dropFirst().first?.split(separator: "\n").prefix(8) ?? [] {
            guard let command = try? ManagementCommand(String(line)) else { continue }
            var tried = changed
            if (try? command.apply(to: &tried, in: CommandContext())) != nil { changed = tried }
        }
        // Some forms cannot be changed in place, and are refused.
        guard let bytes = written(changed, by: file) else { return }
        guard let second = read(bytes) else { fatalError("what was written cannot be read") }
        DifferentialTarget.compare(
            second.account.withoutKeys, changed.withoutPast.withoutKeys,
            ("the account read again", "the changed account"))
        guard let back = written(file.account, by: second), let third = read(back) else { return }
        DifferentialTarget.compare(
            third.account.withoutKeys, file.account.withoutPast.withoutKeys, ("the account changed back", "the account")
        )
    }

    private static func read(_ bytes: [UInt8]) -> AccountFile? {
        var diagnostics = Diagnostics()
        return AccountFile(bytes: bytes, path: "a.yaml", diagnostics: &diagnostics)
    }

    private static func written(_ account: Account, by file: AccountFile) -> [UInt8]? {
        try? file.bytes(saying: account)
    }
}
