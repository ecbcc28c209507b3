import Accounts
import PolicyEngine
import Testing

@testable import Analysis
@testable import Replay
@testable import TestSupport

/// The parts of random accounts that decide nothing, against the reference evaluator.
@Suite struct IdlePartsTests {
    private static let seeds = 1...UInt64(100)

    /// An account with planted parts, and what attested.
    private struct Drawn {
        var account: ReferenceAccount
        let observations: [Observation]
        let planted: Set<RemovablePart>

        init(seed: UInt64) {
            var chance = SplitMix64(seed: seed)
            var accounts = AccountGenerator(seed: chance.next())
            account = accounts.account()
            var stream = ObservationGenerator(seed: chance.next(), declared: account.flags.map(\.name))
            observations = (0..<60).map { _ in stream.next() }
            account.filters = Array(account.filters.prefix(20)).filter { !$0.name.hasPrefix("planted") }
            account.devices = Array(account.devices.prefix(20))
            account.flags = account.flags + [ReferenceFlag(name: "never-set", isRisk: false)]
            account.policy.edits.append(ReferenceEdit(adds: true, flag: "never-set"))
            account.devices.append(ReferenceDevice(device: Sample.device(99), policy: ReferencePolicy()))
            func filter(_ name: String, _ test: ReferenceFilter.Test) -> ReferenceFilter {
                ReferenceFilter(name: name, test: test, options: [.reject])
            }
            account.filters += [
                filter("planted-dead", .exact(key: "ip", value: "203.0.113.99")),
                filter(
                    "planted-start", .regex(key: "ip", pattern: SimplePattern(fromStart: true, alternatives: ["1.2."]))),
                filter("planted-shadowed", .exact(key: "ip", value: "1.2.3.4")),
                filter("planted-wide", .regex(key: "ip", pattern: SimplePattern(alternatives: ["1.2.3.4"]))),
            ]
            planted = [
                .filter("planted-dead"), .filter("planted-shadowed"), .entry(DeviceID(first: 0, second: 99)),
                .flag("never-set"),
            ]
        }

        /// The same without some parts.
        func account(without parts: some Sequence<RemovablePart>) -> ReferenceAccount {
            var rest = account
            for part in parts {
                switch part {
                case .filter(let name): rest.filters.removeAll { $0.name == name }
                case .entry(let id): rest.devices.removeAll { $0.device == id.description }
                case .flag(let name): rest.policy.edits.append(ReferenceEdit(adds: false, flag: name))
                }
            }
            return rest
        }

        /// The part of each decision that backends and clients see.
        func decisions(without parts: some Sequence<RemovablePart>) -> [String] {
            var reference = ReferenceEvaluator(account(without: parts))
            return observations.map {
                let decision = reference.attest($0)
                return "\(decision.passed) \(decision.lifetime) \(decision.annotations ?? ["none"])"
            }
        }

        func found() throws -> IdleParts {
            let folder = try TemporaryFolder()
            let lines = try observations.map { observation in
                try KeptRecordText.line(
                    time: observation.time, device: #require(DeviceID(observation.device)), flags: observation.flags,
                    attributes: observation.attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            }
            let path = try folder.write(lines.joined().utf8, to: "day.jsonl")
            let request = ReplayRequest(captures: [path], account: try Account(account))
            return try #require(IdlePartSearch(request, FilterReview()).run().found)
        }
    }

    /// Planted parts are found; without all that is named, every decision is the same; and no other part could go, too.
    @Test(arguments: seeds) func namesWhatCanGoTogether(_ seed: UInt64) throws {
        let drawn = Drawn(seed: seed)
        let found = try drawn.found()
        let dead = Set(found.dead.map(\.part))
        #expect(drawn.planted.subtracting(dead).isEmpty, "\(drawn.planted.subtracting(dead))")
        #expect(Set(found.removed) == dead)
        let decisions = drawn.decisions(without: [])
        #expect(drawn.decisions(without: found.removed) == decisions)
        for part in found.parts where part.effect == .used && Self.isAsked(part, drawn, dead) {
            let rest = drawn.decisions(without: found.removed + [part.part])
            #expect(rest != decisions, "\(part.part) could go, too")
        }
    }

    // Parts are kept whose effects no decision shows, as far as they met anybody.
    private static func isAsked(_ part: IdleParts.Part, _ drawn: Drawn, _ dead: Set<RemovablePart>) -> Bool {
        switch part.part {
        case .filter(let name):
            !drawn.account.filters.contains { filter in
                if case .conjunction(let inputs) = filter.test, inputs.contains(name) {
                    return !dead.contains(.filter(filter.name))
                }
                return filter.name == name && filter.options.contains(.capture) && part.use.attestations > 0
            }
        case .entry(let id):
            drawn.account.devices.first { $0.device == id.description }?.banMode == nil || part.use.attestations == 0
        case .flag: true
        }
    }

    /// Matches of parts, counted by the reference.
    @Test(arguments: seeds) func countsWhatPartsMatch(_ seed: UInt64) throws {
        let drawn = Drawn(seed: seed)
        let found = try drawn.found()
        var reference = ReferenceEvaluator(drawn.account)
        let decisions = drawn.observations.map { ($0, reference.attest($0)) }
        for part in found.parts {
            let matching = decisions.filter { observation, decision in
                switch part.part {
                case .filter(let name): decision.filters.contains(name)
                case .flag(let name): decision.flags.contains(name)
                case .entry(let id): observation.device == id.description
                }
            }
            if case .entry(let id) = part.part, id.isFilteredPolicy { continue }
            #expect(part.use.attestations == matching.count, "\(part.part)")
            #expect(part.use.devices == Set(matching.map(\.0.device)).count, "\(part.part)")
            #expect(part.use.last == matching.last?.0.time, "\(part.part)")
        }
    }

    /// The values that a regex is found in beyond what it says.
    @Test(arguments: seeds) func countsWiderMatches(_ seed: UInt64) throws {
        let drawn = Drawn(seed: seed)
        let found = try drawn.found()
        var expected: [String: Int] = [:]
        for filter in drawn.account.filters {
            guard case .regex(let key, let pattern) = filter.test, AccountGenerator.values[key] != nil else { continue }
            // By bytes, since some values differ in nothing else.
            let values = Set(
                drawn.observations.compactMap { $0.attributes[key] }.filter(pattern.isFound).map { Array($0.utf8) })
            let longer = values.filter { !pattern.alternatives.map { Array($0.utf8) }.contains($0) }
            let isOpen = !pattern.fromStart && !pattern.toEnd
            let isHalfOpen = pattern.fromStart != pattern.toEnd && longer.count < values.count
            if isOpen || isHalfOpen, !longer.isEmpty { expected[filter.name] = longer.count }
        }
        let actual = found.wide.compactMap { wide in wide.longer.map { (wide.name, $0.count) } }
        #expect(Dictionary(uniqueKeysWithValues: actual) == expected)
        #expect(found.wide.allSatisfy { $0.dotted == nil })
    }
}
