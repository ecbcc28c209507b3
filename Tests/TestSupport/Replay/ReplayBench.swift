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
