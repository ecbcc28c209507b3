internal import Documents
package import PolicyEngine

/// The topic `policy`: the security policy of the account and the contents of its tokens.
package enum PolicyTopic: ManagementTopic {
    case get
    case set(String)
    case addRejectFlag(String)
    case removeRejectFlag(String)
    case setResponseCode(Bool)
    case getResponseCode
    case setIPTracking(IPTracking)
    case getIPTracking
    case setAudience(Bool)
    case getAudience
    case setIssuer(Bool)
    case getIssuer
    case setPinningTestURL(String?)
    case getPinningTestURL

    static let name = "policy"

    static let actions: [CommandAction] = [
        action("-get", for: .developers) { _ in .get },
        action("-set", "policy", for: .admins, changes: true) { .set($0.operand) },
        action("-addRejectFlag", "flag", for: .admins, changes: true) { .addRejectFlag($0.operand) },
        action("-removeRejectFlag", "flag", for: .admins, changes: true) { .removeRejectFlag($0.operand) },
        action("-setARC", "value, `on` or `off`", for: .admins, changes: true) { call throws(CommandError) in
            .setResponseCode(try call.onOff())
        },
        action("-getARC", for: .developers) { _ in .getResponseCode },
        action("-setIPTracking", "value, `none`, `token` or `full`", for: .admins, changes: true) {
            call throws(CommandError) in
            .setIPTracking(try call.word())
        },
        action("-getIPTracking", for: .developers) { _ in .getIPTracking },
        action("-setAudience", "value, `on` or `off`", for: .admins, changes: true) { call throws(CommandError) in
            .setAudience(try call.onOff())
        },
        action("-getAudience", for: .developers) { _ in .getAudience },
        action("-setIssuer", "value, `on` or `off`", for: .admins, changes: true) { call throws(CommandError) in
            .setIssuer(try call.onOff())
        },
        action("-getIssuer", for: .developers) { _ in .getIssuer },
        action("-setPinningTestURL", "URL", for: .developers, changes: true) { call throws(CommandError) in
            guard !call.operand.isEmpty else {
                throw CommandError("the pinning test URL is empty", hint: "`policy -removePinningTestURL` removes it")
            }
            return .setPinningTestURL(call.operand)
        },
        action("-getPinningTestURL", for: .developers) { _ in .getPinningTestURL },
        action("-removePinningTestURL", for: .developers, changes: true) { _ in .setPinningTestURL(nil) },
    ]

    // The manual's name of the setting that the command changes; `nil` for a question.
    private var setting: String? {
        switch self {
        case .set, .addRejectFlag, .removeRejectFlag: Self.securityPolicy
        case .setResponseCode: "arc policy"
        case .setIPTracking: "IP tracking policy"
        case .setAudience: "audience policy"
        case .setIssuer: "issuer policy"
        case .setPinningTestURL: "pinning test URL"
        case .get, .getResponseCode, .getIPTracking, .getAudience, .getIssuer, .getPinningTestURL: nil
        }
    }

    private var setsPinningTestURL: Bool {
        if case .setPinningTestURL = self { true } else { false }
    }

    /// True if it changes the security policy, and nothing else.
    var changesPolicy: Bool { setting == Self.securityPolicy }

    private static let securityPolicy = "security policy"

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .set(let text): try set(text, &account, &effect)
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
        case .get: effect.printed = PolicyText.lines(of: account)
        case .getResponseCode: effect.printed = PolicyText.responseCodeLines(of: account)
        case .getIPTracking: effect.printed = ["IP tracking policy is \(account.ipTracking.rawValue)"]
        case .getAudience: effect.printed = ["audience policy is \(PolicyText.onOff(account.includesAudience))"]
        case .getIssuer: effect.printed = ["issuer policy is \(PolicyText.onOff(account.includesIssuer))"]
        case .getPinningTestURL: effect.printed = [account.pinningTestURL ?? "pinning test URL has not been set"]
        }
        if let setting {
            effect.confirmation = .impact(of: "updating the \(setting)")
            effect.reported = ["\(setting) was \(setsPinningTestURL ? "updated" : "set") successfully"]
        }
    }

    private func set(_ text: String, _ account: inout Account, _ effect: inout CommandEffect) throws(CommandError) {
        if let preset = RejectionPreset(rawValue: text) {
            throw CommandError(
                PolicyError.wrongForm(text).description,
                hint: "did you mean \(account.policy.rejecting(by: preset).description.quoted)?")
        }
        account.policy = try CommandError.wrapping { [account] () throws(PolicyError) in
            try account.securityPolicy(text)
        }
        if account.policy.annotation.namesEverything { effect.warn(AccountWarning.annotatesEverything) }
        if let entry = account.filteredPolicyEntry { effect.warn(AccountWarning.filteredPolicy(entry, of: account)) }
    }

    private static func flag(_ name: String, _ account: Account) throws(CommandError) -> Flag {
        if let flag = account.catalogue.namedFlag(name) { return flag }
        throw CommandError(
            "unknown flag \(name.quoted)", hint: Suggestion.hint(for: name, among: account.catalogue.declaredNames))
    }
}

