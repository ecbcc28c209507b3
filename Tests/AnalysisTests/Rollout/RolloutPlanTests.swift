import Accounts
import Documents
import PolicyEngine
import Scenarios
import Testing

@testable import Analysis
@testable import TestSupport

/// Steps, commands, and which changes sampling can bring (R7.3, R7.4, R7.6).
@Suite struct RolloutPlanTests {
    private static let shop = """
        account: shop
        rules: [trial, other]
        policy: default,allow-root,risk
        filters: [{name: mine, key: ip, match: 1.2.3.4}]

        """

    /// A plan for management commands on an account.
    private static func plan(_ account: String, _ commands: [String], _ steps: String) throws -> RolloutPlan {
        let before = try AccountText.account(account)
        var after = before
        for command in commands { _ = try ManagementCommand(command).apply(to: &after, in: CommandContext()) }
        return try RolloutPlan(from: before, to: after, in: try RolloutStage.list(steps))
    }

    @Test func stepsAreRead() throws {
        let stages = try RolloutStage.list("0.1%:6h,10%:1d12h,100%")
        #expect(stages.map(\.percent) == ["0.1", "10", "100"])
        #expect(stages.map(\.seconds) == [21_600, 129_600, nil])
        #expect(stages.map(\.fraction) == [0.001, 0.1, 1])
        #expect(stages.map(\.isComplete) == [false, false, true])
    }

    static let wrongSteps = [
        "": "`` is not a step; write a share and a duration, such as `1%:6h`",
        "1:6h,100%": "`1:6h` is not a step; write a share and a duration, such as `1%:6h`",
        "1%:6h:1h,100%": "`1%:6h:1h` is not a step; write a share and a duration, such as `1%:6h`",
        "101%": "`101%` is not a step; write a share and a duration, such as `1%:6h`",
        "0%:1h,100%": "no device is in the step `0%:1h`",
        "1%,100%": "`1%` is not the last step, so it needs a duration, such as `1%:6h`",
        "1%:0s,100%": "`0s` is not a duration, such as `6h` or `1d`",
        "1%:6,100%": "`6` is not a duration, such as `6h` or `1d`",
        "1%:6h,100%:1d": "the last step stays, so `100%:1d` takes no duration",
        "10%:1h,10%:1h,100%": "the share of `10%:1h` is not larger than that of the step before",
        "100%:1h,10%": "the share of `10%` is not larger than that of the step before",
    ]

    @Test(arguments: wrongSteps) func otherStepsAreRefused(text: String, message: String) {
        let error = #expect(throws: RolloutStageError.self) { try RolloutStage.list(text) }
        #expect(error?.description == message)
    }

