@testable import Accounts
@testable import PolicyEngine
@testable import TestSupport

/// Changes at random what affects the clients of an account: pins, modes, strings, features, keys, the policy.
struct ClientAccountChange {
    private var chance: Chance

    init(seed: UInt64) { chance = Chance(seed: seed &+ 7_000_003) }

    private static let ids = ["h4gubfCFzJu81j/U2BJsdg==", "DoYouReadThisText01234==", "w4mmGFZkpz5oPz6w6gl1Cw=="]

    /// The account after one or two changes.
    mutating func changed(_ account: Account) -> Account {
        var account = account
        for _ in 0...chance.below(2) { change(&account) }
        return account
    }

    private mutating func change(_ account: inout Account) {
        let domain = chance.pick(["a.com", "b.com", "lock.com"])
        let key = "key:\(chance.pick(["A", "B", "CA"]))"
        switch chance.below(16) {
        case 0, 1, 2: command("pin -api \(domain) -add \(key)", &account)
        case 3: command("pin -api \(domain) -remove \(key)", &account)
        case 4: command("api -add \(chance.pick(["b.com", "c.com"]))", &account)
        case 5: command("api -remove b.com", &account)
        case 6:
            let mode = chance.pick(["pin", "unpin", "block", "blockAll"])
            command("device -add \(chance.pick(Self.ids)) -pinMode \(mode)", &account)
        case 7: command("device -add \(chance.pick(Self.ids)) -policy default,blacklist,default", &account)
        case 8: account.secureStrings[chance.pick(["one", "two"])] = chance.pick([nil, "another"])
        case 9:
            // Measurements stay, or the scenario would be refused.
            account.features = Set(chance.some(of: [.secureStrings, .customJWT, .messageSigning], 50) + [.measurement])
        case 10: command("secret -change", &account)
        case 11: command("policy -removeRejectFlag rooted", &account)
        case 12: command("policy -addRejectFlag \(chance.pick(["new-did", "automated", "debug"]))", &account)
        case 13: account.grace = chance.pick([0, 40])
        case 14: addFilter(to: &account)
        default: (account.includesAudience, account.includesIssuer) = (true, chance.happens(50))
        }
    }

    private mutating func addFilter(to account: inout Account) {
        let pattern = chance.pick(["^h4", "^Do", "^w4", "^never"])
        guard let regex = try? Pattern(pattern),
            let filter = try? Filter(
                name: "drawn", test: .regex(key: "device-id", pattern: regex),
                options: chance.pick([[], .reject, .ban]))
        else { return }
        try? account.set(filter)
    }

    private func command(_ line: String, _ account: inout Account) {
        account = (try? ManagementCommand(line))?.edited(account) ?? account
    }
}
