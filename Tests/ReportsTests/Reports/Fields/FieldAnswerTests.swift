import Testing

@testable import Analysis
@testable import Figures
@testable import PolicyEngine
@testable import Replay
@testable import Scenarios
@testable import TestSupport

/// Answers of `prove` and of a comparison of a capture about a change of any field of an account never contradict a
/// scenario.
@Suite("R19a answers about a change of one field") struct FieldAnswerTests {
    @Test("a device that turns in a scenario is never proved away", arguments: FieldChanges.all)
    func agreesWithScenarios(_ field: FieldChanges) throws {
        #expect(!field.changes.isEmpty, "`\(field)` has no case")
        for change in field.changes {
            let before = try ScenarioText.load(change.scenario(isChanged: false))
            let after = try ScenarioText.load(change.scenario(isChanged: true))
            #expect(try Self.holds(change, isChanged: false), "\(change.name) before")
            #expect(try Self.holds(change, isChanged: true) != change.turns, "\(change.name) after")
            let (old, new) = (before.accounts[0].account, after.accounts[0].account)
            let (outcomes, isNothing) = (try Self.proved(old, new), try Self.isNothing(change, old, new))
            guard change.turns else { continue }
            #expect(outcomes.contains { $0 != .proved }, "\(change.name) is proved")
            #expect(!isNothing, "\(change.name) is an exact nothing")
        }
    }

    private static func holds(_ change: FieldChange, isChanged: Bool) throws -> Bool {
        let (result, _) = try ScenarioText.attempt(change.scenario(isChanged: isChanged))
        #expect(!result.expectations.isEmpty, "\(change.name)")
        return result.passed
    }

    private static func proved(_ before: Account, _ after: Account) throws -> [ChangeProof.Verdict] {
        ChangeProof(before: before, after: after, nil, limit: 60).verdicts
    }

    // True if a comparison of a capture says for sure that no device turns.
    private static func isNothing(_ change: FieldChange, _ before: Account, _ after: Account) throws -> Bool {
        let id = [(key: "device-id", value: "AQEBAQEBAQEBAQEBAQEBAQ==")]
        let flags = [(key: "flags", value: "")]
        let missing = (id + flags).filter { member in !change.record.contains { $0.key == member.key } }
        let members = [(key: "time", value: "2020-01-01T00:00:00Z")] + missing + change.record
        let record = JSONValue.ordered(members.map { ($0.key, .string($0.value)) })
        let folder = try TemporaryFolder()
        let path = try folder.write(record.line, to: "capture.jsonl")
        let request = ComparisonRequest(replay: ReplayRequest(captures: [path], account: before), after: after)
        let comparison = try #require(CaptureComparison(request).run().comparison)
        let isSame = comparison.changes.rejected.devices == 0 && comparison.changes.accepted.devices == 0
        return comparison.isExact && isSame
    }

    @Test(
        "every difference belongs to a part of the account, and one that turns devices to one that affects them",
        arguments: FieldChanges.all)
    func belongsToAPart(_ field: FieldChanges) throws {
        for change in field.changes {
            let before = try ScenarioText.load(change.scenario(isChanged: false)).accounts[0].account
            let after = try ScenarioText.load(change.scenario(isChanged: true)).accounts[0].account
            let difference = AccountChange(from: before, to: after)
            #expect(!difference.parts.isEmpty, "\(change.name)")
            #expect(!difference.parts.contains(.other), "\(change.name)")
            if change.turns {
                #expect(!difference.parts.allSatisfy { difference.bearing(of: $0) == .none }, "\(change.name)")
            }
        }
    }
}
