import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Parts that were written, read and merged give the figures of the whole.
@Suite struct PartialMergeTests {
    private static let rules = """
        policy: default,default,all
        filters:
          - {name: ten, key: ip, regex: '^10[.]', risky: true}
          - {name: one, key: ip, match: 1.2.3.4, ban: true}
          - {name: phone, key: device, regex: 'iOS|Münch', reject: true}
          - {name: app, key: appid, match: com.b}
          - {name: new, key: ip, regex: '^11[.]', new-did-only: true, reject: true}
          - {name: both, conjunction: [ten, app], reject: true}

        """

    private static let fetches = """
        AAAAAAAAAAAAAAAAAAAAAQ== 2020-02-29 00:00:01 UTC
        CAAAAAAAAAAAAAAAAAAAAQ==
        CAAAAAAAAAAAAAAAAAAAAQ==
        no device
        EAAAAAAAAAAAAAAAAAAAAQ== 2020-02-29 00:00:03 UTC

        """

    static func part(_ number: Int, of count: Int, _ content: PartialResult.Content) throws -> PartialMerge.Part {
        let shard = try #require(DeviceShard(number: number, of: count))
        let origin = PartialResult.Origin(version: "1", shard: shard, account: "a", settings: [])
        let bytes = PartialResult(origin: origin, content: content).bytes
        let read = try PartialResult(bytes)
        expect(read.bytes, equals: bytes)
        return PartialMerge.Part(path: "\(number)", result: read)
    }

    private static func merged(_ parts: [PartialMerge.Part]) throws -> PartialResult.Content {
        var diagnostics = Diagnostics()
        let whole = PartialMerge.merge(parts.reversed(), diagnostics: &diagnostics)
        #expect(diagnostics.isEmpty)
        return try #require(whole).content
    }

    /// Parts of a replay, merged.
    static func replay(_ parts: [PartialMerge.Part]) throws -> ReplayPart {
        guard case .replay(let merged) = try merged(parts) else { throw TestFailure("no replay") }
        return merged
    }

    /// Parts of a comparison, merged.
    static func comparison(_ parts: [PartialMerge.Part]) throws -> ComparisonPart {
        guard case .comparison(let merged) = try merged(parts) else { throw TestFailure("no comparison") }
        return merged
    }

    // Many parts take long.
    private static func counts(seed: UInt64) -> [Int] { seed % 5 == 0 ? [1, 7, 64] : [1, 2, 7] }

    private static func request(
        _ folder: TemporaryFolder, seed: UInt64, account: Account
    ) throws -> ReplayRequest {
        var capture = DisorderlyCapture(seed: seed)
        // A capture out of order is refused, part by part.
        let bytes = seed % 7 == 0 ? capture.bytes(120) : capture.bytesInOrder(120)
        var request = ReplayRequest(captures: [try folder.write(bytes, to: "1")], account: account)
        request.skipsMalformed = true
        request.keepsSeries = seed % 3 == 0
        request.blockBytes = seed % 2 == 0 ? 700 : 1 << 18
        if seed % 4 < 2 { request.fetchesPath = try folder.write(fetches.utf8, to: "fetches") }
        return request
    }

    static func account(seed: UInt64, rules: String = rules) throws -> Account {
        guard seed % 2 == 0 else { return try AccountText.account(rules) }
        var random = RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
        return try AccountText.account(random.text())
    }

    @Test("replays", arguments: Exhaustive.seeds(1...80, each: 13))
    func replays(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let request = try Self.request(folder, seed: seed, account: try Self.account(seed: seed))
        let whole = request.run()
        for count in Self.counts(seed: seed) {
            let parts = try (1...count).compactMap { number -> PartialMerge.Part? in
                var request = request
                (request.deviceShard, request.jobs) = (DeviceShard(number: number, of: count), 1 + number % 3)
                guard let part = request.runPart().part else { return nil }
                return try Self.part(number, of: count, .replay(part))
            }
            // A capture that is refused is refused for every part.
            guard let figures = whole.figures else {
                #expect(parts.isEmpty)
                continue
            }
            let merged = try Self.replay(parts)
            expect(merged.figures.line, equals: figures.line, "\(count) parts")
            expect(merged.fetches, equals: whole.fetches, "\(count) parts")
        }
    }

    @Test("comparisons, with their examples", arguments: Exhaustive.seeds(1...80, each: 13))
    func comparisons(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let after = try Self.account(seed: seed + 1)
        let request = try Self.request(folder, seed: seed, account: try Self.account(seed: seed))
        let whole = CaptureComparison(ComparisonRequest(replay: request, after: after)).run()
        for count in Self.counts(seed: seed) {
            let parts = try (1...count).compactMap { number -> PartialMerge.Part? in
                var request = request
                (request.deviceShard, request.jobs) = (DeviceShard(number: number, of: count), 1 + number % 3)
                let comparison = CaptureComparison(ComparisonRequest(replay: request, after: after))
                guard let part = comparison.runPart().part else { return nil }
                return try Self.part(number, of: count, .comparison(part))
            }
            guard let expected = whole.comparison else {
                #expect(parts.isEmpty)
                continue
            }
            let merged = try Self.comparison(parts)
            expect(merged.comparison.lines, equals: expected.lines, "\(count) parts")
        }
    }

    @Test("captures of fetches alone") func fetchesAlone() throws {
        let folder = try TemporaryFolder()
        var request = ReplayRequest(captures: [try folder.write(Self.fetches.utf8, to: "1")], account: Account())
        request.skipsMalformed = true
        let whole = request.run()
        let parts = try (1...3).map { number in
            request.deviceShard = DeviceShard(number: number, of: 3)
            return try Self.part(number, of: 3, .replay(try #require(request.runPart().part)))
        }
        let merged = try Self.replay(parts)
        expect(merged.fetches, equals: whole.fetches)
        expect(merged.fetches?.total, equals: 4)
        expect(merged.figures.malformed, equals: 1)
    }
}
