import PolicyEngine
import Testing

@testable import Replay
@testable import TestSupport

/// Which records are read over the index of delimiters, and which are left to the scanners.
@Suite struct RecordWalkTests {
    private static let head = "--- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 12:10:43 BST ---\n"

    // The keys are learned from this record, then a row's record follows.
    private static let information = head + "public-flags: rooted\nip: 1.2.3.4\nnote: a\ndevice: iOS, 12\n"

    private static let line =
        #"{"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":"rooted","ip":"1.2.3.4","note":"a"}"#
        + "\n"

    @Test(arguments: CaseFile.all(in: "Tables/captures", ending: "records.txt"), VectorInstructions.allCases)
    func understands(_ file: CaseFile, _ instructions: VectorInstructions) throws {
        try file.expectActual { example in
            let isText = example.name.hasPrefix("info: ")
            return TextCase.text(example) { marked in
                let text = marked.text.replacing("␍", with: "\r").replacing("␉", with: "\t").replacing("␠", with: " ")
                let record = text.replacing("␃\n", with: "")
                let isUnderstood = Self.isUnderstood(
                    record, behind: isText ? Self.information : Self.line, isText: isText, instructions)
                return [isUnderstood ? "understood" : "left to the scanners"]
            }
        }
    }

    @Test("bytes that are not UTF-8 leave a block to the scanners") func notUTF8() {
        #expect(!Self.isUnderstood(Self.line, behind: Self.line, isText: false, .avx512, isUTF8: false))
    }

    private static func isUnderstood(
        _ record: String, behind first: String, isText: Bool, _ instructions: VectorInstructions, isUTF8: Bool = true
    ) -> Bool {
        var captureFields = CaptureFields()
        for key in ["ip", "note"] { _ = captureFields.column(of: key) }
        var fields = RecordFields(captureFields)
        var walk = RecordWalk(zones: TimeZones(), instructions: instructions)
        let text = Array((first + record).utf8)
        let memory = text + [UInt8](repeating: 0, count: max(JSONScanner.padding, RecordWalk.padding))
        let span = memory.span
        fields.beginBlock(memory, isText: isText)
        walk.begin(end: text.count, isText: isText, isUTF8: isUTF8)
        var (position, heads) = (BlockPosition(offset: 0, line: 1), [RecordHead]())
        // Nothing is known before the first record.
        walk.read(span, from: &position, rows: &fields.rows, heads: &heads)
        #expect(position.offset == 0 && heads.isEmpty)
        let found = scan(span, isText: isText, first: first, end: text.count, fields: &fields)
        #expect(fields.problem == nil)
        walk.learn { fields.keyOrder() }
        position = BlockPosition(offset: found.end, line: found.nextLine)
        expect(position.offset, equals: first.utf8.count)
        walk.read(span, from: &position, rows: &fields.rows, heads: &heads)
        expect(heads.count, equals: (position.offset == text.count ? 1 : 0))
        return position.offset == text.count
    }

    private static func scan(
        _ bytes: Span<UInt8>, isText: Bool, first: String, end: Int, fields: inout RecordFields
    ) -> ScannedRecord {
        if isText {
            var scanner = InfoScanner(zones: TimeZones())
            return scanner.scan(bytes, range: 0..<first.utf8.count, line: 1, fields: &fields)
        }
        let length = first.utf8.count
        JSONScanner().scan(bytes, line: 0..<length - 1, number: 1, isCut: false, fields: &fields)
        return ScannedRecord(range: 0..<length, line: 1, end: length, nextLine: 2)
    }
}

/// The index of a block's delimiters is what looking at byte after byte finds, whatever compares them.
@Suite struct DelimiterIndexTests {
    // Bytes that matter, and bytes that differ from one of them in a bit.
    private static let alphabet: [UInt8] =
        Array("\n\r\",\\ab{}:\t".utf8) + [0, 0x1F, 0x20, 0x7F, 0x80, 0x8A, 0xA2, 0xDC, 0xFF]

    private static func block(seed: UInt64, length: Int) -> [UInt8] {
        var chance = Chance(seed: seed)
        var bytes: [UInt8] = []
        while bytes.count < length {
            // Separators are rare by chance alone.
            bytes += chance.happens(20) ? Array("\",\"".utf8) : [chance.pick(alphabet)]
        }
        return Array(bytes.prefix(length))
    }

    private static func offsets(_ bytes: [UInt8], _ isIncluded: (Int) -> Bool) -> [UInt32] {
        bytes.indices.filter(isIncluded).map(UInt32.init)
    }

