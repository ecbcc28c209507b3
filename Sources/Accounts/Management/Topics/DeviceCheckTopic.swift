internal import Documents
package import PolicyEngine

/// The topic `devicecheck`: the key with which the service asks Apple's DeviceCheck (R8).
package enum DeviceCheckTopic: ManagementTopic {
    case addAuthKey(DeviceCheckSettings)
    case get, remove

    static let name = "devicecheck"

    static let actions: [CommandAction] = [
        action(
            "-addAuthKey", "file name", for: .adminsAndDelegates, changes: true, impact: "this",
            options: [CommandOption("-teamID", .text), CommandOption("-bits", .text), CommandOption("-expiry", .text)]
        ) { call throws(CommandError) in .addAuthKey(try settings(call)) },
        action("-get", for: .developersAndDelegates) { _ in .get },
        action("-remove", for: .adminsAndDelegates, changes: true, impact: "this") { _ in .remove },
    ]

    // Only the name of the key file is used, which has the ID of the key (R8.1).
    private static func settings(_ call: CommandInvocation) throws(CommandError) -> DeviceCheckSettings {
        let name = call.operand.split(separator: "/").last.map(String.init) ?? ""
        let (prefix, suffix) = ("AuthKey_", ".p8")
        guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.utf8.count > prefix.utf8.count + suffix.utf8.count
        else {
            throw CommandError("\(call.operand.quoted) is not a key file", hint: "such as AuthKey_XXXXXXXXXX.p8")
        }
        return DeviceCheckSettings(
            teamID: call.value("-teamID"), keyID: String(name.dropFirst(prefix.count).dropLast(suffix.count)),
            bits: try call.word("-bits") ?? .none,
            expiry: try call.value("-expiry").map(months) ?? DeviceCheckSettings.defaultExpiry)
    }

    // A number of months: `12`, or `12m` as `devicecheck -get` shows it.
    private static func months(_ text: String) throws(CommandError) -> Int {
        let digits = text.hasSuffix("m") ? String(text.dropLast()) : text
        let limits = AccountLimits.deviceCheckExpiry
        guard let months = Int(digits), String(months) == digits, limits.contains(months) else {
            throw CommandError(
                "\(text.quoted) is not a number of months from \(limits.lowerBound) to \(limits.upperBound)")
        }
        return months
    }

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .addAuthKey(var settings):
            settings.teamID = settings.teamID ?? account.deviceCheck?.teamID
            guard settings.teamID != nil else {
                throw CommandError(
                    "`-addAuthKey` needs `-teamID`", hint: "the developer account shows the team ID")
            }
            account.deviceCheck = settings
            effect.reported = ["device check information added"]
        case .get: effect.printed = Self.lines(of: account.deviceCheck)
        case .remove:
            guard account.deviceCheck?.keyID != nil else { throw CommandError("there is no DeviceCheck key") }
            account.removeAuthKey()
            effect.reported = ["device check information removed"]
        }
    }

    // The answer of `-get`, as in the manual, Apple DeviceCheck Integration.
    private static func lines(of settings: DeviceCheckSettings?) -> [String] {
        guard let settings, let keyID = settings.keyID else { return ["device check information has not been set"] }
        return [
            "TeamID: \(settings.teamID ?? "")", "KeyID: \(keyID)", "Expiry: \(settings.expiry)m",
            "Bits: \(settings.bits.rawValue)", "Apple Endpoint: Production",
        ]
    }
}
