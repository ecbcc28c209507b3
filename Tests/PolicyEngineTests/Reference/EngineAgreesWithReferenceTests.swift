import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("The engine agrees with the reference evaluator") struct EngineAgreesWithReferenceTests {
    static let seeds = Array(UInt64(1)...Exhaustive.count(60, whole: 400))
    static let attestations = 100

    @Test("R1–R11 the engine decides as the reference does", arguments: seeds)
    func agrees(seed: UInt64) throws {
        var run = try RandomRun(seed: seed)
        for number in 0..<Self.attestations {
            let step = try run.step()
            guard step.actual != step.expected else { continue }
            Self.report(step, "seed \(seed), attestation \(number): \(step.observation)")
            return
        }
        try Self.compareStates(&run, seed: seed)
    }

    @Test("the random accounts and attestations reach every kind of outcome") func everyKindOfOutcomeIsReached() throws
    {
        var outcomes: [NamedDecision] = []
        for seed in Self.seeds.prefix(60) {
            var run = try RandomRun(seed: seed)
            for _ in 0..<Self.attestations { outcomes.append(try run.step().expected) }
        }
        let rejections = Set(outcomes.flatMap(\.rejections))
        #expect(rejections.isSuperset(of: ["rooted", "did-ban", "policy:blacklist", "filter:filter-0"]))
        #expect(Set(outcomes.flatMap(\.flags)).isSuperset(of: FlagFacts.names + ["extra-one", "zz-unknown"]))
        #expect(Set(outcomes.map(\.lifetime)) == [45, 120, 300])
        let rejectionPolicies = Set(outcomes.map { $0.policy.split(separator: ",")[1] })
        #expect(rejectionPolicies.isSuperset(of: PresetFacts.names.map { $0[...] } + ["custom"]))
        #expect(outcomes.contains { $0.annotations == [] })
        #expect(outcomes.contains { $0.annotations == nil })
        #expect(Set(outcomes.map { $0.filters.count }).isSuperset(of: 0...4))
        let share = outcomes.filter(\.passed).count * 100 / outcomes.count
        #expect(20...80 ~= share, "passes and failures both happen often: \(share) % pass")
    }

    private static func report(_ step: RandomRun.Step, _ context: String) {
        let (actual, expected) = (step.actual, step.expected)
        #expect(actual.passed == expected.passed, "\(context)")
        #expect(actual.rejections == expected.rejections, "\(context)")
        #expect(actual.flags == expected.flags, "\(context)")
        #expect(actual.filters == expected.filters, "\(context)")
        #expect(actual.annotations == expected.annotations, "\(context)")
        #expect(actual.policy == expected.policy, "\(context)")
        #expect(actual.lifetime == expected.lifetime, "\(context)")
        #expect(actual.expires == expected.expires, "\(context)")
    }

    private static func compareStates(_ run: inout RandomRun, seed: UInt64) throws {
        var service = run.service
        for device in AccountGenerator.devices {
            #expect(try service.state(of: device) == run.reference.state(of: device), "seed \(seed): \(device)")
        }
        #expect(service.engine.bannedDeviceCount == run.reference.bannedDeviceCount, "seed \(seed)")
    }
}
