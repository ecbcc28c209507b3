import Testing

@testable import Documents
@testable import Figures
@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// The share of several captures that was read.
@Suite struct CaptureLengthTests {
    private static func lengths(_ sizes: [Int], sorts: Bool = false, others: [String] = []) throws -> CaptureLengths {
        let folder = try TemporaryFolder()
        let paths = try sizes.enumerated().map {
            try folder.write(String(repeating: "x", count: $1), to: "\($0).jsonl")
        }
        var request = ReplayRequest(captures: paths + others, account: Account())
        request.sorts = sorts
        return CaptureLengths(request)
    }

    @Test("the share counts the bytes of all captures, in their order") func share() throws {
        var lengths = try Self.lengths([100, 300, 0, 400])
        #expect(lengths.share(ofAll: 0.5) == nil)
        lengths.advance()
        #expect(lengths.share(ofAll: 0.5) == 50.0 / 800)
        #expect(lengths.share(ofAll: nil) == nil)
        lengths.advance()
        #expect(lengths.share(ofAll: 0) == 100.0 / 800)
        #expect(lengths.share(ofAll: 1) == 400.0 / 800)
        lengths.advance()
        #expect(lengths.share(ofAll: 1) == 400.0 / 800)
        lengths.advance()
        #expect(lengths.share(ofAll: 1) == 1)
    }

    @Test("a share that would not be true is none: records are sorted afterwards, or a length is not known")
    func unknown() throws {
        var sorted = try Self.lengths([100], sorts: true)
        sorted.advance()
        #expect(sorted.share(ofAll: 0.5) == nil)
        var pipe = try Self.lengths([100], others: ["-"])
        pipe.advance()
        #expect(pipe.share(ofAll: 0.5) == nil)
    }

    // 40 records in two files, read in blocks of a few hundred bytes: the share grows, and ends with all.
    @Test("the progress of a replay over two captures never goes back") func progress() throws {
        let folder = try TemporaryFolder()
        let records = (0..<20).map { number in
            #"{"time":"2020-07-23T10:00:0\#(number % 10)Z","device-id":"\#(SampleDevice.bob)","flags":""}"# + "\n"
        }.sorted().joined()
        let paths = try ["a.jsonl", "b.jsonl"].map {
            try folder.write($0 == "a.jsonl" ? records : records.replacing("07-23", with: "07-24"), to: $0)
        }
        var request = ReplayRequest(captures: paths, account: Account())
        request.blockBytes = 300
        request.jobs = 1
        let shares = Lock<[Double]>([])
        let progress = Progress { position in shares.withLock { $0.append(position.share ?? -1) } }
        var replay = CaptureReplay<AccountWork>(request, progress: progress)
        let figures = replay.run().figures
        #expect(figures?.attestations == 40)
        let found = shares.withLock { $0 }
        #expect(found.count > 4 && found == found.sorted() && found.first ?? 1 < 0.5 && found.last == 1)
        #expect(found.allSatisfy { $0 > 0 })
    }
}
