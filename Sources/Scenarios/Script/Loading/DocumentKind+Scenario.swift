internal import Accounts
package import Documents

extension DocumentKind {
    /// A scenario file. An account is taken for one first, so that it can be said what it is.
    package static let scenario = DocumentKind(
        name: "a scenario",
        keys: DocumentKind.account.keys.union([
            "scenario", "description", "tags", "seed", "start", "activity", "account", "accounts", "devices", "steps",
            "expect",
        ]), secretKeys: DocumentKind.account.secretKeys)
}
