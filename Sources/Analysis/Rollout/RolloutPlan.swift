internal import Accounts
internal import Documents
package import PolicyEngine
package import Scenarios

/// A change of the security policy that is brought to a sampled share of the devices first, by the filtered policy and the
/// sampling percentage (R7.3, R7.6), and then to all.
package struct RolloutPlan: Sendable {
    /// The account before the rollout.
    package let before: Account
    /// The policy that is rolled out.
    package let policy: SecurityPolicy
    /// The policy of sampled devices; `nil` where the first step has all devices.
    package private(set) var filteredPolicy: SecurityPolicy?
    /// The steps, in the order of time; at least one.
    package private(set) var steps: [Step] = []
    /// The change for all devices at the start of the rollout, which has no steps then.
    let atOnce: SteppedChange

    /// A step, with its commands and the account after them.
    package struct Step: Sendable {
        package let stage: RolloutStage
        /// The management commands that begin the step, as they are typed at the service.
        package let commands: [String]
        /// The account after the commands, and when they are given.
        package let change: SteppedChange
    }

    /// The accounts of the steps and their times.
    package var changes: [SteppedChange] { steps.map(\.change) }

    /// The account of the steps with a sample, with all devices in it; `nil` where the first step has all devices.
    var everywhere: Account? {
        guard var account = steps.first?.change.account, filteredPolicy != nil else { return nil }
        account.samplingPercentage = .hundred
        return account
    }

    /// True if what the policies do depends on which devices are new, so that records have to show it.
    var dependsOnNewDevices: Bool {
        before.decidesOnNewDevices || steps.contains { $0.change.account.decidesOnNewDevices }
    }

    /// Plans a rollout.
    ///
    /// - Parameters:
    ///   - before: The account before the change.
    ///   - after: The account after it.
    ///   - stages: The steps; at least one.
    /// - Throws: ``RolloutRefusal`` for a change that sampling cannot bring to a share of the devices.
    package init(from before: Account, to after: Account, in stages: [RolloutStage]) throws(RolloutRefusal) {
        (self.before, policy) = (before, after.policy)
        try RolloutRefusal.check(from: before, to: after)
        var all = before
        try Self.carryOut("policy -set \(after.policy)", on: &all)
        atOnce = SteppedChange(account: all, offset: 0, isComplete: true)
        if stages.first?.isComplete == false {
            filteredPolicy = SecurityPolicy(
                rules: try Self.rules(before, after.policy), rejection: policy.rejection,
                annotation: policy.annotation)
        }
        var (account, offset) = (before, 0)
        for (index, stage) in stages.enumerated() {
            let commands = commands(stage, isFirst: index == 0)
            for command in commands { try Self.carryOut(command, on: &account) }
            let change = SteppedChange(account: account, offset: offset, isComplete: stage.isComplete)
            steps.append(Step(stage: stage, commands: commands.map { "approov \($0)" }, change: change))
            offset += stage.seconds ?? 0
        }
    }

    private func commands(_ stage: RolloutStage, isFirst: Bool) -> [String] {
        let entry = DeviceID.filteredPolicyText
        guard !stage.isComplete else {
            let leaving = filteredPolicy == nil ? [] : ["filter -setSamplingPercentage 0", "device -remove \(entry)"]
            return ["policy -set \(policy)"] + leaving
        }
        let entering = isFirst ? filteredPolicy.map { ["device -add \(entry) -policy \($0)"] } ?? [] : []
        return entering + ["filter -setSamplingPercentage \(stage.percent)"]
    }

    // R7.3: rules other than the account's. Those of the change where it has others, or else the first that there are.
    private static func rules(_ account: Account, _ policy: SecurityPolicy) throws(RolloutRefusal) -> String {
        let others = [policy.rules] + account.rules
        if let rules = others.first(where: { $0 != account.policy.rules }) { return rules }
        throw RolloutRefusal(
            "a filtered policy has an effect only under rules other than \(account.policy.rules.quoted) (R7.3), and "
                + "the account has no others",
            hint: "the service's support sets up rules; `rules: [NAME]` declares them in the account file")
    }

    private static func carryOut(_ command: String, on account: inout Account) throws(RolloutRefusal) {
        do throws(CommandError) {
            _ = try ManagementCommand(command).apply(to: &account, in: CommandContext())
        } catch {
            throw RolloutRefusal("\(command.quoted) is refused: \(error.description)", hint: error.help)
        }
    }
}
