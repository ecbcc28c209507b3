import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Captures that were split, replayed part by part and merged give the figures of one machine.
@Suite struct SplitMergeTests {
    private static let rules = """
        policy: default,default,all
        filters:
          - {name: ten, key: ip, regex: '^10[.]', risky: true}
          - {name: one, key: ip, match: 1.2.3.4, ban: true}
          - {name: phone, key: device, regex: 'iOS|Münch', reject: true}
          - {name: app, key: appid, match: com.b}
          - {name: both, conjunction: [ten, app], reject: true}

        """

    private static func account(seed: UInt64) throws -> Account {
        try PartialMergeTests.account(seed: seed, rules: rules)
    }

    /// Captures of both kinds, with malformed records and unknown flags.
    private static func captures(_ folder: TemporaryFolder, seed: UInt64) throws -> [String] {
        var capture = DisorderlyCapture(seed: seed)
        return try (1...1 + Int(seed % 3)).map { number in
            try folder.write(capture.bytesInOrder(60), to: "\(number)")
        }
    }

    /// Splits captures: as a whole, or each by ranges of that number of bytes.
    ///
    /// - Returns: The folders.
    static func split(
        _ captures: [String], shards: Int, rangeBytes: Int?, into folder: TemporaryFolder, blockBytes: Int = 1 << 18,
        jobs: Int = 1
    ) throws -> [String] {
        var pieces: [(captures: [String], range: Range<Int>?)] = [(captures, nil)]
        if let rangeBytes {
            pieces = try captures.flatMap { path in
                let length = try #require(FileDigest.size(of: path))
                return stride(from: 0, to: length, by: rangeBytes).map { start in
                    ([path], start..<min(start + rangeBytes, length))
                }
            }
        }
        return pieces.enumerated().map { number, piece in
            var reading = ReplayRequest(captures: piece.captures, account: Account())
            (reading.blockBytes, reading.jobs) = (blockBytes, jobs)
            let output = folder.path("split-\(shards)-\(rangeBytes ?? 0)-\(jobs)-\(number)")
            var request = SplitRequest(
                reading: reading, range: piece.range, shards: shards, output: output, version: "1")
            if number % 2 == 0 { request.limits.rows = 7 }
            let (origin, diagnostics) = CaptureSplitter(request).run()
            #expect(origin != nil, "\(diagnostics.all)")
            return output
        }
    }

    /// The files of a part in folders.
    static func files(_ number: Int, _ folders: [String]) -> [String] { folders.map { "\($0)/shard-\(number).arrow" } }

    struct Row: Sendable, CustomTestStringConvertible {
        let seed: UInt64
        let shards: Int
        /// `nil` for whole captures.
        let rangeBytes: Int?
        var testDescription: String { "\(seed): \(shards) parts, ranges of \(rangeBytes ?? 0)" }
    }

    // Many parts of many ranges take long.
    static let rows = Exhaustive.seeds(1...64, each: 13).map { seed in
        let number = Int(seed / 4)
        let rangeBytes = [nil, 4000, 700][number % 3]
        let shards = rangeBytes == 700 ? [1, 2, 7] : [2, 7, 64, 1]
        return Row(seed: seed, shards: shards[number / 3 % shards.count], rangeBytes: rangeBytes)
    }

