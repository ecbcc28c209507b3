internal import PolicyEngine

/// The topic `safetynet`: the key with which the service asks Google's SafetyNet (R9; manual, Google SafetyNet
/// Integration).
package enum SafetyNetTopic: ManagementTopic {
    /// `-set key`
    case set(String)
    /// `-get`
    case get
    /// `-remove`
    case remove

    static let name = "safetynet"

    static let actions = [
        CommandAction("-set", "key") { call throws(CommandError) in
            guard !call.operand.isEmpty else {
                throw CommandError("the SafetyNet API key is empty", hint: "`safetynet -remove` removes it")
            }
            return .safetyNet(.set(call.operand))
        },
        CommandAction("-get") { _ in .safetyNet(.get) },
        CommandAction("-remove") { _ in .safetyNet(.remove) },
    ]

    var changesAccount: Bool { self != .get }

    var action: String {
        switch self {
        case .set: "-set"
        case .get: "-get"
        case .remove: "-remove"
        }
    }

    func confirmation(on account: Account) -> CommandConfirmation? { changesAccount ? .impact(of: "this") : nil }

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .set(let key):
            account.setSafetyNetKey(key)
            effect.reported = ["safetynet API key set"]
        case .get:
            effect.printed = [account.safetyNet?.apiKey.map { "APIKey: \($0)" } ?? "safetynet API key has not been set"]
        case .remove:
            guard account.safetyNet?.apiKey != nil else { throw CommandError("there is no SafetyNet API key") }
            account.safetyNet?.apiKey = nil
            effect.reported = ["safetynet information removed"]
        }
    }
}
