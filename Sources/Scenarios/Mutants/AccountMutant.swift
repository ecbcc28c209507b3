internal import Accounts
internal import PolicyEngine

/// An account with one thing changed, as a mistake or an attack on it might change it.
struct AccountMutant: Sendable {
    /// The management command that makes the change, or words if there is none.
    let change: String
    let account: Account
    /// The flag that the change is about; without it on any device the change has no effect.
    var flag: Flag?

    private init(change: String, account: Account) { (self.change, self.account) = (change, account) }

    // The account after a command; `nil` where there is none, or it changes nothing.
    private init?(_ command: ManagementCommand?, _ account: Account, flag: Flag? = nil) {
        guard let command, let edited = command.edited(account) else { return nil }
        (change, self.account, self.flag) = (command.text, edited, flag)
    }

    /// Every mutant of an account: a reject flag more or less, a preset one step looser, the short lifetime on or off, a filter
    /// without one of its options or with a test that nothing passes, an entry less, the usual grace in place of another, no
    /// samples.
    ///
    /// - Returns: Always in the same order; none that is the same account.
    static func all(of account: Account) -> [AccountMutant] {
        let all =
            flags(account) + presets(account) + account.filters.flatMap { filters($0, account) }
            + account.devices.compactMap { AccountMutant(.removal(ofDevice: $0.id), account) } + settings(account)
        return all.filter { $0.account != account }
    }

    private static func flags(_ account: Account) -> [AccountMutant] {
        let policy = account.policy.rejection
        return account.catalogue.declaredFlags.compactMap { name, flag in
            AccountMutant(.rejectFlag(name, isAdded: !policy.anyRejecting.contains(flag)), account, flag: flag)
        }
    }

    private static func presets(_ account: Account) -> [AccountMutant] {
        let policy = account.policy.rejection
        let others = [looser(than: policy, account.catalogue), otherLifetime(policy)].compactMap(\.self)
        return others.compactMap { AccountMutant(.policy(account.policy.rejecting(by: $0)), account) }
    }

    // The preset that rejects on less and on nothing more, and of these the one that differs least.
    private static func looser(than policy: RejectionPolicy, _ catalogue: FlagCatalogue) -> RejectionPreset? {
        func weights(_ policy: RejectionPolicy) -> [Int] {
            catalogue.declaredFlags.map { weight(policy.status(of: $0.flag)) }
        }
        let own = weights(policy)
        let candidates = RejectionPreset.allCases.compactMap { preset -> (RejectionPreset, Int)? in
            let other = weights(RejectionPolicy(preset: preset))
            guard zip(other, own).allSatisfy({ $0 <= $1 }), other != own else { return nil }
            return (preset, zip(own, other).reduce(0) { $0 + $1.0 - $1.1 })
        }
        return candidates.enumerated().min { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }?.element.0
    }

    private static func weight(_ status: RejectionStatus) -> Int {
        switch status {
        case .accepts: 0
        case .rejectsUnlessXposed: 1
        case .rejects: 2
        }
    }

    // The preset with the same flags and another lifetime (R11.1).
    private static func otherLifetime(_ policy: RejectionPolicy) -> RejectionPreset? {
        guard !policy.isCustom else { return nil }
        return switch policy.base {
        case .allowRootAndJailbrokenOnly: .allowRootAndJailbrokenOnlyShortLifetime
        case .allowRootAndJailbrokenOnlyShortLifetime: .allowRootAndJailbrokenOnly
        default: nil
        }
    }
}

// MARK: Filters, entries, settings

extension AccountMutant {
    private static let options: [(word: String, option: Filter.Options)] = [
        ("reject", .reject), ("ban", .ban), ("risky", .risky), ("newDIDOnly", .newDevicesOnly),
        ("execFilteredSecPolicy", .executeFilteredPolicy),
    ]

    private static func filters(_ filter: Filter, _ account: Account) -> [AccountMutant] {
        let without = options.filter { filter.options.contains($0.option) }.compactMap { word, option in
            replacing(
                filter, by: filter.test, filter.options.subtracting(option), account,
                change: "filter \(filter.name) without -\(word)")
        }
        guard let key = filter.key, let nothing = try? Pattern("(?!)") else { return without }
        return without
            + [
                replacing(
                    filter, by: .regex(key: key, pattern: nothing), filter.options, account,
                    change: "filter \(filter.name) with a regex that matches nothing")
            ].compactMap(\.self)
    }

    private static func replacing(
        _ filter: Filter, by test: Filter.Test, _ options: Filter.Options, _ account: Account, change: String
    ) -> AccountMutant? {
        var mutant = account
        guard let replacement = try? Filter(name: filter.name, test: test, options: options),
            (try? mutant.set(replacement)) != nil
        else { return nil }
        return AccountMutant(change: change, account: mutant)
    }

    private static func settings(_ account: Account) -> [AccountMutant] {
        var usual = account
        usual.grace = Account().grace
        let grace = AccountMutant(change: "grace \(usual.grace)s instead of \(account.grace)s", account: usual)
        return [grace] + [AccountMutant(.sampling(0), account)].compactMap(\.self)
    }
}
