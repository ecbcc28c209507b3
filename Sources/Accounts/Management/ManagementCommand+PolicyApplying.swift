internal import Documents
internal import PolicyEngine

extension ManagementCommand {
    /// Carries out a command of the topic `policy`.
    func applyToPolicies(of account: inout Account, _ effect: inout CommandEffect) throws(CommandError) {
        switch self {
        case .setPolicy(let text): try setPolicy(text, &account, &effect)
        case .addRejectFlag(let name):
            account.policy.rejection.addRejectFlag(try Self.flag(name, account))
            effect.warn(AccountWarning.customBase(of: account.policy.rejection))
        case .removeRejectFlag(let name):
            account.policy.rejection.removeRejectFlag(try Self.flag(name, account))
            effect.warn(AccountWarning.customBase(of: account.policy.rejection))
        case .setResponseCode(let isOn): account.isResponseCodeOn = isOn
        case .setIPTracking(let tracking): account.ipTracking = tracking
        case .setAudience(let isIncluded): account.includesAudience = isIncluded
        case .setIssuer(let isIncluded): account.includesIssuer = isIncluded
        case .setPinningTestURL(let url):
            account.pinningTestURL = url
            effect.warn(url.flatMap(AccountWarning.pinningTestURL))
        default: break
        }
        if let setting = policySetting { effect.reported = ["\(setting) was \(verb) successfully"] }
    }

    private var verb: String {
        if case .setPinningTestURL = self { "updated" } else { "set" }
    }

    private func setPolicy(_ text: String, _ account: inout Account, _ effect: inout CommandEffect) throws(CommandError)
    {
        let unchanged = account
        account.policy = try Self.policy { () throws(PolicyError) in try unchanged.securityPolicy(text) }
        if account.policy.annotation.namesEverything { effect.warn(AccountWarning.annotatesEverything) }
        if let entry = account.filteredPolicyEntry { effect.warn(AccountWarning.filteredPolicy(entry, of: account)) }
    }

    private static func flag(_ name: String, _ account: Account) throws(CommandError) -> Flag {
        if let flag = account.catalogue.namedFlag(name) { return flag }
        throw CommandError(
            "unknown flag \(name.quoted)", hint: Suggestion.hint(for: name, among: account.catalogue.declaredNames))
    }

    /// Reads a policy, whose errors become those of the command.
    static func policy(_ read: () throws(PolicyError) -> SecurityPolicy) throws(CommandError) -> SecurityPolicy {
        do throws(PolicyError) {
            return try read()
        } catch {
            throw CommandError(
                error.description, hint: error.choice.flatMap { Suggestion.hint(for: $0.wrong, among: $0.known) })
        }
    }
}
