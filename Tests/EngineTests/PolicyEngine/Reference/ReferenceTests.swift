import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("The engine agrees with the reference evaluator") struct EngineAgreesWithReferenceTests {
    static let seeds = Array(UInt64(1)...Exhaustive.count(60, whole: 400))
    static let attestations = 100

    @Test("R1–R11 the engine decides as the reference does, which decides in every way") func agrees() throws {
        var outcomes: [NamedDecision] = []
        for seed in Self.seeds {
            var run = try RandomRun(seed: seed)
            for number in 0..<Self.attestations {
                let step = try run.step()
                outcomes.append(step.expected)
                if step.actual != step.expected {
                    return Self.report(step, "seed \(seed), attestation \(number): \(step.observation)")
                }
            }
            try Self.compareStates(&run, seed: seed)
        }
        let rejections = Set(outcomes.flatMap(\.rejections))
        #expect(rejections.isSuperset(of: ["rooted", "did-ban", "policy:blacklist", "filter:filter-0"]))
        #expect(Set(outcomes.flatMap(\.flags)).isSuperset(of: FlagFacts.names + ["extra-one", "zz-unknown"]))
        expect(Set(outcomes.map(\.lifetime)), equals: [45, 120, 300])
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
        expect(actual.passed, equals: expected.passed, "\(context)")
        expect(actual.rejections, equals: expected.rejections, "\(context)")
        expect(actual.flags, equals: expected.flags, "\(context)")
        expect(actual.filters, equals: expected.filters, "\(context)")
        expect(actual.annotations, equals: expected.annotations, "\(context)")
        expect(actual.policy, equals: expected.policy, "\(context)")
        expect(actual.lifetime, equals: expected.lifetime, "\(context)")
        expect(actual.expires, equals: expected.expires, "\(context)")
    }

    private static func compareStates(_ run: inout RandomRun, seed: UInt64) throws {
        var service = run.service
        for device in AccountGenerator.devices {
            try expect(service.state(of: device), equals: run.reference.state(of: device), "seed \(seed): \(device)")
        }
        expect(service.engine.bannedDeviceCount, equals: run.reference.bannedDeviceCount, "seed \(seed)")
    }
}

@Suite("The engine agrees with the reference on simulated devices") struct EngineAgreesOnSimulatedDevicesTests {
    static let seeds = Array(UInt64(1)...Exhaustive.count(60, whole: 400))
    static let attestations = 100

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

    @Test("R1–R15 the engine decides as the reference does on phones, in every state often enough") func agrees() throws
    {
        var steps: [SimulatedRun.Step] = []
        for seed in Self.seeds {
            var run = try SimulatedRun(seed: seed)
            for number in 0..<Self.attestations {
                let step = try run.step()
                steps.append(step)
                if step.difference == nil, step.actual == step.expected { continue }
                let context: Comment = "seed \(seed), attestation \(number): \(step.phone), \(step.observation)"
                #expect(step.difference == nil, context)
                expect(step.actual.flags, equals: step.expected.flags, context)
                expect(step.actual.description, equals: step.expected.description, context)
                return
            }
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

/// The tools of the reference evaluator are checked against values from elsewhere.
@Suite("The tools of the reference evaluator") struct ReferenceToolTests {
    struct Digest: Sendable, CustomTestStringConvertible {
        let text: String
        let hexadecimal: String

        var testDescription: String { "\(text.utf8.count) bytes" }
    }

    /// From Python's hashlib; the lengths lie around the ends of blocks.
    static let digests = [
        Digest(text: "", hexadecimal: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Digest(text: "abc", hexadecimal: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Digest(
            text: String(repeating: "a", count: 55),
            hexadecimal: "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        Digest(
            text: String(repeating: "a", count: 56),
            hexadecimal: "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
        Digest(
            text: String(repeating: "a", count: 64),
            hexadecimal: "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        Digest(
            text: String(repeating: "a", count: 120),
            hexadecimal: "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
    ]

    @Test("SHA-256 gives the digests that hashlib gives", arguments: digests)
    func hashes(_ row: Digest) {
        let digits = Array("0123456789abcdef")
        let text = SHA256.digest(row.text).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        expect(String(text), equals: row.hexadecimal)
    }

    struct Search: Sendable, CustomTestStringConvertible {
        let pattern: SimplePattern
        let value: String
        let isFound: Bool

        var testDescription: String { "/\(pattern.source)/ on `\(value)`" }
    }

    static let searches = [
        Search(pattern: SimplePattern(alternatives: ["b.d"]), value: "ab.de", isFound: true),
        Search(pattern: SimplePattern(alternatives: ["b.d"]), value: "abxde", isFound: false),
        Search(pattern: SimplePattern(fromStart: true, alternatives: ["b"]), value: "ab", isFound: false),
        Search(pattern: SimplePattern(fromStart: true, alternatives: ["x", "a"]), value: "ab", isFound: true),
        Search(pattern: SimplePattern(alternatives: ["a"], toEnd: true), value: "ab", isFound: false),
        Search(pattern: SimplePattern(alternatives: ["b"], toEnd: true), value: "ab", isFound: true),
        Search(pattern: SimplePattern(fromStart: true, alternatives: ["ab"], toEnd: true), value: "ab", isFound: true),
        Search(pattern: SimplePattern(fromStart: true, alternatives: ["a"], toEnd: true), value: "ab", isFound: false),
        Search(pattern: SimplePattern(fromStart: true, alternatives: [""], toEnd: true), value: "", isFound: true),
        Search(pattern: SimplePattern(alternatives: ["longer"]), value: "long", isFound: false),
    ]

    @Test("simple patterns are decided as PCRE2 decides them", arguments: searches)
    func decidesSearch(_ row: Search) throws {
        expect(row.pattern.isFound(in: row.value), equals: row.isFound)
        let outcome = PatternMatcher().search(try Pattern(row.pattern.source), in: Array(row.value.utf8).span)
        expect((outcome == .found), equals: row.isFound)
    }

    @Test("SplitMix64 gives the numbers of its authors for the seed 0") func splitMix() {
        var chance = SplitMix64(seed: 0)
        expect(chance.next(), equals: 0xE220_A839_7B1D_CDAF)
        expect(chance.next(), equals: 0x6E78_9E6A_A1B9_65F4)
        expect(chance.next(), equals: 0x06C4_5D18_8009_454F)
    }
}
