import Accounts
import Documents
import PolicyEngine
import Scenarios
import Testing

@testable import Analysis
@testable import TestSupport

/// The end of a rollout (R7.3, R7.4, R7.6).
@Suite struct RolloutPlanTests {
    private static let shop = """
        account: shop
        rules: [trial, other]
        policy: default,allow-root,risk
        filters: [{name: mine, key: ip, match: 1.2.3.4}]

        """

    /// At the end the account is the one after the change, in every part.
    @Test(arguments: ["1%:1h,100%", "100%"]) func theEndIsTheChange(_ steps: String) throws {
        let before = try AccountText.account(Self.shop)
        var after = before
        _ = try ManagementCommand("policy -set default,strict,all").apply(to: &after, in: CommandContext())
        let plan = try RolloutPlan(from: before, to: after, in: try RolloutStage.list(steps))
        let end = try #require(plan.steps.last).change.account
        expect(AccountChange(from: after, to: end).parts, equals: [])
        expect((plan.filteredPolicy == nil), equals: (steps == "100%"))
    }
}

/// Rollouts in scenarios: the commands as somebody types them.
@Suite struct ScenarioRolloutTests {
    // The text of a scenario, with steps besides the fetches.
    private static func text(fetches: String, commands: [String] = []) -> String {
        """
        start: 2026-03-02T18:00:00Z
        account:
          account: shop
          rules: [trial]
          policy: default,allow-root,default
        devices:
          rooted: {count: 60, os: android, flags: [rooted]}
          others: {count: 40, os: android}
        steps:
          - \(fetches)
        \(commands.map { "  - \($0)" }.joined(separator: "\n"))
        """
    }

    private static func evaluate(
        _ scenario: Scenario, _ steps: String, delay: Int, runs: Int = 3, jobs: Int = 1
    ) throws -> Rollout {
        let before = try #require(scenario.onlyAccount)
        var after = before
        after.policy = try before.securityPolicy("default,default,default")
        let plan = try RolloutPlan(from: before, to: after, in: try RolloutStage.list(steps))
        let outcome = ScenarioRollout(
            plan, scenario, delay: delay, seed: nil, runs: RolloutRuns(count: runs, seed: 1), jobs: jobs
        ).run()
        expect(outcome.diagnostics.all.map(\.message), equals: [])
        return try #require(outcome.rollout)
    }

    /// The commands of the steps, typed into the scenario, reject the same devices in the same steps.
    @Test func theCommandsDoWhatWasSimulated() throws {
        let fetches = "{at: 0s, fetch: all, every: 20m, until: 14h}"
        let rollout = try Self.evaluate(
            try ScenarioText.load(Self.text(fetches: fetches)), "10%:3h,30%:8h,100%", delay: 3600)
        let commands = rollout.plan.steps.flatMap { step in
            step.commands.map { "{at: \(DurationText.text(3600 + step.change.offset)), approov: \"\($0)\"}" }
        }
        let starts = rollout.plan.steps.map { 3600 + $0.change.offset } + [Int.max]
        let scenario = try ScenarioText.load(
            Self.text(fetches: "{at: 0s, fetch: all}", commands: Self.woven(commands, starts)))
        let folder = try TemporaryFolder()
        var diagnostics = Diagnostics()
        var runner = ScenarioRunner(seed: nil)
        runner.decisionsPath = folder.path("decisions")
        _ = runner.run([scenario], diagnostics: &diagnostics)
        #expect(!diagnostics.hasErrors)
        let decisions = try WrittenDecision.read(try #require(folder.bytes(of: "decisions")))
        var known: Set<String> = []
        for (index, figures) in rollout.steps.enumerated() {
            let failing = decisions.filter { decision in
                guard decision.verdict == "fail", let time = Instant(rfc3339: decision.time) else { return false }
                return (starts[index]..<starts[index + 1]).contains(time - rollout.start + 3600)
            }
            let devices = Set(failing.map(\.device)).subtracting(known)
            expect(devices, equals: Set(figures.newlyRejected.map { "\($0)" }))
            #expect(!devices.isEmpty)
            known.formUnion(devices)
        }
        expect(known.count, equals: 60)
    }

    // Fetches of all devices every 20 minutes, with the commands among them at their times.
    private static func woven(_ commands: [String], _ starts: [Int]) -> [String] {
        let fetches = (1...42).map { (time: $0 * 1200, line: "{at: \(DurationText.text($0 * 1200)), fetch: all}") }
        let timed = commands.map { command -> (time: Int, line: String) in
            let at = command.dropFirst(5).prefix { $0 != "," }
            return ((try? DurationText.parse(String(at))) ?? 0, command)
        }
        return (timed.map { ($0.time, 0, $0.line) } + fetches.map { ($0.time, 1, $0.line) }).enumerated()
            .sorted { ($0.element.0, $0.element.1, $0.offset) < ($1.element.0, $1.element.1, $1.offset) }
            .map(\.element.2)
    }

    @Test func jobsDoNotMatter() throws {
        let scenario = try ScenarioText.load(Self.text(fetches: "{at: 0s, fetch: all, every: 20m, until: 6h}"))
        let rollouts = try [1, 4].map {
            try Self.evaluate(scenario, "10%:3h,30%:8h,100%", delay: 0, runs: 12, jobs: $0)
        }
        expect(rollouts[0].notice, equals: rollouts[1].notice)
        expect(rollouts[0].steps.map(\.notice), equals: rollouts[1].steps.map(\.notice))
        #expect((rollouts[0].notice?.noticed ?? 0) > 0)
        #expect(!rollouts[0].isReached(2))
    }

    /// The watch of a scenario with an attestation a fetch, each device once, is that of the capture of it: the devices that
    /// fail are known, and so is who is sampled in a run (R7.6).
    @Test func runsSampleByTheNameOfTheAccount() throws {
        let scenario = try ScenarioText.load(
            Self.text(fetches: "{at: 1m, fetch: all}").replacing("others: {count: 40, os: android}", with: ""))
        let rollout = try Self.evaluate(scenario, "50%", delay: 0, runs: 40)
        var diagnostics = Diagnostics()
        let folder = try TemporaryFolder()
        var runner = ScenarioRunner(seed: nil)
        runner.decisionsPath = folder.path("decisions")
        _ = runner.run([scenario], diagnostics: &diagnostics)
        let devices = try WrittenDecision.read(try #require(folder.bytes(of: "decisions"))).map(\.device)
        expect(devices.count, equals: 60)
        // Only sampled devices fail: (k + 1) 0.5^k is at most 0.05 from 8 on, and at least 8 of 60 are always sampled.
        let sampled = (0..<40).map { run in
            devices.count { SHA256.digest("\($0)|2026-03-02|shop|1|\(run)")[0] < 128 }
        }
        #expect(sampled.allSatisfy { $0 >= 8 })
        expect(rollout.notice, equals: RolloutNotice(sampled.map { _ in 60 }))
        let own = devices.filter { SHA256.digest("\($0)|2026-03-02|shop")[0] < 128 }
        expect(rollout.steps[0].newlyRejected.map { "\($0)" }, equals: own)
    }
}
