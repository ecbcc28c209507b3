import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import Reports
@testable import TestSupport

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

    /// The report of a replay as JSON.
    static func report(of replayed: Replayed) throws -> String {
        let report = Report(figures: try #require(replayed.summary.figures), fetches: replayed.summary.fetches)
        return String(decoding: JSONReport.bytes(of: report), as: UTF8.self)
    }

    /// A report of a comparison as JSON.
    static func report(_ report: Report) -> String { String(decoding: JSONReport.bytes(of: report), as: UTF8.self) }
}