    /// R7.3, R7.6: the commands of the manual (Custom Filtered Security Policy).
    @Test func commandsAreThoseOfTheManual() throws {
        let plan = try Self.plan(Self.shop, ["policy -set default,strict,risk"], "0.1%:6h,10%:1d,100%")
        #expect(
            plan.steps.map(\.commands) == [
                [
                    "approov device -add ++FilteredSecPolicy++w== -policy trial,strict,risk",
                    "approov filter -setSamplingPercentage 0.1",
                ],
                ["approov filter -setSamplingPercentage 10"],
                [
                    "approov policy -set default,strict,risk", "approov filter -setSamplingPercentage 0",
                    "approov device -remove ++FilteredSecPolicy++w==",
                ],
            ])
        #expect(plan.changes.map(\.offset) == [0, 21_600, 108_000])
        #expect(plan.changes.map(\.isComplete) == [false, false, true])
    }

    /// At the end the account is the one after the change, in every part.
    @Test(arguments: ["1%:1h,100%", "100%"]) func theEndIsTheChange(_ steps: String) throws {
        let before = try AccountText.account(Self.shop)
        var after = before
        _ = try ManagementCommand("policy -set default,strict,all").apply(to: &after, in: CommandContext())
        let plan = try RolloutPlan(from: before, to: after, in: try RolloutStage.list(steps))
        let end = try #require(plan.steps.last).change.account
        #expect(AccountChange(from: after, to: end).parts == [])
        #expect((plan.filteredPolicy == nil) == (steps == "100%"))
    }

    /// R7.3: the rules of the change, if they are others than the account's.
    @Test func rulesOfTheChangeAreKept() throws {
        let plan = try Self.plan(Self.shop, ["policy -set other,strict,risk"], "1%:1h,50%")
        #expect(plan.filteredPolicy?.description == "other,strict,risk")
        #expect(plan.steps.map(\.commands).last == ["approov filter -setSamplingPercentage 50"])
    }

    static let refused: [(account: String, commands: [String], message: String)] = [
        (shop, [], "the change changes nothing"),
        (
            shop, ["filter -add bad -key ip -matchValue 5.6.7.8 -reject"],
            "a filter cannot be brought to a sampled share of devices: sampling selects a policy (R7.6), and it is no filter "
                + "that a conjunction could have as an input (R7.4)"
        ),
        (
            shop, ["device -add \(SampleDevice.bob) -banMode ban"],
            "an entry of a device cannot be brought to a sampled share of devices: it is for one device (R6)"
        ),
        (
            shop, ["filter -setSamplingPercentage 5"],
            "the filtered policy and the sampling percentage are the means of a rollout, and not what is rolled out"
        ),
        (
            shop, ["policy -set default,strict,risk", "policy -setARC off"],
            "only the security policy can be brought to a sampled share of devices (R7.3), and the change concerns other "
                + "settings, too"
        ),
        (
            shop, ["policy -addRejectFlag rooted"],
            "a custom rejection policy cannot be brought to sampled devices: only presets can be set for them (R4.4)"
        ),
        (
            "account: shop\n", ["policy -set default,strict,default"],
            "a filtered policy has an effect only under rules other than `default` (R7.3), and the account has no others"
        ),
        (
            shop + "sampling-percentage: 5\n", ["policy -set default,strict,default"],
            "the account has a filtered policy or a sampling percentage already, and a rollout needs both"
        ),
        (
            shop + "devices: [{id: ++FilteredSecPolicy++w==, policy: 'trial,strict,risk'}]\n",
            ["policy -set default,strict,default"],
            "the account has a filtered policy or a sampling percentage already, and a rollout needs both"
        ),
        (
            shop.replacing("match: 1.2.3.4", with: "match: 1.2.3.4, exec-filtered-sec-policy: true"),
            ["policy -set default,strict,default"],
            "the filter `mine` has `execFilteredSecPolicy`, so that all devices that it matches would get the policy in the "
                + "first step (R7.3)"
        ),
    ]

    @Test(arguments: refused.indices) func otherChangesAreRefused(_ index: Int) {
        let row = Self.refused[index]
        let error = #expect(throws: RolloutRefusal.self) { try Self.plan(row.account, row.commands, "1%:6h,100%") }
        #expect(error?.description == row.message)
    }

    /// R6.1: a 26th entry is refused, as the service does.
    @Test func whatTheServiceRefusesIsRefused() throws {
        let ids = (0..<25).map { DeviceID(first: UInt64($0), second: 7) }
        let entries = ids.map { "  - {id: \($0)}\n" }.joined()
        let error = #expect(throws: RolloutRefusal.self) {
            try Self.plan(Self.shop + "devices:\n\(entries)", ["policy -set default,strict,risk"], "1%:6h,100%")
        }
        #expect(error?.description.contains("at most 25 device entries") == true)
    }
}

