import Documents
import Testing

@testable import Scenarios
@testable import TestSupport

/// `run --mutants`: which changes of accounts the scenarios notice.
@Suite struct MutationRunnerTests {
    // A rooted device fails, a cloned one passes, and a filter rejects one of a customer.
    private static func scenario(expecting expectation: String, account: String = account) -> String {
        """
        scenario: A shop
        account: \(account)
        devices:
          rooted: {os: android, flags: [rooted]}
          cloned: {os: android, flags: [cloned]}
          customer: {os: android, attributes: {user-property: gold}}
        steps:
          - {at: 0s, fetch: all, expect: \(expectation)}

        """
    }

    private static let account =
        "{account: shop, policy: 'default,allow-cloned,default', filters: [\(filter)]}"
    private static let filter = "{name: vip, key: user-property, match: gold, reject: true}"

    /// The changes that make a device pass or fail otherwise.
    private static let effective = [
        "policy -addRejectFlag cloned", "policy -addRejectFlag new-did", "policy -addRejectFlag risky-device",
        "policy -removeRejectFlag rooted", "policy -set default,allow-root-and-jailbroken,default",
        "filter vip without -reject", "filter vip with a regex that matches nothing",
    ]

    /// Expectations, and those of the effective changes that each does not notice.
    static let rows: [Case<String, [String]>] = [
        Case("the right counts", "{pass: 1, fail: 2}", gives: []),
        Case("nothing of verdicts", "{attested: 3}", gives: effective),
        // Without the filter, and with `rooted` allowed, more devices pass.
        Case(
            "a lower bound", "{pass: {at-least: 1}}",
            gives: effective.filter { !$0.hasPrefix("policy -addRejectFlag") }),
        // A new device fails for being new, too; a cloned one for nothing else.
        Case(
            "one group", "[{group: cloned, verdict: pass}]",
            gives: effective.filter { !$0.hasPrefix("policy -addRejectFlag") }),
    ]

    @Test(arguments: rows) func saysWhatIsNotNoticed(_ row: Case<String, [String]>) throws {
        let report = try Self.report([("a.yaml", Self.scenario(expecting: row.input))])
        let unnoticed = report.mutants.filter { mutant in
            if case .unnoticed = mutant.effect { true } else { false }
        }
        #expect(Set(unnoticed.map(\.change)) == Set(row.expected))
        #expect(report.noticed == Self.effective.count - row.expected.count)
        #expect(report.effective == Self.effective.count)
        // Each flag added or removed, a looser preset, two changes of the filter.
        #expect(report.mutants.count == FlagFacts.all.count + 3)
        #expect(report.idle == report.mutants.count - Self.effective.count)
        for mutant in unnoticed {
            guard case .unnoticed(let gap) = mutant.effect else { continue }
            #expect(gap.position == SourcePosition(line: 8, column: 5))
            #expect(gap.file.hasSuffix("a.yaml"))
        }
    }

    @Test func saysWhatDiffers() throws {
        let report = try Self.report([("a.yaml", Self.scenario(expecting: "{attested: 3}"))])
        let mutant = try #require(report.mutants.first { $0.change == "policy -removeRejectFlag rooted" })
        guard case .unnoticed(let gap) = mutant.effect else {
            Issue.record("noticed")
            return
        }
        #expect(gap.difference == "verdict fail, changed: pass")
    }

    /// A difference beside fetches, in a scenario that expects nothing of it.
    struct KindRow: LabelledRow {
        let name: String
        let account: String
        let steps: String
        let change: String
        let difference: String
    }

    private static let block = "devices: [{id: \(SampleDevice.bob), pin-mode: block}]"
    private static let api = "apis: [{domain: api.example.com, pins: ['key:LEAF']}, {domain: lock.com, alg: A256GCMKW}]"

    static let kinds = [
        KindRow(
            name: "R21.2 a secure string", account: "features: [secure-strings], secure-strings: {k: v}",
            steps: "  - {at: 0s, secure-string: {group: bob, key: k}}\n",
            change: "policy -removeRejectFlag rooted", difference: "secure-string REJECTED, changed: SUCCESS"),
        KindRow(
            name: "R21.3 a custom JWT", account: "features: [custom-jwt]",
            steps: "  - {at: 0s, custom-jwt: {group: bob, payload: '{}'}}\n",
            change: "policy -removeRejectFlag rooted", difference: "custom-jwt REJECTED, changed: SUCCESS"),
        KindRow(
            name: "R18.3 a request whose fetch is the same", account: "\(api), \(block)",
            steps: "  - {at: 0s, request: bob, to: api.example.com}\n", change: "device -remove \(SampleDevice.bob)",
            difference: "request blocked, changed: refused"),
        KindRow(
            name: "R19.4 a request that carries another token", account: api,
            steps: "  - {at: 0s, request: bob, to: api.example.com}\n", change: "policy -removeRejectFlag rooted",
            difference: "request refused, changed: accepted"),
    ]