/// Policies in the words of the manual (Getting Current Security Policy, Attestation Response Code).
package enum PolicyText {
    /// The output of `policy -get`.
    package static func lines(of account: Account) -> [String] {
        let policy = account.policy
        return [
            "security policy is \"\(policy)\" meaning:",
            "  rules: \(policy.rules) (\(rulesMeaning(policy.rules)))",
            "  rejection: \(policy.rejection.name) (\(rejectionMeaning(policy.rejection)))",
            "  annotation: \(policy.annotation.text) (\(annotationMeaning(policy.annotation, account.catalogue)))",
            "flag level rejection policy:",
        ] + flagLines(policy.rejection, account.catalogue)
    }

    /// The output of `policy -getARC`.
    static func responseCodeLines(of account: Account) -> [String] {
        guard account.isResponseCodeOn else { return ["ARC policy is off"] }
        let flags = ResponseCodec(account: account).encodableFlags
        return ["ARC policy is on", "flags that can be ARC encoded:"]
            + account.catalogue.names(of: flags).map { "  \($0)" }
    }

    /// A setting that is on or off.
    static func onOff(_ isOn: Bool) -> String { isOn ? "on" : "off" }

    // Every flag that a policy may name, those that reject with a tag.
    private static func flagLines(_ policy: RejectionPolicy, _ catalogue: FlagCatalogue) -> [String] {
        let flags = catalogue.flags.prefix(catalogue.namedCount)
        let width = (flags.map(\.name.count).max() ?? 0) + 1
        let tag = "reject "
        return flags.compactMap { known -> String? in
            guard let flag = catalogue.namedFlag(known.name) else { return nil }
            let status = policy.status(of: flag)
            let isConditional = status == .rejectsUnlessXposed
            let meaning = known.meaning + (isConditional ? " (rejected unless xposed is set too)" : "")
            let text = ListText.pad(known.name, to: meaning.isEmpty ? 0 : width) + meaning
            return "  " + (status == .accepts ? ListText.pad("", to: tag.count) : tag) + text
        }
    }

    private static func rulesMeaning(_ rules: String) -> String {
        rules == SecurityPolicy.defaultRules ? "Default security rules" : "Security rules that the account declares"
    }

    private static func rejectionMeaning(_ policy: RejectionPolicy) -> String {
        policy.isCustom ? "Flags chosen by hand, starting from \(policy.base.rawValue)" : policy.base.summary
    }

    private static func annotationMeaning(_ policy: AnnotationPolicy, _ catalogue: FlagCatalogue) -> String {
        if policy.namesEverything { return "All flags in Approov token" }
        let names = catalogue.names(of: policy.flags)
        return names.isEmpty ? "No flags in Approov token" : "\(names.joined(separator: ", ")) in Approov token"
    }
}
