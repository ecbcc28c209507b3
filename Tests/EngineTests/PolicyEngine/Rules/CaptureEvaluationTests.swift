import Testing

@testable import PolicyEngine
@testable import TestSupport

/// The functions of the engine that replays use beside decisions.
@Suite("R10, R15 What captures need") struct CaptureEvaluationTests {
    private struct Steps: AttestationRecorder {
        var steps: [AttestationStep] = []
        mutating func record(_ step: AttestationStep) { steps.append(step) }
    }

    @Test("R10, step 1: the account in force is recorded first") func accountIsRecorded() throws {
        var service = Service(try .sample())
        service.change(to: try .sample("default,strict,default"))
        var (engine, recorder) = (service.engine, Steps())
        let attestation = Attestation(time: Sample.time, device: try service.index(of: Sample.device))
        _ = engine.attest(attestation, symbols: service.symbols, recorder: &recorder)
        expect(recorder.steps.first, equals: .account(revision: 1))
        expect(recorder.steps.count, equals: 8)
    }

    @Test("R6.1 whether a device has an entry") func hasEntry() throws {
        let account = try Account.sample().changed { try $0.append($0.entry(banMode: .ban)) }
        var service = Service(account)
        let (listed, other) = (try service.index(of: Sample.device), try service.index(of: Sample.otherDevice))
        service.engine.prefetch([listed, other])
        #expect(service.engine.hasEntry(listed))
        #expect(!service.engine.hasEntry(other))
        _ = try service.attest(by: Sample.otherDevice)
        service.engine.prefetch([listed, other])
        #expect(!service.engine.hasEntry(other))
    }

    @Test("R7.5 capture puts the information of a device into the ring") func captures() throws {
        let filters = [
            try Filter.exact("kept", "ip", "1.1.1.1", [.captureDeviceInformation]),
            try Filter.exact("other", "ip", "2.2.2.2", [.risky]),
        ]
        var service = Service(try .sample(filters: filters))
        for (address, isKept) in [("1.1.1.1", true), ("2.2.2.2", false), ("3.3.3.3", false)] {
            let decision = try service.decide(Observation(attributes: ["ip": address]))
            expect(service.engine.capturesInformation(decision), equals: isKept)
        }
    }

    @Test("R7.5 without new devices, filters for them match nothing") func withoutNewDevices() throws {
        let filters = [try Filter.exact("new", "ip", "1.1.1.1", [.newDevicesOnly, .reject])]
        let account = try Account.sample(filters: filters)
        let without = try #require(account.withoutNewDevices)
        #expect(try Account.sample().withoutNewDevices == nil)
        for (account, passes) in [(account, false), (without, true)] {
            var service = Service(account)
            try expect(service.attest(with: ["ip": "1.1.1.1"]).passed, equals: passes)
        }
    }
}

/// R7.2: searches of values that are looked at one by one.
@Suite("R7.2 searches of single values") struct AttributeSearchTests {
    private static let hay = Array((String(repeating: "hay ", count: 1100) + "needle").utf8)
    private static let straw = Array(String(repeating: "hay ", count: 1100).utf8)

    @Test("a long value is searched at once, by the filters on its attribute") func isSearched() throws {
        var filters = AttributeFilters(
            try .sample(filters: [
                .exact("short", "x", "a"), .regex("end", "x", "needle$"), .regex("other", "y", "needle$"),
                .regex("any", "x", "^h"), .regex("slow", "y", "h[^a]|y{60000}"),
            ]))
        let matcher = PatternMatcher()
        expect(filters.keys, equals: ["x", "y"])
        for (value, attribute, found, reached) in [
            (Self.hay, 0, [1, 3], []), (Self.straw, 0, [3], []), (Self.hay, 1, [2], [4]), (Self.straw, 1, [], [4]),
        ] {
            let matches = filters.match(value.span, at: attribute, matcher: matcher)
            expect(matches.hasLimitHits, equals: !reached.isEmpty)
            expect(Array(matches.match.matched), equals: found)
            expect(Array(matches.match.limitHits), equals: reached)
        }
    }

    @Test("R7.2 the filters that a decision depends on are named") func unsearched() throws {
        let pattern = "(a+)+$"
        let filters = [
            try Filter.regex("idle", "ip", pattern), try Filter.regex("input", "ip", pattern),
            try Filter.regex("risk", "ip", pattern, [.risky]),
            try Filter.regex("kept", "ip", pattern, [.captureDeviceInformation]),
            try Filter.conjunction("both", ["input"], [.ban]),
        ]
        var service = Service(try .sample(filters: filters))
        let costly = try service.decide(Observation(attributes: ["ip": String(repeating: "a", count: 40) + "!"]))
        expect(service.engine.unsearchedFilters(of: costly), equals: ["input", "risk"])
        let cheap = try service.decide(Observation(attributes: ["ip": "b"]))
        expect(service.engine.unsearchedFilters(of: cheap), equals: [])
    }
}