    @Test("replays, their decisions and what they say of the captures", arguments: rows)
    func replays(_ row: Row) throws {
        let folder = try TemporaryFolder()
        let paths = try Self.captures(folder, seed: row.seed)
        var request = ReplayRequest(captures: paths, account: try Self.account(seed: row.seed))
        (request.skipsMalformed, request.keepsSeries) = (true, row.seed % 3 == 0)
        request.decisionsPath = folder.path("whole")
        let whole = request.run()
        guard let figures = whole.figures else {
            // A capture out of the order of time.
            #expect(whole.diagnostics.hasErrors)
            return
        }
        let split = try Self.split(paths, shards: row.shards, rangeBytes: row.rangeBytes, into: folder)
        var decisions: [String] = []
        let parts = try (1...row.shards).map { number in
            (request.captures, request.jobs) = (Self.files(number, split), 1 + number % 3)
            request.decisionsPath = folder.path("decisions")
            let (part, summary) = request.runPart()
            #expect(part != nil, "\(summary.diagnostics.all)")
            decisions += (folder["decisions"] ?? "").split(separator: "\n").map(String.init)
            // All parts say the same of malformed records.
            expect(Self.malformed(summary.diagnostics), equals: Self.malformed(whole.diagnostics))
            return try PartialMergeTests.part(number, of: row.shards, .replay(try #require(part)))
        }
        let merged = try PartialMergeTests.replay(parts)
        expect(merged.figures.line, equals: figures.line)
        let all = (folder["whole"] ?? "").split(separator: "\n").map(String.init)
        expect(decisions.sorted(), equals: all.sorted())
        #expect(!all.isEmpty)
    }

    @Test("most of these captures are not refused") func refusals() throws {
        let accepted = try Self.rows.count { row in
            let folder = try TemporaryFolder()
            var request = ReplayRequest(captures: try Self.captures(folder, seed: row.seed), account: Account())
            request.skipsMalformed = true
            return request.run().figures != nil
        }
        #expect(2 * accepted > Self.rows.count)
    }

    private static func malformed(_ diagnostics: Diagnostics) -> [String] {
        diagnostics.all.map(\.rendered).filter { !$0.contains("record has") && !$0.contains("records have") }
            .filter { !$0.hasPrefix("filter ") }
    }

    @Test("comparisons, with their examples", arguments: rows)
    func comparisons(_ row: Row) throws {
        let folder = try TemporaryFolder()
        let paths = try Self.captures(folder, seed: row.seed + 1000)
        let after = try Self.account(seed: row.seed + 1)
        var request = ReplayRequest(captures: paths, account: try Self.account(seed: row.seed))
        request.skipsMalformed = true
        let whole = CaptureComparison(ComparisonRequest(replay: request, after: after)).run()
        guard let expected = whole.comparison else {
            #expect(whole.diagnostics.hasErrors)
            return
        }
        let split = try Self.split(
            paths, shards: row.shards, rangeBytes: row.rangeBytes, into: folder, blockBytes: 700, jobs: 2)
        let parts = try (1...row.shards).map { number in
            request.captures = Self.files(number, split)
            let part = CaptureComparison(ComparisonRequest(replay: request, after: after)).runPart().part
            return try PartialMergeTests.part(number, of: row.shards, .comparison(try #require(part)))
        }
        let merged = try PartialMergeTests.comparison(parts)
        expect(merged.comparison.lines, equals: expected.lines)
    }

    private static let small = """
        {"time":"2020-07-23T00:00:01Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":"new-b,rooted"}

        no record
        {"time":"2020-07-23T00:00:02Z","device-id":"AAAAAAAAAAAAAAAAAAAAAA==","flags":"new-a"}
        """

    @Test("each record is in exactly one range, whatever its length", arguments: Array(1...60) + [100, 150, 210, 250])
    func ranges(bytes: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.small, to: "day.jsonl")
        let split = try Self.split([path], shards: 2, rangeBytes: bytes, into: folder)
        for shard in 1...2 {
            var request = ReplayRequest(captures: Self.files(shard, split), account: Account())
            request.skipsMalformed = true
            request.decisionsPath = folder.path("decisions")
            let summary = request.run()
            expect(summary.diagnostics.all.map(\.line), equals: [3])
            expect(summary.diagnostics.all.map(\.file), equals: [path])
            expect(summary.figures?.attestations, equals: 1)
            expect(summary.figures?.malformed, equals: (shard == 1 ? 1 : 0))
            // `new-b` came first, in the other part (R2.3).
            let index = shard == 1 ? 1 : 0
            expect(folder["decisions"]?.hasPrefix(#"{"index":\#(index),"#), equals: true)
        }
    }

    @Test("the files do not depend on the number of workers", arguments: [1, 3, 64]) func workers(shards: Int) throws {
        let folder = try TemporaryFolder()
        let paths = try Self.captures(folder, seed: 2)
        let splits = try [1, 2, 7].map { jobs in
            try Self.split(paths, shards: shards, rangeBytes: nil, into: folder, blockBytes: 500, jobs: jobs)[0]
        }
        for number in 1...shards {
            let bytes = splits.map { try? TextFile.bytes(path: "\($0)/shard-\(number).arrow") }
            #expect(bytes[0] != nil && bytes[0] == bytes[1] && bytes[0] == bytes[2])
        }
    }

    @Test("files and streams of columns are split, too", arguments: [1, 3, 64], [false, true])
    func columns(shards: Int, isStream: Bool) throws {
        let folder = try TemporaryFolder()
        var capture = DisorderlyCapture(seed: 8)
        let path = try folder.write(capture.bytesInOrder(300), to: "lines")
        let form = isStream ? GatheredForm.stream(level: nil) : .columns(level: 1)
        let packed = try #require(try PackedFile(paths: [path], form: form) { $0.reading.skipsMalformed = true })
        let columns = try folder.write(packed.bytes, to: "columns")
        var request = ReplayRequest(captures: [columns], account: try AccountText.account(Self.rules))
        request.decisionsPath = folder.path("whole")
        let whole = try #require(request.run().figures)
        request.decisionsPath = folder.path("decisions")
        let split = try Self.split([columns], shards: shards, rangeBytes: nil, into: folder, jobs: 2)
        var decisions: [String] = []
        let parts = try (1...shards).map { number in
            request.captures = Self.files(number, split)
            let (part, summary) = request.runPart()
            decisions += (folder["decisions"] ?? "").split(separator: "\n").map(String.init)
            #expect(part != nil, "\(summary.diagnostics.all)")
            return try PartialMergeTests.part(number, of: shards, .replay(try #require(part)))
        }
        let merged = try PartialMergeTests.replay(parts)
        expect(merged.figures.line, equals: whole.line)
        expect(decisions.sorted(), equals: (folder["whole"] ?? "").split(separator: "\n").map(String.init).sorted())
        #expect(whole.attestations > 100)
    }
}
