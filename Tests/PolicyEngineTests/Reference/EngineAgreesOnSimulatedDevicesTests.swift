import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("The engine agrees with the reference on simulated devices") struct EngineAgreesOnSimulatedDevicesTests {
    static let seeds = Array(UInt64(1)...Exhaustive.count(60, whole: 400))
    static let attestations = 100

    @Test("R1–R15 the engine decides on simulated devices as the reference does", arguments: seeds)
    func agrees(seed: UInt64) throws {
        var run = try SimulatedRun(seed: seed)
        for number in 0..<Self.attestations {
            let step = try run.step()
            let context: Comment = "seed \(seed), attestation \(number): \(step.phone), \(step.observation)"
            #expect(step.difference == nil, context)
            guard step.actual != step.expected else { continue }
            #expect(step.actual.flags == step.expected.flags, context)
            #expect(step.actual.description == step.expected.description, context)
            return
        }
    }

    /// A combination that must come up, as the flags of an attestation.
    struct Combination: LabelledRow {
        let label: String
        let flags: Set<String>
        var without: Set<String> = []
    }

    static let combinations = [
        Combination(
            label: "a banned device with a new ID", flags: ["devicecheck-ban", "new-did"], without: ["did-ban"]),
        Combination(label: "an unbanned device", flags: ["did-unban", "devicecheck-completed"]),
        Combination(label: "a ban of ID and device", flags: ["did-ban", "devicecheck-ban"]),
        Combination(label: "a failure", flags: ["devicecheck-failed"]),
        Combination(label: "an unavailable DeviceCheck", flags: ["devicecheck-unavailable"]),
        Combination(label: "a missing DeviceCheck", flags: ["devicecheck-missing"]),
        Combination(label: "a SafetyNet of an ID that is known", flags: ["safetynet-completed"], without: ["new-did"]),
        Combination(label: "a token that fails", flags: ["safetynet-fail-token"]),
        Combination(label: "an integrity that fails", flags: ["safetynet-fail-integrity"]),
        Combination(label: "a profile that fails", flags: ["safetynet-fail-profile"]),
        Combination(label: "a certificate that fails", flags: ["safetynet-fail-cert"]),
        Combination(label: "an unavailable SafetyNet", flags: ["safetynet-unavailable"]),
        Combination(label: "a missing SafetyNet", flags: ["safetynet-missing"]),
        Combination(label: "an app that is not registered", flags: ["app-not-registered"]),
    ]

    @Test("the random phones reach every kind of state, often enough") func everyStateIsReached() throws {
        var steps: [SimulatedRun.Step] = []
        for seed in Self.seeds.prefix(50) {
            var run = try SimulatedRun(seed: seed)
            for _ in 0..<Self.attestations { steps.append(try run.step()) }
        }
        let flags = steps.map { Set($0.expected.flags) }
        for row in Self.combinations {
            let count = flags.count { $0.isSuperset(of: row.flags) && $0.isDisjoint(with: row.without) }
            #expect(count >= 5, "\(row.label): \(count)")
        }
        let failovers = steps.filter(\.isFailover)
        #expect(failovers.contains { !$0.expected.passed } && failovers.contains(where: \.expected.passed))
        #expect(failovers.contains { $0.observation.flags.contains("cloned") && $0.expected.passed })
        #expect(failovers.allSatisfy { $0.expected.annotations == nil && $0.expected.filters.isEmpty })
        #expect(Set(steps.map { $0.observation.time.date.year }).count > 1)
    }
}
