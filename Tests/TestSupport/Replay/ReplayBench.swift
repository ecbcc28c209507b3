import Documents
import Figures
import PolicyEngine
import Replay

/// Replays captures that are given as text.
enum ReplayBench {
    /// Replays one capture.
    static func replay(
        _ text: String, account: Account = Account(), _ edit: (inout ReplayRequest) -> Void = { _ in }
    ) throws -> Replayed {
        try replay([Array(text.utf8)], account: account, edit)
    }

    /// Replays captures, which are called `1`, `2` and so on.
    ///
    /// - Parameters:
    ///   - captures: Their bytes.
    ///   - account: The account that decides.
    ///   - fetches: A capture of fetches that weighs the others, called `fetches`.
    ///   - edit: Changes what is asked for; decisions and malformed records are kept in any case.
    static func replay(
        _ captures: [[UInt8]], account: Account = Account(), fetches: String? = nil,
        _ edit: (inout ReplayRequest) -> Void = { _ in }
    ) throws -> Replayed {
        let folder = try TemporaryFolder()
        var paths: [String] = []
        for (offset, bytes) in captures.enumerated() { paths.append(try folder.write(bytes, to: "\(offset + 1)")) }
        var request = ReplayRequest(captures: paths, account: account)
        request.decisionsPath = folder.path("decisions")
        request.malformedPath = folder.path("kept")
        if let fetches { request.fetchesPath = try folder.write(fetches.utf8, to: "fetches") }
        let given = Set(folder.names)
        edit(&request)
        let summary = request.run()
        let lines = folder.bytes(of: "decisions").map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
        return Replayed(
            summary: summary, decisions: lines?.map(String.init), kept: folder.bytes(of: "kept"),
            files: folder.names.filter { !given.contains($0) })
    }
}

/// The result of a replay, with everything that it wrote.
struct Replayed {
    let summary: ReplaySummary
    /// The lines of the decisions; `nil` when none were written.
    let decisions: [String]?
    /// The bytes of the malformed records that were kept.
    let kept: [UInt8]?
    /// The files that are left in the folder beside the captures.
    let files: [String]

    /// The problems that were reported, a line each, by the file's name alone.
    var messages: [String] {
        summary.diagnostics.all.map { diagnostic in
            let file = diagnostic.file.split(separator: "/").last.map(String.init) ?? ""
            let line = diagnostic.line.map { ":\($0)" } ?? ""
            let hint = diagnostic.hint.map { "; hint: \($0)" } ?? ""
            return "\(file)\(line): \(diagnostic.severity.rawValue): \(diagnostic.message)\(hint)"
        }
    }

    /// True if the input was refused: figures are then not reported.
    var isRefused: Bool { summary.figures == nil && summary.diagnostics.hasErrors }

    /// A metric, 0 where nothing was counted.
    func metric(_ name: String) -> Int { summary.figures?.metrics[Metric(stringLiteral: name)] ?? 0 }
}

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