/// Rollouts in scenarios: cached tokens, propagation, and the commands as somebody types them.
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
        #expect(outcome.diagnostics.all.map(\.message) == [])
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
        _ = ScenarioRunner(decisionsPath: folder.path("decisions")).run([scenario], diagnostics: &diagnostics)
        #expect(!diagnostics.hasErrors)
        let decisions = try WrittenDecision.read(try #require(folder.bytes(of: "decisions")))
        var known: Set<String> = []
        for (index, figures) in rollout.steps.enumerated() {
            let failing = decisions.filter { decision in
                guard decision.verdict == "fail", let time = Instant(rfc3339: decision.time) else { return false }
                return (starts[index]..<starts[index + 1]).contains(time - rollout.start + 3600)
            }
            let devices = Set(failing.map(\.device)).subtracting(known)
            #expect(devices == Set(figures.newlyRejected.map { "\($0)" }))
            #expect(!devices.isEmpty)
            known.formUnion(devices)
        }
        #expect(known.count == 60)
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

    /// R1.5, R14.1: tokens of minute 10 that are cached until minute 12 are not lost. All devices fetch at the same times:
    /// a token lives 2 minutes, or 5 for those without a risk, who lose nothing. So of the fetches in each minute up to 20,
    /// each rooted device loses 9.
    @Test func cachedTokensAreKept() throws {
        let scenario = try ScenarioText.load(Self.text(fetches: "{at: 0s, fetch: all, every: 1m, until: 20m}"))
        let rollout = try Self.evaluate(scenario, "100%", delay: 600)
        #expect(rollout.steps.map(\.rejected) == [60])
        #expect(rollout.steps.map(\.lost) == [60 * 9])
        #expect(rollout.steps.map(\.met) == [100])
        #expect(rollout.notice == nil)
    }

    @Test func jobsDoNotMatter() throws {
        let scenario = try ScenarioText.load(Self.text(fetches: "{at: 0s, fetch: all, every: 20m, until: 6h}"))
        let rollouts = try [1, 4].map {
            try Self.evaluate(scenario, "10%:3h,30%:8h,100%", delay: 0, runs: 12, jobs: $0)
        }
        #expect(rollouts[0].notice == rollouts[1].notice)
        #expect(rollouts[0].steps.map(\.notice) == rollouts[1].steps.map(\.notice))
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
        _ = ScenarioRunner(decisionsPath: folder.path("decisions")).run([scenario], diagnostics: &diagnostics)
        let devices = try WrittenDecision.read(try #require(folder.bytes(of: "decisions"))).map(\.device)
        #expect(devices.count == 60)
        // Only sampled devices fail: (k + 1) 0.5^k is at most 0.05 from 8 on, and at least 8 of 60 are always sampled.
        let sampled = (0..<40).map { run in
            devices.count { SHA256.digest("\($0)|2026-03-02|shop|1|\(run)")[0] < 128 }
        }
        #expect(sampled.allSatisfy { $0 >= 8 })
        #expect(rollout.notice == RolloutNotice(sampled.map { _ in 60 }))
        let own = devices.filter { SHA256.digest("\($0)|2026-03-02|shop")[0] < 128 }
        #expect(rollout.steps[0].newlyRejected.map { "\($0)" } == own)
    }

    @Test func commandsOfTheScenarioAreRefused() throws {
        let scenario = try ScenarioText.load(
            Self.text(
                fetches: "{at: 0s, fetch: all}", commands: ["{at: 1m, approov: \"policy -set default,strict,default\"}"]
            ))
        let before = try #require(scenario.onlyAccount)
        var after = before
        after.policy = try before.securityPolicy("default,default,default")
        let plan = try RolloutPlan(from: before, to: after, in: try RolloutStage.list("10%:3h,100%"))
        let outcome = ScenarioRollout(
            plan, scenario, delay: 0, seed: nil, runs: RolloutRuns(count: 1, seed: 1), jobs: 1
        ).run()
        #expect(outcome.rollout == nil)
        #expect(
            outcome.diagnostics.all.map(\.message)
                == ["the scenario changes the account itself, and a rollout would undo that"])
    }
}
