import PolicyEngine
import Testing

@testable import Columns
@testable import Figures
@testable import Replay
@testable import TestSupport

/// Records in columns give the same, byte for byte, as the same records as lines.
@Suite struct ColumnAgreementTests {
    private static let rules = """
        policy: default,default,all
        filters:
          - {name: ten, key: ip, regex: '^10[.]', risky: true}
          - {name: one, key: ip, match: 1.2.3.4, ban: true}
          - {name: phone, key: device, regex: 'iOS|Münch', reject: true}
          - {name: app, key: appid, match: com.b}
          - {name: gold, key: user-property, regex: '(?i)^gold$'}
          - {name: flags, key: public-flags, regex: zz}
          - {name: id, key: device-id, regex: '^[A-Z]A'}
          - {name: both, conjunction: [ten, app], reject: true}

        """

    private static func replay(
        _ capture: [UInt8], _ account: Account, jobs: Int = 1, blockBytes: Int = 1 << 18,
        _ edit: (inout ReplayRequest) -> Void
    ) throws -> Replayed {
        try ReplayBench.replay([capture], account: account) { request in
            edit(&request)
            (request.jobs, request.blockBytes) = (jobs, blockBytes)
        }
    }

    private static func outcome(of replayed: Replayed) -> [String] {
        replayed.messages + (replayed.decisions ?? []) + [
            String(decoding: replayed.kept ?? [], as: UTF8.self), replayed.summary.lines ?? "",
            replayed.summary.attributes.map(\.text).sorted().joined(separator: " "),
        ]
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).line.dropLast(), as: UTF8.self)
    }

    private static func edit(_ chance: inout SplitMix64) -> (inout ReplayRequest) -> Void {
        let (skips, counts, sorts) = (chance.happens(80), chance.happens(30), chance.happens(10))
        return { request in
            (request.skipsMalformed, request.sorts) = (skips, sorts)
            if counts {
                request.counting = CountingRequest(attributes: ["ip", "device-id", "appid", "public-flags"], top: 5)
            }
        }
    }

    @Test("2,000 random captures, some of them in a quick run", arguments: 1...20)
    func replaysAgree(batch: UInt64) throws {
        var random = RandomAccount(seed: batch, flags: [.init(name: "extra-one", isRisk: true)])
        let accounts = [try AccountText.account(Self.rules), try AccountText.account(random.text())]
        for seed in Exhaustive.seeds(batch * 100...batch * 100 + 99, each: 20) {
            var chance = SplitMix64(seed: seed ^ 0xA66)
            let table = DrawnTable(seed: seed, count: 1 + chance.below(60), isSound: chance.happens(30))
            let (account, edit) = (chance.pick(accounts), Self.edit(&chance))
            let lines = try Self.replay(table.lines, account, edit)
            let columns = table.columns(seed: seed)
            for jobs in [1, 2, 7] {
                let blockBytes = chance.pick([1, 500, 3000, 1 << 18])
                let replayed = try Self.replay(columns, account, jobs: jobs, blockBytes: blockBytes, edit)
                expect(
                    Self.outcome(of: replayed), equals: Self.outcome(of: lines),
                    "seed \(seed), \(jobs) workers, blocks of \(blockBytes)")
            }
            // Records without a valid time and device are no device information.
            let rest = table.expressible
            guard !rest.rows.isEmpty else { continue }
            let expected = table.isSound ? lines : try Self.replay(rest.lines, account, edit)
            let information = try Self.replay(rest.information, account, edit)
            expect(information.decisions, equals: expected.decisions, "seed \(seed), device information")
            let (figures, others) = (information.summary.figures, expected.summary.figures)
            #expect(figures?.malformed == others?.malformed && figures?.attestations == others?.attestations)
        }
    }

    @Test(
        "streams packed by LZ4, and those with deltas, have the rows that they had plain",
        arguments: Exhaustive.seeds(1...30, each: 3))
    func recodedStreams(seed: UInt64) throws {
        let table = DrawnTable(seed: seed, count: 60, isSound: true)
        var chance = SplitMix64(seed: seed)
        let plain = table.columns(.stream, level: nil, &chance)
        let rows = try ColumnRows.read(plain)
        expect(rows.count, equals: 60)
        let lines = Self.outcome(of: try ReplayBench.replay([table.lines]))
        for (isPacked, hasDeltas) in [(true, false), (false, true), (true, true)] {
            let recoded = try RecodedStream(plain, isPacked: isPacked, hasDeltas: hasDeltas)
            try expect(ColumnRows.read(recoded.bytes), equals: rows)
            #expect(hasDeltas || recoded.deltas == 0)
            for jobs in [1, 2] {
                let replayed = try ReplayBench.replay([recoded.bytes]) { ($0.jobs, $0.blockBytes) = (jobs, 3000) }
                expect(Self.outcome(of: replayed), equals: lines, "\(jobs) workers, \(isPacked), \(hasDeltas)")
            }
        }
    }

    @Test("some of these streams have deltas") func deltas() throws {
        let counts = try (UInt64(1)...30).map { seed in
            var chance = SplitMix64(seed: seed)
            let plain = DrawnTable(seed: seed, count: 60, isSound: true).columns(.stream, level: nil, &chance)
            return try RecodedStream(plain, isPacked: false, hasDeltas: true).deltas
        }
        #expect(counts.count { $0 > 0 } >= 10)
    }

    @Test(
        "values that filters compare are found in dictionaries of text and of bytes",
        arguments: Exhaustive.seeds(1...40, each: 3))
    func comparedValuesAgree(seed: UInt64) throws {
        let table = DrawnTable(seed: seed, count: 50, isSound: true)
        let keys = ["device-id", "ip", "user-property"]
        let rules = try keys.enumerated().map { number, key in
            let column = try #require(table.keys.firstIndex(of: key))
            let value = try #require(table.rows.lazy.compactMap { $0[column] }.first)
            return "  - {name: f\(number), key: \(key), match: \(Self.quoted(value)), reject: true}\n"
        }
        let account = try AccountText.account("policy: default,default,all\nfilters:\n" + rules.joined())
        let lines = try Self.replay(table.lines, account) { _ in }
        for jobs in [1, 2] {
            let columns = try Self.replay(table.columns(seed: seed), account, jobs: jobs, blockBytes: 2000) { _ in }
            expect(Self.outcome(of: columns), equals: Self.outcome(of: lines), "\(jobs) workers")
        }
        for number in keys.indices {
            let matched = lines.summary.figures?.filters.first { $0.name == "f\(number)" }?.matched
            #expect(try #require(matched) > 0, "the filter of `\(keys[number])`")
        }
    }

    // The results of the works beside a replay.
    private struct Outcome: Equatable {
        let comparison: String?
        let edits: [EditFigures]
        let devices: Int
        let records: [String]
    }

    @Test("so do comparisons, every edit, and kept records", arguments: Exhaustive.seeds(1...300, each: 25))
    func othersAgree(seed: UInt64) throws {
        var chance = SplitMix64(seed: seed ^ 0xD1FF)
        var random = RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
        let (before, after) = (try AccountText.account(Self.rules), try AccountText.account(random.text()))
        let edited = try AccountText.account(Self.rules.replacing("default,default", with: "default,allow-root"))
        let table = DrawnTable(seed: seed, count: 60, isSound: chance.happens(30))
        let folder = try TemporaryFolder()
        func outcome(_ bytes: [UInt8], jobs: Int) throws -> Outcome {
            let path = try folder.write(bytes, to: "1")
            var request = ReplayRequest(captures: [path], account: before)
            request.skipsMalformed = true
            (request.jobs, request.blockBytes) = (jobs, jobs == 1 ? 1 << 18 : 700)
            let comparison = CaptureComparison(ComparisonRequest(replay: request, after: after)).run()
            let edits = CaptureWhatIf(request, edits: [edited]).run()
            let keys = ["ip", "device", "device-id", "time", "flags"]
            let kept = CaptureRecords(request, keys: keys).read()
            return Outcome(
                comparison: comparison.comparison?.lines, edits: edits.edits, devices: edits.devices,
                records: kept.records.map(Self.words))
        }
        let lines = try outcome(table.lines, jobs: 1)
        let columns = table.columns(seed: seed)
        for jobs in [1, 2, 7] { try expect(outcome(columns, jobs: jobs), equals: lines, "\(jobs) workers") }
    }

    // All that is kept of a record.
    private static func words(_ record: KeptRecord) -> String {
        let line = KeptRecordText.line(of: record)
        let captured = record.capturedVerdict.map { $0 ? "passed" : "failed" } ?? "unknown"
        return "\(record.index) \(record.system) \(captured) \(record.passed) \(record.rejections) "
            + "\(record.lifetime) \(record.isEvaluated) \(line)"
    }

    @Test("so do several captures of any form in one replay, and a part of their devices")
    func severalCaptures() throws {
        let account = try AccountText.account(Self.rules)
        let tables = (0..<4).map { DrawnTable(seed: 77, count: 10 * $0 + 40, isSound: true) }
        let lines = tables.map(\.lines)
        let mixed = [
            tables[0].columns(seed: 1), tables[1].lines, tables[2].columns(seed: 2), tables[3].columns(seed: 3),
        ]
        for shard in [nil, DeviceShard("1/2"), DeviceShard("2/2")] {
            func replay(_ captures: [[UInt8]], jobs: Int) throws -> Replayed {
                try ReplayBench.replay(captures, account: account) { request in
                    (request.jobs, request.deviceShard, request.sorts) = (jobs, shard, true)
                }
            }
            let expected = Self.outcome(of: try replay(lines, jobs: 1))
            #expect(!expected.isEmpty)
            for jobs in [1, 2, 7] { expect(Self.outcome(of: try replay(mixed, jobs: jobs)), equals: expected) }
        }
    }

    @Test("a stream through a pipe, and one that is compressed, give the same as a file")
    func streamsAgree() throws {
        let account = try AccountText.account(Self.rules)
        for seed in UInt64(1)...12 {
            let table = DrawnTable(seed: seed, count: 50, isSound: true)
            let stream = table.columns(seed: seed)
            guard !stream.starts(with: Array("ARROW1".utf8)) else { continue }
            let expected = Self.outcome(of: try ReplayBench.replay([table.lines], account: account))
            for name in ["1.gz", "1.zst"] {
                let replayed = try ReplayBench.replay([OutputCompression.packed(stream, for: name)], account: account)
                expect(Self.outcome(of: replayed), equals: expected, "seed \(seed), \(name)")
            }
            let pipe = try SplitPipe(stream, cuts: [1, 7, 100])
            let replayed = try ReplayBench.replay([stream], account: account) { $0.captures = [pipe.path] }
            #expect(replayed.decisions == (try ReplayBench.replay([table.lines], account: account)).decisions)
        }
    }
}
