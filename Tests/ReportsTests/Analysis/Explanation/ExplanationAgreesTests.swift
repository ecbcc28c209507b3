import PolicyEngine
import Testing

@testable import Analysis
@testable import Documents
@testable import Replay
@testable import TestSupport

/// Explanations agree with decisions, and the changes that they name turn verdicts.
@Suite struct ExplanationAgreesTests {
    static let stepSeeds = Exhaustive.seeds(1...80)
    static let attestations = 60
    static let flipSeeds = Exhaustive.seeds(1...28, each: 9)

    private static let flags = [
        RandomAccount.Declared(name: "extra-one", isRisk: true),
        RandomAccount.Declared(name: "extra-two", isRisk: false),
    ]

    private static func sample(_ seed: UInt64, _ count: Int) throws -> (account: Account, records: [CapturedRecord]) {
        var account = RandomAccount(seed: seed, flags: flags)
        var capture = RandomCapture(seed: seed << 20, flags: ["extra-one", "extra-two", "aa-unknown"])
        return (try AccountText.account(account.text()), capture.records(count))
    }

    @Test func everyStepLeadsToTheDecision() throws {
        var count = 0
        for seed in Self.stepSeeds {
            let (account, records) = try Self.sample(seed, Self.attestations)
            let folder = try TemporaryFolder()
            let path = try folder.write(records.map(\.line).joined().utf8, to: "1")
            var replay = CaptureReplay<CheckingResult>(
                ReplayRequest(captures: [path], account: account), .checking(account))
            #expect(!replay.run().diagnostics.hasErrors)
            let result = try #require(replay.result)
            expect(result.problems, equals: [], "seed \(seed)")
            count += result.count
        }
        #expect(count >= Exhaustive.count(1_100, whole: 4_500))
    }

    @Test(arguments: flipSeeds) func explainsWhatAReplayDecidesAndWhatTurnsIt(seed: UInt64) throws {
        let (account, records) = try Self.sample(seed, 20)
        let capture = records.map(\.line).joined()
        let decisions = try Self.decisions(capture, account)
        // The verdicts after some commands; the same ones turn many attestations.
        var trials: [[String]: [DecisionLine]] = [:]
        // The attestations that some single command turns; worked out if an explanation says that none does.
        var turned: Set<Int>?
        for device in Set(records.map(\.device)).sorted() {
            let indices = records.indices.filter { records[$0].device == device }
            let explanations = try ExplanationBench.explain(capture, account: account, device: device)
            try #require(explanations.count == indices.count)
            for (explanation, index) in zip(explanations, indices) {
                let decision = decisions[index]
                expect(explanation.passed, equals: decision.passed, "seed \(seed), record \(index)")
                expect(explanation.policy, equals: decision.policy, "seed \(seed), record \(index)")
                expect(explanation.time.description, equals: records[index].time)
                expect(explanation.steps.map(\.number), equals: Array(1...13))
                #expect(explanation.steps.allSatisfy { !$0.lines.isEmpty })
                Self.expectFirstFlip(explanation, decision, "seed \(seed), record \(index)")
                if seed % Exhaustive.choice(13, whole: 4) == 0,
                    !explanation.flips.contains(where: { $0.commands.count == 1 })
                {
                    let all = try turned ?? Self.turnedBySingleEdits(capture, account, decisions, records)
                    turned = all
                    #expect(!all.contains(index), "seed \(seed), record \(index): a single change does it")
                }
                for flip in explanation.flips {
                    let trial =
                        try trials[flip.commands]
                        ?? Self.decisions(capture, try ExplanationBench.changed(account, by: flip.commands))
                    trials[flip.commands] = trial
                    #expect(trial[index].passed != decision.passed, "seed \(seed), record \(index): \(flip.commands)")
                }
            }
        }
    }

    private static func decisions(_ capture: String, _ account: Account) throws -> [DecisionLine] {
        try DecisionLine.read(try #require(try ReplayBench.replay(capture, account: account).decisions))
    }

    // Every single command that a person could think of, one after another.
    private static func turnedBySingleEdits(
        _ capture: String, _ account: Account, _ decisions: [DecisionLine], _ records: [CapturedRecord]
    ) throws -> Set<Int> {
        var turned: Set<Int> = []
        for command in SingleCommands.all(of: account, devices: Set(records.map(\.device)).sorted()) {
            guard let changed = try? ExplanationBench.changed(account, by: [command]) else { continue }
            let trial = try Self.decisions(capture, changed)
            turned.formUnion(decisions.indices.filter { trial[$0].passed != decisions[$0].passed })
        }
        return turned
    }

    // If the account's policy rejects on one flag alone, taking that flag away is the least that helps.
    private static func expectFirstFlip(_ explanation: Explanation, _ decision: DecisionLine, _ context: String) {
        guard explanation.steps[8].lines[0].hasSuffix(", the account's"), decision.rejections.count == 1,
            decision.rejections[0] != "policy:blacklist"
        else { return }
        let cause = decision.rejections[0]
        let command =
            cause.hasPrefix("filter:") ? "filter -remove \(cause.dropFirst(7))" : "policy -removeRejectFlag \(cause)"
        expect(explanation.flips.first?.commands, equals: [command], "\(context)")
    }
}

/// Every single management command that may affect a verdict, whether or not it has a chance to.
enum SingleCommands {
    /// The commands on an account.
    static func all(of account: Account, devices: [String]) -> [String] {
        let flags = account.catalogue.declaredNames
        let presets = RejectionPreset.allCases.map(\.rawValue)
        let policies = account.rules.flatMap { rules in presets.map { "\(rules),\($0),default" } }
        var commands = flags.flatMap { ["policy -addRejectFlag \($0)", "policy -removeRejectFlag \($0)"] }
        commands += policies.map { "policy -set \($0)" }
        for device in devices + ["++FilteredSecPolicy++w=="] {
            commands += policies.map { "device -add \(device) -policy \($0)" }
            commands += ["device -remove \(device)"] + ["ban", "unban"].map { "device -add \(device) -banMode \($0)" }
        }
        for device in devices {
            commands += options.map { "filter -add new -key device-id -matchValue \(device) -\($0)" }
        }
        commands += account.filters.map { "filter -remove \($0.name)" }
        commands += account.filters.flatMap(withOtherOptions)
        commands += ["0", "25", "50", "75", "100"].map { "filter -setSamplingPercentage \($0)" }
        return commands
    }

    private static let options = ["reject", "ban", "risky", "execFilteredSecPolicy"]

    private static let all: [(word: String, option: Filter.Options)] = [
        ("reject", .reject), ("ban", .ban), ("risky", .risky), ("execFilteredSecPolicy", .executeFilteredPolicy),
        ("newDIDOnly", .newDevicesOnly), ("captureDeviceInfo", .captureDeviceInformation),
    ]

    // The filter with one option more or less, for each option.
    private static func withOtherOptions(_ filter: Filter) -> [String] {
        let test =
            switch filter.test {
            case .exact(let key, let value): "-key \(key) -matchValue '\(value)'"
            case .regex(let key, let pattern): "-key \(key) -matchValue '\(pattern.source)' -regex"
            case .conjunction(let inputs): "-conjunction \(inputs.joined(separator: "+"))"
            }
        return all.map { turned in
            let words = all.filter { filter.options.contains($0.option) != ($0.option == turned.option) }.map(\.word)
            return "filter -add \(filter.name) \(test)" + words.map { " -\($0)" }.joined()
        }
    }
}
