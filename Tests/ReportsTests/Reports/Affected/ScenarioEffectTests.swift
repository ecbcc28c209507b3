import Foundation
import Testing

@testable import Accounts
@testable import Documents
@testable import PolicyEngine
@testable import Scenarios
@testable import TestSupport

/// Which scenarios a change of an account leaves as they are: they give the same result before and after, byte for byte.
@Suite("Scenarios that a change leaves out") struct ScenarioEffectTests {
    /// Those of the repository that are run quickly, or all.
    static let paths: [String] = {
        var diagnostics = Diagnostics()
        let root = Repository.root.appending(path: "Scenarios").path(percentEncoded: false)
        return ScenarioFiles.find(at: root, diagnostics: &diagnostics)
    }()

    @Test("those of the repository give the same result", arguments: paths)
    func ofTheRepositoryAreTheSame(path: String) throws {
        var diagnostics = Diagnostics()
        let loaded = ScenarioLoader.load(path: path, within: .anywhere, diagnostics: &diagnostics)
        let scenario = try #require(loaded, "\(MarkedText.found(diagnostics))")
        guard scenario.deviceCount <= Exhaustive.count(60, whole: 1000) else { return }
        try Self.check(scenario, seeds: 1...UInt64(Exhaustive.count(4, whole: 20)))
    }

    @Test("random ones give the same result", arguments: Exhaustive.seeds(1...96, each: 12))
    func randomOnesAreTheSame(seed: UInt64) throws {
        try Self.check(try Self.scenario(seed: seed), seeds: seed * 100...seed * 100 + 3)
    }

    // One of four has its commands, one those about the policy alone, and two have none.
    private static func scenario(seed: UInt64) throws -> Scenario {
        var scenario = try ScenarioText.load(SweepGenerator.scenario(seed: seed).yaml)
        scenario.steps.removeAll { step in
            guard let command = (step.action as? CommandStep)?.command else { return false }
            if command.value is PolicyTopic { return seed / 4 % 2 == 1 }
            return seed / 4 % 4 > 0
        }
        return scenario
    }

    @Test("the random changes leave scenarios out for every kind of reason") func everyReasonIsReached() throws {
        var counts: [String: Int] = [:]
        for seed in UInt64(1)...40 {
            let scenario = try Self.scenario(seed: seed)
            for number in UInt64(0)..<40 {
                let account = scenario.accounts[0].account
                var change = RandomChange(seed: seed * 40 + number, scenario, ids: [])
                let after = change.changed(account)
                guard
                    case .unaffected(let reason) = scenario.effect(
                        of: AccountChange(from: account, to: after), onAccount: 0)
                else { continue }
                for part in reason.split(separator: "; ") {
                    counts[String(part).replacing(/`.*`/, with: "").replacing("filters", with: "filter"), default: 0] +=
                        1
                }
            }
        }
        #expect(counts.count >= 11, "\(counts)")
        #expect(counts["filter  can match no device", default: 0] >= 130, "\(counts)")
    }

    // Changes each account of a scenario at random; where the scenario is left out, it gives the same result.
    private static func check(_ scenario: Scenario, seeds: ClosedRange<UInt64>) throws {
        var known: PlainRun?
        for (index, seed) in scenario.accounts.indices.flatMap({ index in seeds.map { (index, $0) } }) {
            if known == nil { known = try PlainRun(scenario) }
            guard let before = known else { return }
            let account = scenario.accounts[index].account
            var change = RandomChange(seed: seed, scenario, ids: before.devices)
            let after = change.changed(account)
            let effect = scenario.effect(of: AccountChange(from: account, to: after), onAccount: index)
            guard case .unaffected(let reason) = effect else { continue }
            let result = try PlainRun(scenario.replacingAccount(at: index, by: after))
            expect(result.output, equals: before.output, "\(scenario.file), change \(seed), left out since \(reason)")
        }
    }

    @Test(
        "a scenario is left out where the change cannot reach it",
        arguments: CaseFile.all(in: "Tables/affected", ending: ".txt"))
    func isLeftOut(_ file: CaseFile) throws {
        try file.expectActual { example in
            let given = example.body.filter { !$0.hasPrefix("left out: ") && $0 != "run" }
            func value(_ key: String) -> String? {
                given.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
            }
            let accounts = try ["before: ", "after: "].map { key in
                try Self.scenario(value(key).map { ", \($0)" } ?? "", steps: value("steps: ") ?? "{at: 0s, fetch: all}")
            }
            let change = AccountChange(from: accounts[0].accounts[0].account, to: accounts[1].accounts[0].account)
            guard case .unaffected(let reason) = accounts[1].effect(of: change, onAccount: 0) else {
                return given + ["run"]
            }
            return given + ["left out: \(reason)"]
        }
    }

    private static func scenario(_ account: String, steps: String) throws -> Scenario {
        try ScenarioText.load(
            """
            scenario: Some devices
            account: {account: shop\(account)}
            devices:
              one: {id: AAAAAAAAAAAAAAAAAAAAAQ==, os: android, flags: [rooted], attributes: {ip: 10.1.2.3}}
              many: {count: 5, os: ios, attributes: {ip: 192.168.0.0/16, device: 'iOS, 12.1'}}
            steps: [\(steps)]

            """)
    }
}

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
