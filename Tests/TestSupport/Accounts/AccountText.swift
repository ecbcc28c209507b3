import Accounts
import Documents
import PolicyEngine
import Testing

/// Accounts that are given as YAML.
enum AccountText {
    /// Reads an account that is valid; there may be warnings.
    static func account(_ text: String) throws -> Account {
        let (account, diagnostics) = read(text)
        #expect(!diagnostics.hasErrors, "\(MarkedText.found(diagnostics))")
        return try #require(account)
    }

    /// Reads an account, with what is wrong in it.
    static func read(_ text: String) -> (account: Account?, diagnostics: Diagnostics) {
        var diagnostics = Diagnostics()
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: text))
        let account = AccountLoader.load(document, diagnostics: &diagnostics)
        return (account, diagnostics)
    }
}
