@testable import Accounts
@testable import PolicyEngine
@testable import Scenarios
@testable import TestSupport

/// Changes an account at random: one to three things that an account holds, each to something that the scenario may or may
/// not have to do with.
struct RandomChange {
    private var chance: Chance
    private let texts, keys, ids: [String]

    /// - Parameters:
    ///   - seed: The seed of all draws.
    ///   - scenario: The scenario whose attributes filters may look at.
    ///   - ids: Devices that attest in the scenario.
    init(seed: UInt64, _ scenario: Scenario, ids: [String]) {
        chance = Chance(seed: seed)
        let attributes = scenario.groups.flatMap(\.attributes)
        keys = ["ip", "device", "flags-all", "device-id", "attest-reason", "nowhere"] + attributes.map(\.key)
        texts = ["nothing", "rooted", "frida|cydia", "launch", "10.0.0.1"] + attributes.flatMap(\.source.texts)
        self.ids = ids + ["AAAAAAAAAAAAAAAAAAAAAA=="]
    }

    /// The account after the change.
    mutating func changed(_ account: Account) -> Account {
        var account = account
        for _ in 0...chance.below(3) { change(&account) }
        return account
    }

    private mutating func change(_ account: inout Account) {
        switch chance.below(22) {
        case 0...5: addFilter(to: &account)
        case 6: command("policy -addRejectFlag \(chance.pick(["automated", "rooted", "frida"]))", &account)
        case 7: if let mutant = AccountMutant.all(of: account).last { account = mutant.account }
        case 8, 9: command("device -add \(chance.pick(ids)) -policy default,whitelist,default", &account)
        case 10: command("device -add \(chance.pick(ids)) -banDID", &account)
        case 11: command("device -add ++FilteredSecPolicy++w== -policy default,blacklist,default", &account)
        case 12: account.samplingPercentage = Percentage("30") ?? .zero
        case 13: account.deviceCheck = DeviceCheckSettings(teamID: "TEAM\(chance.below(9))")
        case 14: account.safetyNet = SafetyNetSettings(apiKey: "key")
        case 15: account.ipTracking = chance.pick(IPTracking.allCases)
        case 16: (account.includesAudience, account.includesIssuer) = (true, true)
        case 17: account.secureStrings[ExactText("key\(chance.below(3))")] = "value"
        case 18: account.developmentKey = "another"
        case 19: account.pinningTestURL = "https://example.org"
        case 20: command("api -add other.example.com", &account)
        default: rare(&account)
        }
    }

    private mutating func rare(_ account: inout Account) {
        switch chance.below(8) {
        case 0: account.propagation = 7
        case 1: account.grace = 3
        case 2: account.billingDay = 9
        case 3: account.isResponseCodeOn.toggle()
        case 4: account.features = []
        case 5: account.filters.reverse()
        case 6: account.name += "x"
        default: account.registrations = nil
        }
    }

    private mutating func addFilter(to account: inout Account) {
        let (key, text) = (chance.pick(keys), chance.pick(texts))
        let options: [Filter.Options] = [.reject, .ban, .risky, .executeFilteredPolicy, [], .captureDeviceInformation]
        let pattern = try? Pattern(chance.pick([text, "^x\(text)", "zz-\(text)"]))
        let ordinary = account.filters.filter { $0.inputs == nil }.map(\.name)
        var tests: [Filter.Test] = [.exact(key: key, value: text)]
        if let pattern { tests += [.regex(key: key, pattern: pattern), .regex(key: key, pattern: pattern)] }
        if !ordinary.isEmpty { tests.append(.conjunction([chance.pick(ordinary)])) }
        guard
            let filter = try? Filter(
                name: "new-\(chance.below(3))", test: chance.pick(tests), options: chance.pick(options))
        else { return }
        try? account.set(filter)
    }

    private func command(_ line: String, _ account: inout Account) {
        account = (try? ManagementCommand(line))?.edited(account) ?? account
    }
}
