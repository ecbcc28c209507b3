import Documents
import Testing

@testable import Accounts
@testable import Figures
@testable import PolicyEngine
@testable import Replay
@testable import Reports
@testable import Scenarios
@testable import TestSupport

/// Random scenarios of requests, pins, secrets, proofs and forced pins: what is worked out of a change agrees with plain runs.
@Suite("R19a.1 What is said of a change of clients agrees with plain runs") struct ClientAgreementTests {
    /// Tens of seeds each, so that there are few tests to report: 2,000 seeds in all.
    static let tens = Array(UInt64(0)..<Exhaustive.count(2, whole: 200))

    private static func seeds(_ ten: UInt64) -> ClosedRange<UInt64> { (ten * 10 + 1)...(ten * 10 + 10) }

    // MARK: diff

    @Test("diff counts what two plain runs differ in", arguments: tens)
    func diffAgrees(ten: UInt64) throws {
        for seed in Self.seeds(ten) {
            let random = ClientScenario(seed: seed)
            let scenario = try ScenarioText.load(random.expectingNothing)
            let before = try #require(scenario.onlyAccount)
            var change = ClientAccountChange(seed: seed)
            let after = change.changed(before)
            let outcome = ScenarioComparison(scenario, before: before, after: after).run()
            guard let clients = outcome.summary.comparison?.changes.clients else {
                // A command of the scenario that one of the accounts refuses.
                #expect(outcome.summary.diagnostics.hasErrors, "seed \(seed)")
                continue
            }
            let sides = (
                try random.counts(in: scenario.replacingAccount(by: before)),
                try random.counts(in: scenario.replacingAccount(by: after, inPlaceOf: before))
            )
            expect(Self.balance(clients), equals: Self.balance(sides.0, sides.1, random), "seed \(seed)")
            let lists = (
                PlainRun.received(scenario.replacingAccount(by: before)).flatMap(\.self),
                PlainRun.received(scenario.replacingAccount(by: after, inPlaceOf: before)).flatMap(\.self)
            )
            expect(Self.devices(clients), equals: Self.devices(lists.0, lists.1), "seed \(seed)")
        }
    }

    // By kind and word: how many more end so after the change, by the differences that the comparison names.
    private static func balance(_ clients: ClientChanges) -> [String: Int] {
        var balance: [String: Int] = [:]
        for part in clients.parts {
            for difference in part.differences where !difference.after.hasSuffix(", another one") {
                balance["\(part.kind.rawValue) \(word(difference.before))", default: 0] -= difference.count.events
                balance["\(part.kind.rawValue) \(word(difference.after))", default: 0] += difference.count.events
            }
        }
        // Expectations of a fetch count tokens alone.
        return balance.filter { $0.value != 0 && ($0.key.hasPrefix("token") ? isVerdict($0.key) : true) }
    }

    private static func word(_ text: String) -> String {
        switch text {
        case "valid": "pass"
        case "invalid": "fail"
        default: text
        }
    }

    private static func isVerdict(_ key: String) -> Bool { key == "token pass" || key == "token fail" }

    // The same by the counts of plain runs.
    private static func balance(
        _ before: [Int: [String: Int]], _ after: [Int: [String: Int]], _ random: ClientScenario
    ) -> [String: Int] {
        var balance: [String: Int] = [:]
        for (index, step) in random.steps.enumerated() {
            guard let kind = step.kind else { continue }
            let name =
                switch kind {
                case .fetch: "token"
                case .request: "request"
                case .secureString: "secure-string"
                case .customToken: "custom-jwt"
                case .proof: "proof"
                }
            for word in kind.words {
                balance["\(name) \(word)", default: 0] += (after[index]?[word] ?? 0) - (before[index]?[word] ?? 0)
            }
        }
        return balance.filter { $0.value != 0 }
    }

    // By kind: of how many installs something changes for the worse, and for the better.
    private static func devices(_ clients: ClientChanges) -> [String: [Int]] {
        var devices: [String: [Int]] = [:]
        for part in clients.parts where part.worse.devices + part.better.devices > 0 {
            devices[part.kind.rawValue] = [part.worse.devices, part.better.devices]
        }
        return devices
    }

    // No install gets another device ID here: the small scenarios are of Android devices that keep theirs.
    private static func devices(_ before: [Received], _ after: [Received]) -> [String: [Int]] {
        var (worse, better): ([String: Set<Int>], [String: Set<Int>]) = ([:], [:])
        for (old, new) in zip(before, after) where old.isGood != new.isGood {
            if old.isGood {
                worse[old.end.kind.rawValue, default: []].insert(old.group)
            } else {
                better[old.end.kind.rawValue, default: []].insert(old.group)
            }
        }
        let kinds = Set(worse.keys).union(better.keys)
        return Dictionary(
            uniqueKeysWithValues: kinds.map { ($0, [worse[$0]?.count ?? 0, better[$0]?.count ?? 0]) })
    }

    // MARK: --affected-by

