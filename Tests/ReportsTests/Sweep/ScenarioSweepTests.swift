import Foundation
import Testing

@testable import TestSupport

/// Random scenarios, run by the engine and by the reference.
@Suite("Random scenarios come out as the reference says") struct ScenarioSweepTests {
    @Test("R1–R16 scenarios come out as the rules say, and reach every kind of outcome") func agreesOnEveryKind() throws
    {
        var counts: [String: Int] = [:]
        for seed in UInt64(1)...Exhaustive.count(250, whole: 2000) {
            let sweep = try SweepRun(seed: seed)
            let run = sweep.reference
            #expect(sweep.difference == nil, "seed \(seed):\n\(run.scenario.yaml)")
            counts["failover", default: 0] += run.failoverCount
            for name in run.fetches.map({ $0.isCached ? "cached" : $0.result }) { counts[name, default: 0] += 1 }
            for outcome in run.outcomes {
                for name in Set(outcome.names) { counts[name, default: 0] += 1 }
            }
            for step in run.scenario.steps { counts[step.action.kind, default: 0] += 1 }
        }
        for name in Self.kinds { #expect(counts[name, default: 0] >= 1, "\(name)") }
    }

    private static let kinds =
        [
            "pass", "fail", "cached", "SUCCESS", "NO_NETWORK", "POOR_NETWORK", "MITM_DETECTED", "NO_APPROOV_SERVICE",
            "BAD_URL", "UNKNOWN_URL", "UNPROTECTED_URL", "policy:blacklist", "filter", "custom", "45", "120", "300",
            "fetch", "command", "set", "launch", "spread", "binding", "reinstall", "factory-reset", "bind", "network",
            "outage", "latest",
            "failover",
        ] + FlagFacts.names
}

extension TestSupport.NamedDecision {
    fileprivate var names: [String] {
        let causes = rejections.map { $0.hasPrefix("filter:") ? "filter" : $0 }
        let parts = policy.split(separator: ",").map(String.init)
        return flags + causes + parts + [passed ? "pass" : "fail", "\(lifetime)"]
    }
}

extension SweepAction {
    fileprivate var kind: String {
        switch self {
        case .fetch: "fetch"
        case .command(.addLatest, _): "latest"
        case .command: "command"
        case .set: "set"
        case .launch: "launch"
        case .spread: "spread"
        case .binding: "binding"
        case .reinstall: "reinstall"
        case .factoryReset: "factory-reset"
        case .bind: "bind"
        case .network: "network"
        case .outage: "outage"
        }
    }
}
