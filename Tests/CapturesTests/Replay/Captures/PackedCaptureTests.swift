import FoundationEssentials
import PolicyEngine
import Replay
import Testing

@testable import TestSupport

/// `.gz` and `.zst` are read as they are (formats: Captures).
@Suite struct PackedCaptureTests {
    struct Row: LabelledRow {
        let name: String
        let bytes: [UInt8]
    }

    static let whole = [
        Row(name: "gzip", bytes: PackedCapture.gzip), Row(name: "zstd", bytes: PackedCapture.zstd),
    ]
    static let parts = [
        Row(name: "gzip members", bytes: PackedCapture.gzipMembers),
        Row(name: "zstd frames", bytes: PackedCapture.zstdFrames),
    ]
    // As tapes and block devices fill up what they write.
    static let filled = [
        Row(name: "gzip and zeros", bytes: PackedCapture.gzipMembers + [UInt8](repeating: 0, count: 300_000))
    ]
    // Frames that parallel packers put before, between and behind others.
    private static let skipped: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
    private static let lastSkipped: [UInt8] = [0x5F, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]
    static let skipping = [
        Row(name: "zstd behind a skippable frame", bytes: skipped + PackedCapture.zstd),
        Row(name: "zstd behind an empty skippable frame", bytes: lastSkipped + PackedCapture.zstd),
        Row(name: "zstd behind several", bytes: skipped + lastSkipped + PackedCapture.zstd),
        Row(name: "zstd before one", bytes: PackedCapture.zstd + skipped),
    ]
    static let empty = [
        Row(name: "empty gzip", bytes: PackedCapture.gzipEmpty),
        Row(name: "empty zstd", bytes: PackedCapture.zstdEmpty),
        Row(name: "skippable frame alone", bytes: skipped),
    ]
    static let long = [
        Row(name: "long gzip", bytes: PackedCapture.gzipLong), Row(name: "long zstd", bytes: PackedCapture.zstdLong),
    ]

    private static func decisions(_ bytes: [UInt8]) throws -> [String]? {
        try ReplayBench.replay([bytes]).decisions
    }

    @Test(arguments: whole + parts + skipping + filled) func readsWhatIsInside(_ row: Row) throws {
        let replayed = try ReplayBench.replay([row.bytes])
        expect(replayed.messages, equals: [])
        expect(replayed.decisions?.count, equals: 2)
        try expect(replayed.decisions, equals: Self.decisions(Array(PackedCapture.text.utf8)))
    }

    @Test("other bytes behind zeros are damage") func behindZeros() throws {
        let bytes = PackedCapture.gzip + [UInt8](repeating: 0, count: 1000) + Array("x\n".utf8)
        try expect(ReplayBench.replay([bytes]).messages, equals: ["1: error: the gzip data is damaged or cut"])
    }

    @Test(arguments: empty) func nothingInsideIsEmpty(_ row: Row) throws {
        try expect(ReplayBench.replay([row.bytes]).messages, equals: ["1: error: the capture is empty"])
    }

    @Test(arguments: long) func readsMoreThanABlock(_ row: Row) throws {
        let replayed = try ReplayBench.replay([row.bytes]) { $0.decisionsPath = nil }
        // All of them are one record.
        expect(replayed.messages.map { $0.prefix(23) }, equals: ["1:2: warning: 15,999 re"])
        expect(replayed.metric("fail"), equals: 16_000)
        expect(replayed.metric("rejection-flag-jailbroken"), equals: 16_000)
    }

    @Test(arguments: whole + parts, [false, true]) func theKindMayBeGiven(_ row: Row, isRight: Bool) throws {
        let replayed = try ReplayBench.replay([row.bytes]) { $0.format = isRight ? .info : .jsonl }
        expect(replayed.isRefused, equals: !isRight)
    }

    @Test(arguments: whole) func cutDataIsRefused(_ row: Row) throws {
        for count in stride(from: 0, to: row.bytes.count, by: 3) {
            let replayed = try ReplayBench.replay([Array(row.bytes.prefix(count))])
            #expect(replayed.isRefused, "\(count) bytes")
            #expect(replayed.decisions == nil, "\(count) bytes")
        }
    }

    @Test(arguments: parts) func aCutIsSeenUnlessAPartEndsThere(_ row: Row) throws {
        let sound = try (4..<row.bytes.count).filter { count in
            do {
                _ = try ReadCapture(bytes: row.bytes.prefix(count))
                return true
            } catch is CaptureFailure {
                return false
            }
        }
        // Behind the first part, and behind the empty second one.
        expect(sound.count, equals: 2)
    }

    @Test(arguments: whole + parts) func damagedDataIsRefusedOrMeansTheSame(_ row: Row) throws {
        let expected = try Self.decisions(row.bytes)
        for position in stride(from: 0, to: row.bytes.count, by: 3) {
            var bytes = row.bytes
            bytes[position] ^= 0xFF
            let replayed = try ReplayBench.replay([bytes])
            #expect(replayed.isRefused || replayed.decisions == expected, "byte \(position)")
        }
    }

    @Test(arguments: [("gzip", PackedCapture.gzip), ("zstd", PackedCapture.zstd)])
    func damageIsToldByItsFormat(format: String, bytes: [UInt8]) throws {
        let cut = try ReplayBench.replay([Array(bytes.dropLast())])
        expect(cut.messages, equals: ["1: error: the \(format) data is damaged or cut"])
        let behind = try ReplayBench.replay([bytes + [1, 2, 3, 4, 5]])
        expect(behind.messages, equals: ["1: error: the \(format) data is damaged or cut"])
        #expect(behind.isRefused)
    }

    @Test func capturesPackedDifferentlyGoTogether() throws {
        let packed = try ReplayBench.replay([PackedCapture.gzip, PackedCapture.zstd]) { $0.sorts = true }
        expect(packed.decisions?.count, equals: 4)
        // Both hold the same records.
        expect(packed.messages.map { $0.prefix(23) }, equals: ["2:1: warning: 2 records"])
    }
}

/// Captures that were packed beforehand: `Tests/Tables/captures/packed.txt`.
enum PackedCapture {
    /// Two records of device information.
    static let text = """
        --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 12:10:43 BST ---
        public-flags: jailbroken
        --- qZka0yfv+ExvOq3PRh6pGw== 2020-07-23 12:10:44 BST ---
        public-flags: rooted

        """

    /// A record of JSON Lines.
    static let longLine =
        #"{"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":["jailbroken"]}"# + "\n"

    private static let cases: [CaseFile.Case] = {
        let path = "Tests/Tables/captures/packed.txt"
        return CaseFile(path: path, text: (try? Repository.text(of: path)) ?? "").cases.rows(8)
    }()

    static let gzip = bytes(0)
    static let gzipMembers = bytes(1)
    static let gzipEmpty = bytes(2)
    static let gzipLong = bytes(3)
    static let zstd = bytes(4)
    static let zstdFrames = bytes(5)
    static let zstdEmpty = bytes(6)
    static let zstdLong = bytes(7)

    private static func bytes(_ index: Int) -> [UInt8] {
        Data(base64Encoded: cases[index].body.joined()).map(Array.init) ?? []
    }
}
