import Testing

@testable import PolicyEngine
@testable import TestSupport

/// The decided rules on which the engine says that decisions rest, against the reference evaluator, which reads one of them
/// otherwise: as the manual could be read, too.
@Suite struct DecidedRuleTests {
    static let seeds = Array(UInt64(1)...Exhaustive.count(60, whole: 400))
    private static let attestations = 100
    /// R4.6, R6.1, R7.6 and R10.9.
    private static let rules: [DecidedRule] = [.bansUnderWhitelist, .deviceEntries, .samplingHash, .orderOfPolicies]

    @Test("a set of rules is joined with another, and loses what another has") func sets() {
        let (some, others): (DecidedRules, DecidedRules) = (
            [.deviceEntries, .samplingHash], [.samplingHash, .orderOfPolicies]
        )
        expect(some.union(others), equals: [.deviceEntries, .samplingHash, .orderOfPolicies])
        expect(some.union([]), equals: some)
        expect(some.subtracting(others), equals: [.deviceEntries])
    }

    // By the other reading of R6.1 an entry has a copy of the account's policy at the start, which is often the same as now; and
    // so with the other rules. Of R4.6 every ban and every rejecting filter makes a difference.
    @Test("a rule is named wherever its other reading decides otherwise, each often") func namesWhatIsNeeded() throws {
        var (counts, needed, none) = ([DecidedRule: Int](), [DecidedRule: Int](), 0)
        for seed in Self.seeds {
            var run = try RandomRun(seed: seed)
            for number in 0..<Self.attestations {
                let step = try run.step(rereading: Self.rules)
                for rule in step.named.all { counts[rule, default: 0] += 1 }
                for rule in step.needed.all { needed[rule, default: 0] += 1 }
                if step.named.isEmpty { none += 1 }
                let isNamed = step.named.contains(.bansUnderWhitelist)
                if step.needed.subtracting(step.named).isEmpty, isNamed == step.needed.contains(.bansUnderWhitelist) {
                    continue
                }
                Issue.record("seed \(seed), attestation \(number): \(step.named), and \(step.needed) is needed")
                return
            }
        }
        for rule in Self.rules {
            #expect(counts[rule, default: 0] >= 50, "\(rule.number)")
            #expect(needed[rule, default: 0] >= 20, "\(rule.number)")
        }
        #expect(none >= 1000)
    }

    @Test("an account on which no decision can rest on a rule names none") func namesOnlyWhatIsPossible() throws {
        for seed in Self.seeds {
            var run = try RandomRun(seed: seed)
            let others = try (0..<Self.attestations).map { _ in
                let named = try run.step(rereading: []).named
                return named.subtracting(run.service.engine.possibleRules)
            }
            #expect(others.allSatisfy { $0.isEmpty }, "seed \(seed)")
        }
    }
}