    @Test(arguments: VectorInstructions.allCases) func isThatOfEachByte(instructions: VectorInstructions) {
        var index = DelimiterIndex(instructions: instructions)
        for length in Array(0...200) + [4096, 10_000] {
            let bytes = Self.block(seed: UInt64(length), length: length)
            // Bytes behind the block must not matter.
            let memory = bytes + [UInt8](repeating: UInt8(ascii: "\""), count: DelimiterIndex.padding)
            let newlines = Self.offsets(bytes) { bytes[$0] == UInt8(ascii: "\n") }

            index.clear()
            index.index(memory.span, end: length, isText: true)
            let found = Found(index)
            // Memory for delimiters may end before the block does.
            #expect(newlines.starts(with: found.delimiters) && (length > 4000 || found.delimiters == newlines))
            let returns = Self.offsets(bytes) { bytes[$0] == UInt8(ascii: "\r") }
            #expect(returns.starts(with: found.irregular) && (length > 4000 || found.irregular == returns))

            index.clear()
            index.index(memory.span, end: length, isText: false)
            let objects = Found(index)
            let delimiters = Self.offsets(bytes) { offset in
                bytes[offset] == UInt8(ascii: "\n") || memory[offset...].starts(with: Array("\",\"".utf8))
            }
            #expect(delimiters.starts(with: objects.delimiters) && (length > 1500 || objects.delimiters == delimiters))
            let quotes = newlines.map { end in
                UInt32(bytes[..<Int(end)].count { $0 == UInt8(ascii: "\"") })
            }
            #expect(quotes.starts(with: objects.quotes))
            let irregular = Self.offsets(bytes) { offset in
                bytes[offset] < 0x20 && bytes[offset] != UInt8(ascii: "\n") || bytes[offset] == UInt8(ascii: "\\")
            }
            #expect(irregular.starts(with: objects.irregular) && (length > 1500 || objects.irregular == irregular))
        }
    }

    @Test("where memory for delimiters ends, no irregular byte is missing before the last delimiter")
    func aFullListIsCutForAll() {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 100_000)
        let memory = bytes + [UInt8](repeating: 0, count: DelimiterIndex.padding)
        for instructions in VectorInstructions.allCases {
            var index = DelimiterIndex(instructions: instructions)
            index.index(memory.span, end: bytes.count, isText: true)
            let found = Found(index)
            #expect(found.delimiters.count > 12_000 && found.delimiters.count < bytes.count)
            expect(found.delimiters, equals: Array(0..<UInt32(found.delimiters.count)))
        }
    }

    private struct Found {
        let delimiters, quotes, irregular: [UInt32]

        init(_ index: DelimiterIndex) {
            delimiters = Array(index.delimiters.prefix(index.counts.delimiters))
            quotes = Array(index.quotes.prefix(index.counts.quotes))
            irregular = Array(index.irregular.prefix(index.counts.irregular))
        }
    }
}

/// Values that mostly come together, and records in which they do not.
@Suite struct ValueGroupTests {
    private static let account = """
        policy: default,default,default
        filters:
          - {name: app, key: appid, regex: '^com\\.bad$', reject: true}
          - {name: version, key: app-version, regex: '^6', reject: true}
          - {name: signature, key: app-sig, regex: '^bad', reject: true}

        """

    private static func record(_ members: String) -> String {
        #"{"time":"2020-07-23T10:00:00Z","device-id":"h4gubfCFzJu81j/U2BJsdg==","public-flags":"","# + members + "}\n"
    }

    /// Members of records in another form than that of most, and whether each passes.
    static let unusual: [(members: String, passes: Bool)] = [
        // Another order.
        (#""app-sig":"good","app-version":"5","appid":"com.good""#, true),
        (#""app-sig":"good","app-version":"5","appid":"com.bad""#, false),
        (#""app-sig":"bad","app-version":"5","appid":"com.good""#, false),
        (#""app-version":"6","app-sig":"good","appid":"com.good""#, false),
        // A value that is copied, since it has an escape.
        (#""appid":"com.b\u0061d","app-version":"5","app-sig":"good""#, false),
        (#""appid":"com.good","app-version":"5","app-sig":"b\u0061d""#, false),
        (#""appid":"com.g\u006fod","app-version":"5","app-sig":"good""#, true),
        // One is not there.
        (#""appid":"com.bad","app-version":"5""#, false), (#""app-version":"5","app-sig":"good""#, true),
    ]

    // The values of 9,000 records are enough to find out which come together.
    @Test func recordsInAnotherFormAreReadValueByValue() throws {
        let usual = (0..<9_000).map { number in
            Self.record(#""appid":"com.good","app-version":"\#(number % 5)","app-sig":"good\#(number % 5)""#)
        }
        let unusual = Self.unusual.map { Self.record($0.members) }
        let replayed = try ReplayBench.replay(
            (usual + unusual + usual.prefix(1)).joined(), account: try AccountText.account(Self.account)
        ) { $0.blockBytes = 65_536 }
        let decisions = try #require(replayed.decisions)
        let verdicts = decisions.map { $0.contains(#""verdict":"pass""#) }
        expect(verdicts.count, equals: 9_010)
        #expect(verdicts.prefix(9_000).allSatisfy { $0 })
        expect(Array(verdicts.dropFirst(9_000)), equals: Self.unusual.map { $0.passes } + [true])
    }
}
