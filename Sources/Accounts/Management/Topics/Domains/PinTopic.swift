internal import Documents
internal import PolicyEngine

/// The topic `pin`: the public keys that apps accept for an API domain (manual, Managing Domain Pins, Forcing Pin
/// Application).
package enum PinTopic: ManagementTopic {
    /// `-api domain -add pin`
    case add(String, domain: String)
    /// `-api domain -remove pin`
    case remove(String, domain: String)
    /// `-api domain -list`
    case list(domain: String)
    /// `-forceApplyPins`
    case forceApply

    static let name = "pin"

    static let actions = [
        CommandAction("-add", "pin", options: [domainOption]) { call throws(CommandError) in
            .pin(.add(try pin(call), domain: try domain(call)))
        },
        CommandAction("-remove", "pin", options: [domainOption]) { call throws(CommandError) in
            .pin(.remove(try pin(call), domain: try domain(call)))
        },
        CommandAction("-list", options: [domainOption]) { call throws(CommandError) in
            .pin(.list(domain: try domain(call)))
        },
        CommandAction("-forceApplyPins") { _ in .pin(.forceApply) },
    ]

    private static let domainOption = CommandOption("-api", .text)

    private static func domain(_ call: CommandInvocation) throws(CommandError) -> String {
        guard let domain = call.value("-api") else {
            throw CommandError(
                "\(call.action.name.quoted) needs `-api`", hint: "it names the domain; `api -list` lists them")
        }
        return domain
    }

    // R18.1: a pin is checked by its form before anything runs.
    private static func pin(_ call: CommandInvocation) throws(CommandError) -> String {
        guard PublicKeyPin.pin(in: call.operand) != nil else {
            throw CommandError(
                ServiceError.invalidPin(call.operand, domain: try domain(call)).description,
                hint: "`key:NAME` stands for the pin of a key of that name")
        }
        return call.operand
    }

    var changesAccount: Bool {
        switch self {
        case .add, .remove: true
        case .list, .forceApply: false
        }
    }

    var action: String {
        switch self {
        case .add: "-add"
        case .remove: "-remove"
        case .list: "-list"
        case .forceApply: "-forceApplyPins"
        }
    }

    func confirmation(on account: Account) -> CommandConfirmation? {
        switch self {
        case .add, .remove: .impact(of: "updating the pins")
        case .forceApply: .impact(of: "forcing pin application")
        case .list: nil
        }
    }

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .add(let text, let domain):
            let pin = try CommandError.wrapping { () throws(ServiceError) in
                try account.addPin(text, toDomain: domain)
            }
            effect.reported = ["pin \(pin) added to API domain \(domain)"]
        case .remove(let text, let domain):
            let pin = try CommandError.wrapping { () throws(ServiceError) in
                try account.removePin(text, fromDomain: domain)
            }
            effect.reported = ["removed pin \(pin) from API domain \(domain)"]
        case .list(let domain):
            effect.printed = try CommandError.wrapping { [account] () throws(ServiceError) in
                try account.pins(ofDomain: domain)
            }
        case .forceApply:
            effect.forcesPins = true
            effect.reported = ["pin update has been forced"]
        }
    }
}
