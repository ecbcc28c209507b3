import Figures
import Foundation
import Testing

@testable import Documents
@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// Captures that somebody cuts while they are read: what is missing at the end must not look like the end.
@Suite struct CutCaptureTests {
    struct Row: LabelledRow {
        let name: String
        /// The number of lines of 6,000 that are left, and of bytes of the next one.
        let lines, bytes: Int
    }

    static let rows = [
        Row(name: "at the end of a record", lines: 4000, bytes: 0),
        Row(name: "within a record", lines: 4000, bytes: 10),
        Row(name: "before its last byte", lines: 5999, bytes: line(5999).utf8.count - 1),
        Row(name: "to nothing", lines: 0, bytes: 0),
    ]

    private static func line(_ number: Int) -> String {
        #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DeviceID(first: 0, second: UInt64(number)))","flags":""}"#
            + "\n"
    }

    private static let text = (0..<6000).map(line).joined()

    // The length of the file when it was opened, and what is said of the rest.
    private static func cut(_ row: Row, in folder: TemporaryFolder) throws -> (path: String, length: Int, left: Int) {
        let path = folder.path("c.jsonl")
        let left = (0..<row.lines).map(line).joined().utf8.count + row.bytes
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: UInt64(left))
        return (path, text.utf8.count, left)
    }

    @Test(arguments: rows) func blocksOneAfterAnother(_ row: Row) throws {
        let folder = try TemporaryFolder(["c.jsonl": Self.text])
        var file = try CaptureFile(path: folder.path("c.jsonl"), blockBytes: 4096)
        let (path, length, left) = try Self.cut(row, in: folder)
        var block = CaptureBlock()
        var failure: CaptureFailure?
        do throws(CaptureFailure) { while try file.next(into: &block) {} } catch { failure = error }
        guard case .cut(path, let found, length)? = failure else {
            Issue.record("it ends by \(String(describing: failure))")
            return
        }
        // If reading began behind the cut, the failure names the offset at which it began.
        #expect(found >= left && found < length)
    }

    @Test(arguments: rows) func partsOfAFile(_ row: Row) throws {
        let folder = try TemporaryFolder(["c.jsonl": Self.text])
        let file = try CaptureFile(path: folder.path("c.jsonl"), blockBytes: 4096)
        let ranges = try #require(file.ranges)
        let (path, length, left) = try Self.cut(row, in: folder)
        var (block, failures) = (CaptureBlock(), Set<CaptureFailure>())
        for range in ranges {
            do throws(CaptureFailure) { _ = try range.read(into: &block) } catch { failures.insert(error) }
        }
        #expect(failures.contains(.cut(path: path, found: left, length: length)))
        // A part that lies behind the end of the file says so of its own beginning.
        #expect(failures.allSatisfy { if case .cut = $0 { true } else { false } })
    }

    @Test func aFileThatIsWholeIsRead() throws {
        let folder = try TemporaryFolder(["c.jsonl": Self.text])
        var file = try CaptureFile(path: folder.path("c.jsonl"), blockBytes: 4096)
        var (block, count) = (CaptureBlock(), 0)
        while try file.next(into: &block) { count += block.end }
        expect(count, equals: Self.text.utf8.count)
    }

    // Each frame is whole: nothing but the length says that some are missing.
    @Test func compressedMembersThatAreMissing() throws {
        let member = try #require(Self.member)
        let folder = try TemporaryFolder()
        try folder.write(Array(repeating: member, count: 200).joined(), to: "c.jsonl.gz")
        let path = folder.path("c.jsonl.gz")
        var file = try CaptureFile(path: path, blockBytes: 4096)
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: UInt64(150 * member.count))
        var block = CaptureBlock()
        let failure = CaptureFailure.cut(path: path, found: 150 * member.count, length: 200 * member.count)
        #expect(throws: failure) { while try file.next(into: &block) {} }
    }

    // A line as gzip: stored, so that a hand can write it (RFC 1951, 3.2.4, and 1952).
    private static var member: [UInt8]? {
        let bytes = Array(String(repeating: line(1), count: 300).utf8)
        guard let count = UInt16(exactly: bytes.count) else { return nil }
        func little(_ value: some FixedWidthInteger) -> [UInt8] {
            stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1]
        let tail: [UInt8] = little(~crc) + little(UInt32(bytes.count))
        return head + little(count) + little(~count) + bytes + tail
    }
}

