internal import PolicyEngine

/// The topic `safetynet`: the key with which the service asks Google's SafetyNet (R9; manual, Google SafetyNet
/// Integration).
package enum SafetyNetTopic: ManagementTopic {
    case set(String)
    case get, remove

    static let name = "safetynet"

    static let actions: [CommandAction] = [
        action("-set", "key", for: .adminsAndDelegates, changes: true, impact: "this") { call throws(CommandError) in
            guard !call.operand.isEmpty else {
                throw CommandError("the SafetyNet API key is empty", hint: "`safetynet -remove` removes it")
            }
            return .set(call.operand)
        },
        action("-get", for: .developersAndDelegates) { _ in .get },
        action("-remove", for: .adminsAndDelegates, changes: true, impact: "this") { _ in .remove },
    ]

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
