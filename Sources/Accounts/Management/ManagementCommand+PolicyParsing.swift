internal import PolicyEngine

extension ManagementCommand {
    /// Understands a command of the topic `policy`.
    static func policyCommand(_ call: CommandInvocation) throws(CommandError) -> ManagementCommand {
        switch call.action.name {
        case "-set": .setPolicy(call.operand)
        case "-addRejectFlag": .addRejectFlag(call.operand)
        case "-removeRejectFlag": .removeRejectFlag(call.operand)
        case "-setARC": .setResponseCode(try onOff(call))
        case "-setIPTracking": .setIPTracking(try word(call.operand, call.action.name))
        case "-setAudience": .setAudience(try onOff(call))
        case "-setIssuer": .setIssuer(try onOff(call))
        case "-setPinningTestURL": .setPinningTestURL(try pinningTestURL(call.operand))
        case "-removePinningTestURL": .setPinningTestURL(nil)
        case "-getARC": .question(.responseCode)
        case "-getIPTracking": .question(.ipTracking)
        case "-getAudience": .question(.audience)
        case "-getIssuer": .question(.issuer)
        case "-getPinningTestURL": .question(.pinningTestURL)
        default: .question(.policy)
        }
    }

    private static func pinningTestURL(_ text: String) throws(CommandError) -> String {
        if !text.isEmpty { return text }
        throw CommandError("the pinning test URL is empty", hint: "`policy -removePinningTestURL` removes it")
    }
}
