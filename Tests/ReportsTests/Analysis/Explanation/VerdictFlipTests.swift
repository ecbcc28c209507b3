import PolicyEngine
import Testing

@testable import Accounts
@testable import Analysis
@testable import Documents
@testable import Replay
@testable import TestSupport

/// The changes that would turn a verdict; `Tests/Transcripts/analysis/flips.txt` has most of them.
@Suite struct VerdictFlipTests {
    private static let bob = SampleDevice.bob

    // On days on which the device is sampled the filtered policy stays when the filter goes.
    @Test func whatTurnsAVerdictMayChangeWithTheDay() throws {
        let account = try AccountText.account(
            """
            rules: [alt]
            policy: default,blacklist,default
            sampling-percentage: 50
            filters: [{name: f, key: device-id, regex: ., reject: true, exec-filtered-sec-policy: true}]
            devices: [{id: ++FilteredSecPolicy++w==, policy: 'alt,default,default'}]
            """)
        let capture = (10...29).map { day in
            #"{"time":"2020-07-\#(day)T10:00:00Z","device-id":"\#(Self.bob)","public-flags":""}"# + "\n"
        }.joined()
        let explanations = try ExplanationBench.explain(capture, account: account, device: Self.bob)
        let command = ["filter -remove f"]
        let trial = try ReplayBench.replay(capture, account: try ExplanationBench.changed(account, by: command))
        let verdicts = try DecisionLine.read(try #require(trial.decisions)).map(\.passed)
        expect(Set(verdicts), equals: [true, false])
        expect(explanations.map(\.passed), equals: Array(repeating: false, count: 20))
        expect(explanations.map { $0.flips.contains { $0.commands == command } }, equals: verdicts)
    }
}

/// Explains devices of captures that are given as text.
enum ExplanationBench {
    /// The explanations of a device.
    static func explain(_ capture: String, account: Account, device: String) throws -> [Explanation] {
        let folder = try TemporaryFolder()
        let request = ReplayRequest(captures: [try folder.write(capture.utf8, to: "1")], account: account)
        let outcome = CaptureExplanation(request, device: .id(try #require(DeviceID(device)))).run()
        #expect(!outcome.diagnostics.hasErrors)
        return Array(outcome.explanations)
    }

    /// An account after commands.
    static func changed(_ account: Account, by commands: [String]) throws -> Account {
        var changed = account
        for command in commands { _ = try ManagementCommand(command).apply(to: &changed, in: CommandContext()) }
        return changed
    }
}
