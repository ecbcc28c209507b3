import PolicyEngine
import Testing

@testable import Accounts
@testable import Analysis
@testable import Documents
@testable import Replay
@testable import TestSupport

/// Explains devices of captures that are given as text.
enum ExplanationBench {
    /// The explanations of a device.
    static func explain(_ capture: String, account: Account, device: String) throws -> [Explanation] {
        let folder = try TemporaryFolder()
        let request = ReplayRequest(captures: [try folder.write(capture.utf8, to: "1")], account: account)
        let outcome = CaptureExplanation(request, device: .id(try #require(DeviceID(device)))).run()
        #expect(!outcome.diagnostics.hasErrors)
        return outcome.explanations
    }

    /// An account after commands.
    static func changed(_ account: Account, by commands: [String]) throws -> Account {
        var changed = account
        for command in commands { _ = try ManagementCommand(command).apply(to: &changed, in: CommandContext()) }
        return changed
    }
}
