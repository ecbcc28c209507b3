import Accounts
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