/// Captures cut at any byte: every result is a valid replay or says what is wrong.
@Suite struct TruncationTests {
    private static let info = """
        getting new devices
        --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 12:10:43 BST ---
        rejection-flags: jailbroken
        public-flags: jailbroken,init-config-outdated
        device: iOS, 12.1.2, iPhone7,2, Ünï
        probe-result:
          probe result for https://a.b:443:
           xyz=: CN=x

        --- qZka0yfv+ExvOq3PRh6pGw== 2020-07-23 12:10:44 BST ---
        device-id: qZka0yfv+ExvOq3PRh6pGw==
        flags-all:
        captured: 2020-07-23 12:10:45 BST
        device-id: h4gubfCFzJu81j/U2BJsdg==

        """
    private static let jsonl = #"""
        {"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":["jailbroken","a\u0041"]}
        {"time":"2020-07-23T12:10:44+01:00","device-id":"qZka0yfv+ExvOq3PRh6pGw==","rejection-flags":"","n":-1.5e3}
        {"time":"2020-07-23T11:10:45Z","device-id":"h4gubfCFzJu81j/U2BJsdg==","x":null,"y":"Ü🚗","z":true}

        """#
    private static let cut = "1: warning: the last line has no newline; the capture may have been cut"

    @Test func deviceInformationCutAnywhere() throws {
        let bytes = Array(Self.info.utf8)
        let whole = try #require(try ReplayBench.replay([bytes]).decisions)
        for count in 0..<bytes.count {
            let replayed = try ReplayBench.replay([Array(bytes.prefix(count))]) { $0.format = .info }
            guard let decisions = replayed.decisions else {
                #expect(replayed.isRefused, "\(count) bytes")
                continue
            }
            // The records before the one that was cut are decided as before.
            expect(
                Array(decisions.dropLast()), equals: Array(whole.prefix(max(0, decisions.count - 1))), "\(count) bytes")
            let endsLine = count == 0 || bytes[count - 1] == UInt8(ascii: "\n")
            // A record may end before its list of flags.
            let told = replayed.messages.filter { !$0.contains("no list of flags") }
            expect(told, equals: (endsLine ? [] : [Self.cut]), "\(count) bytes")
        }
    }

    @Test func jsonLinesCutAnywhere() throws {
        let bytes = Array(Self.jsonl.utf8)
        let whole = try #require(try ReplayBench.replay([bytes]).decisions)
        for count in 0..<bytes.count {
            let part = Array(bytes.prefix(count))
            let replayed = try ReplayBench.replay([part]) { $0.format = .jsonl }
            let lineCount = part.count { $0 == UInt8(ascii: "\n") }
            // A line is valid without its newline, and with nothing of the next one.
            let isSound = count == 0 || part.last == UInt8(ascii: "\n") || part.last == UInt8(ascii: "}")
            expect(replayed.isRefused, equals: !isSound, "\(count) bytes")
            let records = part.last == UInt8(ascii: "}") ? lineCount + 1 : lineCount
            expect(replayed.decisions, equals: (isSound ? Array(whole.prefix(records)) : nil), "\(count) bytes")
        }
    }

    @Test(arguments: [("info", info), ("jsonl", jsonl)])
    func whatIsSoundIsKeptWhenMalformedRecordsAreSkipped(kind: String, text: String) throws {
        let bytes = Array(text.utf8)
        for count in stride(from: 0, to: bytes.count, by: 5) {
            let replayed = try ReplayBench.replay([Array(bytes.prefix(count))]) {
                $0.format = CaptureFormat(rawValue: kind)
                $0.skipsMalformed = true
            }
            let figures = try #require(replayed.summary.figures, "\(count) bytes")
            #expect(!replayed.summary.diagnostics.hasErrors, "\(count) bytes")
            #expect(figures.attestations + figures.malformed <= 3, "\(count) bytes")
            expect(replayed.decisions?.count, equals: figures.attestations, "\(count) bytes")
            #expect(figures.malformed <= 1, "\(count) bytes")
        }
    }

    @Test(arguments: [("info", info), ("jsonl", jsonl)])
    func anyByteMayBeWrong(kind: String, text: String) throws {
        let bytes = Array(text.utf8)
        for position in stride(from: 0, to: bytes.count, by: 5) {
            var damaged = bytes
            damaged[position] ^= 0x80
            let replayed = try ReplayBench.replay([damaged]) { $0.format = CaptureFormat(rawValue: kind) }
            expect(replayed.isRefused, equals: (replayed.decisions == nil), "byte \(position)")
        }
    }
}