    @Test("R19a what is not noticed of requests, strings and custom JWTs is said", arguments: kinds)
    func looksAtEveryKind(_ row: KindRow) throws {
        let text =
            "scenario: s\naccount: {account: shop, \(row.account)}\nbackends: {api.example.com: {chain: [LEAF]}}\n"
            + "devices: {bob: {id: \(SampleDevice.bob), os: android, flags: [rooted]}}\nsteps:\n\(row.steps)"
        let report = try Self.report([("a.yaml", text)])
        let mutant = try #require(report.mutants.first { $0.change == row.change })
        guard case .unnoticed(let gap) = mutant.effect else {
            Issue.record("\(mutant.effect)")
            return
        }
        #expect(gap.difference == row.difference)
        #expect(report.noticed < report.effective)
    }

    @Test func aFlagThatNoDeviceHasBearsOnThePolicyByItsName() throws {
        // The policy is `custom` after any edit; an expectation says which it is.
        let text =
            "scenario: s\naccount: {account: shop}\ndevices: {bob: {os: android}}\n"
            + "steps:\n  - {at: 0s, fetch: bob, expect: {policy: 'default,default,default'}}\n"
        let report = try Self.report([("a.yaml", text)])
        let mutant = try #require(report.mutants.first { $0.change == "policy -addRejectFlag automated" })
        #expect(mutant.effect == .noticed)
    }

    /// A change that one of the scenarios of an account file notices is noticed.
    @Test func scenariosOfOneAccountHelpOneAnother() throws {
        let file = "account: shop\npolicy: 'default,allow-cloned,default'\nfilters: [\(Self.filter)]\n"
        let weak = Self.scenario(expecting: "{attested: 3}", account: "shop.yaml")
        let strong = Self.scenario(expecting: "{pass: 1, fail: 2}", account: "shop.yaml")
        let both = try Self.report([("a.yaml", weak), ("b.yaml", strong)], besides: ["shop.yaml": file])
        #expect(both.mutants.count == 40)
        #expect(both.noticed == both.effective)
        let apart = try Self.report([
            ("a.yaml", Self.scenario(expecting: "{attested: 3}")),
            ("b.yaml", Self.scenario(expecting: "{pass: 1, fail: 2}")),
        ])
        #expect(apart.mutants.count == 80)
        #expect(apart.noticed == Self.effective.count)
    }

    @Test func theShareIsThatOfEffectiveChanges() throws {
        let report = try Self.report([("a.yaml", Self.scenario(expecting: "{pass: {at-least: 1}}"))])
        #expect((report.noticed, report.effective) == (3, 7))
    }

    @Test func theNumberOfJobsMakesNoDifference() throws {
        let texts = [("a.yaml", Self.scenario(expecting: "{pass: {at-least: 1}}"))]
        let (one, four) = (try Self.report(texts), try Self.report(texts, jobs: 4))
        #expect(one.mutants.map(\.change) == four.mutants.map(\.change))
        #expect(one.mutants.map(Self.effect) == four.mutants.map(Self.effect))
        #expect(one.noticed == four.noticed)
    }

    // An effect without the folder of this run.
    private static func effect(of mutant: MutationReport.Mutant) -> String {
        "\(mutant.effect)".replacing(/file: "[^"]*\//, with: "file: \"")
    }

    private static func report(
        _ texts: [(name: String, text: String)], besides files: [String: String] = [:], jobs: Int = 1
    ) throws -> MutationReport {
        let folder = try TemporaryFolder(files)
        var diagnostics = Diagnostics()
        let scenarios = try texts.map { name, text in
            let path = try folder.write(text.utf8, to: name)
            return try #require(ScenarioLoader.load(path: path, diagnostics: &diagnostics), "\(diagnostics.all)")
        }
        return MutationRunner(jobs: jobs).run(scenarios)
    }
}
