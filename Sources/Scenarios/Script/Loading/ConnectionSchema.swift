internal import Accounts
internal import Documents
internal import PolicyEngine

/// The schemas of backends, and of how apps connect to them.
enum ConnectionSchema {
    /// The settings of an app for the SDK and for its connections.
    static var client: JSONSchema {
        .object([
            ("built-in", .any(of: [.instant, .duration])), ("config", .words(of: ConfigurationHandling.self)),
            ("read-pins", .words(of: PinReading.self)), ("on-force", .words(["relaunch", "ignore"])),
            ("on-blocked", .words(["relaunch-if-pending", "nothing"])),
            ("static-pins", .map(of: .list(of: RuleForms.pin, atLeast: 1), keys: RuleForms.domain)),
            ("unpinned", .words(["accept", "refuse"])), ("roots", .words(["used", "ignored"])),
            ("binding-header", .text), ("on-failed-fetch", .words(["send", "stop"])), ("sign-messages", .boolean),
        ])
    }

    /// Backends by domain, as they are at the start.
    static var backends: JSONSchema { .map(of: backend, keys: RuleForms.domain) }

    /// The changes of backends that a step makes.
    static var changes: JSONSchema {
        .map(of: .any(of: [chain, backend]), keys: RuleForms.domain, atLeast: 1)
    }

    private static let chain = JSONSchema.list(of: .text, atLeast: 1)

    private static var backend: JSONSchema {
        .object([("chain", chain), ("token", .words(["required", "ignored"]))], atLeast: 1)
    }
}
