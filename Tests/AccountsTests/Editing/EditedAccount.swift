import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport

/// An account file in memory that commands edit.
struct EditedAccount {
    /// The whole file.
    private(set) var text: String
    /// The account that the file says.
    private(set) var account: Account

    init(_ text: String) throws {
        self.text = text
        account = try Self.file(text).account
    }

    /// Carries a command out; the file then says just the resulting account.
    ///
    /// - Throws: ``CommandError`` or ``EditFailure``; nothing is changed then.
    mutating func carryOut(_ line: String, at time: Instant? = nil) throws {
        var changed = account
        _ = try ManagementCommand(line).apply(to: &changed, in: CommandContext(time: time))
        let bytes = try Self.file(text).bytes(saying: changed)
        if let bytes { text = String(decoding: bytes, as: UTF8.self) }
        account = changed.withoutPast
        #expect(try Self.file(text).account == account)
    }

    private static func file(_ text: String) throws -> AccountFile {
        var diagnostics = Diagnostics()
        let file = AccountFile(bytes: Array(text.utf8), path: "file.yaml", diagnostics: &diagnostics)
        #expect(!diagnostics.hasErrors, "\(diagnostics.all.map(\.rendered)) in \(text)")
        return try #require(file)
    }
}
