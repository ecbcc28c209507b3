import Documents
import PolicyEngine
import Testing

@testable import Scenarios
@testable import TestSupport

/// Rotations of certificates, rehearsed with pins of every kind (R18.6).
@Suite struct RotationTests {
    /// A set of pins, a chain, and what follows from them alone.
    private struct Draw {
        let pins: Set<String>
        let chain: [String]

        /// All sets of four pins, with chains of one to three certificates.
        static let all = (0..<16).flatMap { bits in
            (1...3).map { length in
                let names = ["LEAF", "ROOT", "INTERMEDIATE", "BACKUP"]
                return Draw(
                    pins: Set(names.indices.filter { bits >> $0 & 1 == 1 }.map { names[$0] }),
                    chain: [["LEAF"], ["LEAF", "ROOT"], ["LEAF", "INTERMEDIATE", "ROOT"]][length - 1])
            }
        }

        var yaml: String {
            """
            account: {apis: [{domain: a.com, pins: [\(pins.sorted().map { "key:\($0)" }.joined(separator: ", "))]}]}
            backends: {a.com: {chain: [\(chain.joined(separator: ", "))]}}
            devices: {people: {count: 2}}
            """
        }

        /// The keys that stay in the chain, or come into it with a pin; `nil` where the chain has nothing that would change.
        func known(after rotation: Rotation) -> Set<String>? {
            let above = Set(chain.dropFirst())
            switch rotation {
            case .sameKey: return Set(chain)
            case .newKey: return above
            case .newIntermediate: return chain.count < 3 ? nil : ["ROOT"]
            case .anotherAuthority: return chain.count < 2 ? nil : []
            case .stolenKey: return above.union(backup.map { [$0] } ?? [])
            }
        }

        // The first pin, by name, that is of no certificate of the chain.
        private var backup: String? { pins.subtracting(chain).sorted().first }

        func survives(_ rotation: Rotation) -> Bool {
            pins.isEmpty || !pins.isDisjoint(with: known(after: rotation) ?? [])
        }

        /// True if the pins accept the chain with the stolen key even when the pin of that key was removed.
        var trustsThief: Bool { pins.isEmpty || !pins.subtracting(["LEAF"]).isDisjoint(with: chain) }
    }

    @Test("R18.6 pins survive a rotation where apps are not blocked in it", arguments: Draw.all.indices)
    func agrees(index: Int) throws {
        let draw = Draw.all[index]
        let scenario = try ScenarioText.load(draw.yaml)
        let account = try #require(scenario.onlyAccount)
        var habits = RotationHabits()
        habits.requests[nil] = 3_600
        habits.duration = 86_400
        var diagnostics = Diagnostics()
        let found = RotationRehearsal(scenario, account: account, habits: habits)
            .run(jobs: 1, progress: Progress(), &diagnostics)
        try #require(diagnostics.isEmpty)
        expect(found.map(\.rotation), equals: Rotation.allCases.filter { draw.known(after: $0) != nil })
        for rotation in found {
            let survives = draw.survives(rotation.rotation)
            expect(rotation.survives, equals: survives)
            expect(rotation.isPinned, equals: !draw.pins.isEmpty)
            expect(rotation.requests.blockedDevices, equals: survives ? 0 : 2)
            // The request an hour after the rotation comes before the new pin, and the next one after it.
            expect(rotation.requests.longestBlocked, equals: survives ? nil : 3_600)
            expect(rotation.requests.stillBlocked, equals: 0)
            let trusting = rotation.rotation == .stolenKey ? (draw.trustsThief ? 2 : 0) : nil
            expect(rotation.trustingThief, equals: trusting)
        }
    }
}
