import Testing

@testable import Documents
@testable import Figures
@testable import Scenarios
@testable import TestSupport

/// Random small scenarios of clients, run by the simulation and by the reference.
@Suite("Random clients come out as the reference says") struct ClientSweepTests {
    /// Hundreds of seeds each, so that there are few tests to report.
    static let hundreds = Array(UInt64(0)..<Exhaustive.count(4, whole: 100))

    private struct Result: Equatable {
        var outcomes: [String]
        let everBlocked: Int
        let stillBlocked: Int
        let longest: Int?
        /// The number of times that pins were read, the configuration fetched, and signatures asked for.
        let calls: [Int]?
    }

    private static func reference(_ scenario: SmallScenario, withReads: Bool) throws -> Result {
        let reference = ClientReference(scenario, launches: try launches(scenario))
        return Result(
            outcomes: reference.outcomes, everBlocked: reference.everBlocked.count,
            stillBlocked: reference.stillBlocked, longest: reference.longest,
            calls: withReads ? [reference.pinReads, reference.configurationFetches, reference.signatures] : nil)
    }

    // When devices launch whose launches are spread: what chance gives comes from the simulation.
    private static func launches(_ small: SmallScenario) throws -> [Int: [Int]] {
        let scenario = try ScenarioText.load(small.yaml)
        let times = LaunchTimes(scenario, seed: scenario.seed)
        var launches: [Int: [Int]] = [:]
        for (step, (time, action)) in small.steps.enumerated() {
            guard case .spread(let span) = action else { continue }
            launches[step] = small.devices.indices.map { device in
                time + times.offset(of: 0, in: device, step: step, start: time, span: span)
            }
        }
        return launches
    }

    private static func simulated(_ scenario: SmallScenario, withReads: Bool) throws -> Result {
        var run = ScenarioRun(try ScenarioText.load(scenario.yaml), keepsResults: true)
        var (diagnostics, outcomes) = (Diagnostics(), [String]())
        for occurrence in run.timeline {
            run.perform(occurrence, diagnostics: &diagnostics)
            outcomes += run.received.compactMap { $0.end.outcome?.rawValue }
        }
        try #require(diagnostics.isEmpty, "\(MarkedText.found(diagnostics))")
        let all = run.requests.figures.reduce(into: RequestFigures()) { $0.merge($1) }
        let metrics = run.service.figures.metrics
        let calls = ["get-pins", "fetch-config", "message-signature"].map { name in
            metrics.first { $0.key.name == "sdk-calls-\(name)" }?.value ?? 0
        }
        return Result(
            outcomes: outcomes, everBlocked: all.blockedDevices, stillBlocked: all.stillBlocked,
            longest: all.longestBlocked, calls: withReads ? calls : nil)
    }

    // True if the counts of clients are known: they could always report them, and no install was given up.
    private static func reportsAll(_ scenario: SmallScenario) -> Bool {
        scenario.steps.allSatisfy { step in
            switch step.action {
            case .network, .retire, .outage, .reinstall, .launch, .update, .updateSDK, .pinMode, .spread, .steal: false
            case .request, .plain, .binding, .fetch, .serve, .addPin, .removePin, .force, .addDomain, .removeDomain,
                .changeSecret, .changeSigning:
                true
            }
        } && scenario.account.modes.isEmpty && !scenario.devices.contains { $0.client.relaunchesOnBlocked }
    }

    @Test("R17–R20 every request comes out as the rules say", arguments: hundreds)
    func agrees(hundred: UInt64) throws {
        for seed in (hundred * 100 + 1)...(hundred * 100 + 100) {
            let scenario = SmallScenario(seed: seed)
            let withReads = Self.reportsAll(scenario)
            let (expected, found) = (
                try Self.reference(scenario, withReads: withReads), try Self.simulated(scenario, withReads: withReads)
            )
            expect(found, equals: expected, "seed \(seed):\n\(scenario.yaml)")
        }
    }

    @Test("the random clients reach every outcome") func everyOutcomeIsReached() {
        var counts: [String: Int] = [:]
        for seed in UInt64(1)...300 {
            for outcome in ClientReference(SmallScenario(seed: seed)).outcomes { counts[outcome, default: 0] += 1 }
        }
        for outcome in RequestOutcome.allCases { #expect(counts[outcome.rawValue, default: 0] >= 10, "\(outcome)") }
    }
}
