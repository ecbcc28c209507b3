import Documents
import Figures
import PolicyEngine
import Testing

@testable import Columns
@testable import Replay
@testable import TestSupport

/// The errors in captures that have columns, and their places.
@Suite struct ColumnProblemTests {
    private static let utc = ColumnField("time", .time(.seconds, zone: "UTC"))
    private static let device = ColumnField("device-id", .text(.small))
    private static let flags = ColumnField("flags", .text(.small))

    private static func texts(_ values: String?...) -> ColumnData {
        var list = ValueList()
        for value in values { list.append(value) }
        return .values(list)
    }

    // A stream of one batch for each list of columns.
    private static func stream(_ fields: [ColumnField], _ batches: [ColumnData]...) -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = ColumnWriter(ColumnSchema(fields), as: .stream, to: &bytes)
        for batch in batches { writer.write(batch, to: &bytes) }
        writer.finish(to: &bytes)
        return bytes
    }

    struct Row: LabelledRow {
        let name: String
        let fields: [ColumnField]
        let columns: [ColumnData]
        let message: String

        init(_ name: String, _ fields: [ColumnField], _ columns: [ColumnData], _ message: String) {
            (self.name, self.fields, self.columns, self.message) = (name, fields, columns, message)
        }
    }

    private static let soundTime = ColumnData.numbers([1_595_502_643])
    private static let origin = ColumnField("origin-line", .integer(bits: 64, isSigned: true))
    private static let capture = ColumnField("origin-capture", .text(.small))

    static let rows = [
        Row(
            "no time", [utc, device, flags], [.numbers([Column.absentNumber]), texts(Sample.device), texts("")],
            "1: error: batch 1, row 1: record without `time`"),
        Row(
            "a time beyond the years", [utc, device, flags], [.numbers([1 << 60]), texts(Sample.device), texts("")],
            "1: error: batch 1, row 1: `1152921504606846976` units since 1970 are not in the years 1 to 9999"),
        Row(
            "a time without a zone", [ColumnField("time", .time(.milliseconds, zone: nil)), device, flags],
            [.numbers([5]), texts(Sample.device), texts("")],
            "1: error: batch 1, row 1: column `time` has no time zone; "
                + "hint: give its offset from UTC with --timezone ±hh:mm"),
        Row(
            "no ID", [utc, device, flags], [soundTime, texts(nil), texts("")],
            "1: error: batch 1, row 1: record without `device-id`"),
        Row(
            "15 bytes for an ID", [utc, ColumnField("device-id", .bytes(.small)), flags],
            [soundTime, .values(bytes([UInt8](repeating: 7, count: 15))), texts("")],
            "1: error: batch 1, row 1: `\(String(repeating: "07", count: 15))` is not a device ID"),
        Row(
            "a line and a capture that it comes from", [utc, device, flags, origin, capture],
            [soundTime, texts("x"), texts(""), .numbers([17]), texts("events.jsonl")],
            "events.jsonl:17: error: `x` is not a device ID"),
        Row(
            "a line without a capture", [utc, device, flags, origin],
            [soundTime, texts("x"), texts(""), .numbers([17])], "1:17: error: `x` is not a device ID"),
        Row(
            "text that is not UTF-8", [utc, device, flags, ColumnField("ip", .text(.small))],
            [soundTime, texts(Sample.device), texts(""), .values(bytes([0x61, 0xFF]))],
            "1: error: batch 1, row 1: the value of `ip` is not UTF-8"),
        Row(
            "two columns of one name", [utc, device, flags, flags],
            [soundTime, texts(Sample.device), texts(""), texts("")],
            "1: error: column `flags` is there twice; hint: give each column a name of its own"),
        Row(
            "bytes for an attribute", [utc, device, flags, ColumnField("ip", .bytes(.small))],
            [soundTime, texts(Sample.device), texts(""), .values(bytes([1, 2]))],
            "1: error: column `ip` holds bytes; hint: write the values as text"),
        Row(
            "times for an attribute", [utc, device, flags, ColumnField("ip", .time(.seconds, zone: nil))],
            [soundTime, texts(Sample.device), texts(""), soundTime],
            "1: error: column `ip` holds times; hint: write the values as text"),
        Row(
            "a line that is no number", [utc, device, flags, ColumnField("origin-line", .text(.small))],
            [soundTime, texts(Sample.device), texts(""), texts("1")],
            "1: error: column `origin-line` does not hold whole numbers; "
                + "hint: leave it out, or give the number of a line"),
    ]

    private static func bytes(_ value: [UInt8]) -> ValueList {
        var list = ValueList()
        list.append(value.span)
        return list
    }

    private static func account() throws -> Account {
        try AccountText.account("policy: default,default,all\nfilters: [{name: one, key: ip, match: 1.2.3.4}]\n")
    }

    @Test(arguments: rows) func isRefused(_ row: Row) throws {
        let replayed = try ReplayBench.replay(
            [Self.stream(row.fields, row.columns)], account: try Self.account())
        #expect(replayed.isRefused)
        expect(replayed.messages.count, equals: 1)
        expect(replayed.messages.first?.hasPrefix(row.message), equals: true, "\(replayed.messages)")
    }

    @Test("a row is counted in its batch, and the others are evaluated") func laterBatches() throws {
        let fields = [Self.utc, Self.device, Self.flags]
        let device = Sample.device
        let bytes = Self.stream(
            fields, [Self.soundTime, Self.texts(device), Self.texts("rooted")],
            [
                .numbers([1_595_502_643, 1_595_502_642, 1_595_502_650]), Self.texts(device, "x", device),
                Self.texts("", "", "zz"),
            ])
        for blockBytes in [1, 1 << 18] {
            let replayed = try ReplayBench.replay([bytes]) { request in
                (request.skipsMalformed, request.blockBytes) = (true, blockBytes)
            }
            expect(replayed.messages.count, equals: 1)
            expect(replayed.messages.first?.hasPrefix("1: warning: batch 2, row 2: `x`"), equals: true)
            expect(replayed.summary.figures?.attestations, equals: 3)
            expect(replayed.summary.figures?.malformed, equals: 1)
            let kept = replayed.kept.map { String(decoding: $0, as: UTF8.self) }
            expect(kept, equals: #"{"time":"2020-07-23T11:10:42Z","device-id":"x","flags":""}"# + "\n")
        }
    }

    @Test("times of a clock without a zone follow --timezone", arguments: [0, 3600, -5400])
    func clockTimes(offset: Int) throws {
        let field = ColumnField("time", .time(.microseconds, zone: nil))
        let bytes = Self.stream(
            [field, Self.device, Self.flags],
            [.numbers([1_595_502_643_999_999, -1]), Self.texts(Sample.device, Sample.device), Self.texts("", "")])
        let replayed = try ReplayBench.replay([bytes]) { request in
            (request.zones, request.sorts) = (TimeZones(fallback: offset), true)
        }
        let decisions = try #require(replayed.decisions)
        // A fraction is cut off, so that the second before 1970 stays in 1969.
        for (decision, seconds) in zip(decisions, [1_595_502_643 - offset, -1 - offset]) {
            #expect(decision.contains(#""time":"\#(Instant(secondsSinceEpoch: seconds))""#))
        }
        expect(decisions.count, equals: 2)
    }

    @Test("records out of order are refused at their place") func order() throws {
        let bytes = Self.stream(
            [Self.utc, Self.device, Self.flags],
            [.numbers([1_595_502_643, 1_595_502_642]), Self.texts(Sample.device, Sample.device), Self.texts("", "")])
        let replayed = try ReplayBench.replay([bytes])
        expect(
            replayed.messages,
            equals: [
                "1: error: batch 1, row 2: record of 2020-07-23T11:10:42Z after one of 2020-07-23T11:10:43Z; "
                    + "hint: --sort puts records into the order of time"
            ])
    }

    @Test("columns without a record are refused as an empty capture is") func nothing() throws {
        let bytes = Self.stream([Self.utc, Self.device, Self.flags])
        try expect(ReplayBench.replay([bytes]).messages, equals: ["1: error: the capture is empty"])
    }

    @Test("a capture that is cut or changed anywhere is refused, or read; nothing traps")
    func damage() throws {
        let account = try Self.account()
        let table = DrawnTable(seed: 3, count: 6, isSound: true)
        for seed in UInt64(1)...4 {
            let bytes = table.columns(seed: seed)
            for end in stride(from: 4, to: bytes.count - 8, by: Exhaustive.choice(37, whole: 1)) {
                let replayed = try ReplayBench.replay([Array(bytes[..<end])], account: account)
                #expect(replayed.summary.diagnostics.hasErrors, "seed \(seed), \(end) bytes")
            }
            var chance = SplitMix64(seed: seed)
            for _ in 0..<Exhaustive.count(60, whole: 3000) {
                var damaged = bytes
                damaged[chance.below(bytes.count)] ^= UInt8(1 << chance.below(8))
                let replayed = try ReplayBench.replay([damaged], account: account) { $0.skipsMalformed = true }
                #expect(replayed.summary.diagnostics.hasErrors || replayed.summary.figures != nil)
            }
        }
    }
}
