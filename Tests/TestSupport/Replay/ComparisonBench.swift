import PolicyEngine
import Replay

/// Compares accounts, given as YAML, on captures, given as text.
enum ComparisonBench {
    /// Compares.
    ///
    /// - Parameters:
    ///   - fetches: A capture of fetches that weighs the devices.
    ///   - edit: Changes how the capture is read.
    static func compare(
        _ capture: String, before: String, after: String, fetches: String? = nil,
        _ edit: (inout ReplayRequest) -> Void = { _ in }
    ) throws -> ComparisonSummary {
        let accounts = (before: try AccountText.account(before), after: try AccountText.account(after))
        return try compare(capture, accounts: accounts, fetches: fetches, edit)
    }

    /// Compares accounts that were read already.
    static func compare(
        _ capture: String, accounts: (before: Account, after: Account), fetches: String? = nil,
        _ edit: (inout ReplayRequest) -> Void = { _ in }
    ) throws -> ComparisonSummary {
        let folder = try TemporaryFolder()
        var request = ReplayRequest(captures: [try folder.write(capture.utf8, to: "1")], account: accounts.before)
        if let fetches { request.fetchesPath = try folder.write(fetches.utf8, to: "fetches") }
        edit(&request)
        return CaptureComparison(ComparisonRequest(replay: request, after: accounts.after)).run()
    }
}
