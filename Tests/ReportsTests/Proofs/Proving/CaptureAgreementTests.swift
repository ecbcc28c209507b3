import Accounts
import PolicyEngine
import Testing

@testable import Figures
@testable import Proofs
@testable import Replay
@testable import TestSupport

/// A device that a comparison finds in a capture is never proved away, and one that a proof finds turns in a capture, too.
@Suite struct CaptureAgreementTests {
    private static let names = ["extra-one", "extra-two"]
    // R2.2: flags that come up though nobody declares them.
    private static let unknown = ["rooted-new", "extra", "xposed2"]
    private static let declared = names.map { RandomAccount.Declared(name: $0, isRisk: $0 == "extra-one") }

    @Test(arguments: Array(1...Exhaustive.count(UInt64(6), whole: 200)))
    func agreesWithComparisons(seed: UInt64) throws {
        var accounts = RandomAccount(seed: seed, flags: Self.declared)
        let before = try AccountText.account(accounts.text())
        let edits = SingleEdits.all(of: before)
        var chance = Chance(seed: seed)
        let after = chance.happens(80) ? chance.pick(edits).account : try AccountText.account(accounts.text())
        var captures = RandomCapture(seed: seed << 20, flags: Self.names + Self.unknown)
        let changed = try Self.compare(before, after, captures.records(300).map(\.line).joined())
        let prover = Prover(before: before, after: after, limit: .seconds(60))
        for (direction, devices) in [(Prover.Direction.rejected, changed.rejected), (.accepted, changed.accepted)] {
            switch prover.answer(direction) {
            case .proved: expect(devices, equals: 0, "\(direction)")
            case .found(let witness):
                if witness.hasOutage {
                    expect(devices, equals: 0, "\(direction): a device turns without an outage")
                    continue
                }
                let turned = try Self.compare(before, after, Self.capture(of: witness))
                expect(
                    (direction == .rejected ? turned.rejected : turned.accepted), equals: 1, "\(direction): \(witness)")
            case .notExcluded(let filters):
                #expect(filters.allSatisfy { $0.reason.isBeyondKnownFlags }, "not excluded: \(filters)")
            case .notDecided(let reason): Issue.record("not decided: \(reason)")
            }
        }
    }

    private static func compare(
        _ before: Account, _ after: Account, _ capture: String
    ) throws -> (rejected: Int, accepted: Int) {
        let folder = try TemporaryFolder()
        let path = try folder.write(capture.utf8, to: "capture.jsonl")
        let request = ReplayRequest(captures: [path], account: before)
        let summary = CaptureComparison(ComparisonRequest(replay: request, after: after)).run()
        let changes = try #require(summary.comparison, "\(summary.diagnostics)").changes
        return (changes.rejected.devices, changes.accepted.devices)
    }

    private static func capture(of witness: ProofWitness) -> String {
        witness.records.map { record in
            var output = JSONBytes()
            let members: [(key: String, value: JSONValue)] = [
                ("time", .string(record.time.description)), ("device-id", .string(witness.device.description)),
                ("public-flags", .string(record.flags.joined(separator: ","))),
            ]
            JSONValue.ordered(members + record.attributes.map { ($0.key, .string($0.value)) }).write(to: &output)
            return String(decoding: output.bytes, as: UTF8.self) + "\n"
        }.joined()
    }
}