    @Test("a scenario that is left out gives the same under both accounts", arguments: tens)
    func affectedAgrees(ten: UInt64) throws {
        for seed in Self.seeds(ten) {
            let random = ClientScenario(seed: seed, hasCommands: seed % 4 == 0)
            let scenario = try ScenarioText.load(random.expectingNothing)
            let before = try #require(scenario.onlyAccount)
            var known: PlainRun?
            for number in 0..<6 {
                var change = ClientAccountChange(seed: seed * 6 + UInt64(number))
                let after = change.changed(before)
                let effect = scenario.effect(of: AccountChange(from: before, to: after), onAccount: 0)
                guard case .unaffected(let reason) = effect else { continue }
                if known == nil { known = try PlainRun(scenario) }
                let changed = try PlainRun(scenario.replacingAccount(at: 0, by: after))
                expect(
                    changed.output, equals: known?.output, "seed \(seed), change \(number), left out since \(reason)")
            }
        }
    }

    // MARK: --mutants

    @Test("what is noticed fails, and what is not passes", arguments: tens)
    func mutantsAgree(ten: UInt64) throws {
        for seed in Self.seeds(ten) {
            let random = ClientScenario(seed: seed)
            var chance = Chance(seed: seed)
            let counts = try random.counts(in: try ScenarioText.load(random.expectingNothing))
            // Only some steps are looked at, so that something is left to notice.
            let looked = Set(random.steps.indices.filter { _ in chance.happens(25) })
            let scenario = try ScenarioText.load(
                random.yaml { index, kind in looked.contains(index) ? kind.expectation(counts[index] ?? [:]) : nil })
            try #require(PlainRun.passes(scenario), "seed \(seed)")
            let own = PlainRun.received(scenario)
            let mutants = AccountMutant.all(of: scenario.accounts[0].account)
            let report = MutationReport(on: [scenario])
            try #require(report.mutants.count == mutants.count)
            // Most flags are on no device: one of ten of these changes is looked at.
            for (mutant, found) in zip(mutants, report.mutants) where found.effect != .idle || chance.happens(10) {
                let changed = scenario.replacingAccount(at: 0, by: mutant.account)
                expect(
                    PlainRun.passes(changed), equals: (found.effect != .noticed),
                    "seed \(seed), \(mutant.change): \(found.effect)")
                let isSame = Self.isSame(own, PlainRun.received(changed))
                if found.effect == .idle { #expect(isSame, "seed \(seed), \(mutant.change)") }
                if case .unnoticed = found.effect { #expect(!isSame, "seed \(seed), \(mutant.change)") }
            }
        }
    }

    private static func isSame(_ own: [[Received]], _ other: [[Received]]) -> Bool {
        zip(own.joined(), other.joined()).allSatisfy { $0.isSame(as: $1) }
    }

    // MARK: Coverage of the random changes

    @Test("the random changes reach every kind, for the worse and for the better") func everyKindIsReached() throws {
        var (worse, better): (Set<ClientChanges.Kind>, Set<ClientChanges.Kind>) = ([], [])
        for seed in UInt64(1)...120 {
            let scenario = try ScenarioText.load(ClientScenario(seed: seed).yaml())
            let before = try #require(scenario.onlyAccount)
            var change = ClientAccountChange(seed: seed)
            let outcome = ScenarioComparison(scenario, before: before, after: change.changed(before)).run()
            for part in outcome.summary.comparison?.changes.clients?.parts ?? [] {
                if part.worse.devices > 0 { worse.insert(part.kind) }
                if part.better.devices > 0 { better.insert(part.kind) }
            }
        }
        expect(worse.count, equals: ClientChanges.Kind.allCases.count, "\(worse)")
        #expect(better.count >= ClientChanges.Kind.allCases.count - 1, "\(better)")
    }
}

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

/// All that a run of a scenario gives; a filter that matched nothing is none of it.
struct PlainRun {
    let result: ScenarioResult
    let output: Output

    /// The outputs that can be compared, byte by byte.
    struct Output: Equatable {
        let report, decisions: String
        let log, printed, diagnostics: [String]
    }

    init(_ scenario: Scenario) throws {
        let folder = try TemporaryFolder()
        var found = Diagnostics()
        let runner = ScenarioRunner(isVerbose: true, decisionsPath: folder.path("decisions"), keepsSeries: true)
        result = try #require(runner.run([scenario], diagnostics: &found).first)
        var figures = result.figures
        figures.filters.removeAll { $0.matched == 0 && $0.limitHits == 0 }
        let bytes = Report(figures: figures, scenarios: [result]).bytes(as: .json)
        output = Output(
            report: String(decoding: bytes, as: UTF8.self), decisions: folder["decisions"] ?? "", log: result.log,
            printed: result.printed, diagnostics: MarkedText.found(found))
    }

    /// True if the scenario can be run under its account, and holds.
    static func passes(_ scenario: Scenario) -> Bool {
        var found = Diagnostics()
        let results = ScenarioRunner().run([scenario], diagnostics: &found)
        return !found.hasErrors && results.allSatisfy(\.passed)
    }

    /// The results that clients get in each step of a scenario, one after another.
    static func received(_ scenario: Scenario) -> [[Received]] {
        var (run, diagnostics) = (ScenarioRun(scenario, keepsResults: true), Diagnostics())
        return Array(run.timeline).map { occurrence in
            run.perform(occurrence, diagnostics: &diagnostics)
            return run.received
        }
    }

    /// The first devices that attested.
    var devices: [String] {
        output.decisions.matches(of: #/"device-id":"([^"]+)"/#).prefix(5).map { String($0.1) }
    }
}
