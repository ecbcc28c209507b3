import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import TestSupport

/// Files that are no parts of one whole are refused, with what is wrong in words.
@Suite struct PartialRefusalTests {
    private static func result(
        _ shard: String, version: String = "1", account: String = "a", policy: String? = "x", isComparison: Bool = false
    ) throws -> PartialResult {
        let settings = policy.map { [PartialResult.Setting(name: "--policy", value: $0)] } ?? []
        let origin = PartialResult.Origin(
            version: version, shard: try #require(DeviceShard(shard)), account: account, settings: settings)
        let figures = Figures { ($0.attestations, $0.metrics, $0.windows) = (1, ["pass": 1], [.daily: []]) }
        let replay = ReplayPart(DoubtedFigures(figures), malformed: 0, fetches: nil)
        return PartialResult(origin: origin, content: isComparison ? .comparison(ComparisonPart()) : .replay(replay))
    }

    private static func messages(_ results: [PartialResult]) -> [String] {
        var diagnostics = Diagnostics()
        let parts = results.enumerated().map { PartialMerge.Part(path: "p\($0 + 1)", result: $1) }
        let whole = PartialMerge.merge(parts, diagnostics: &diagnostics)
        expect((whole == nil), equals: diagnostics.hasErrors)
        return diagnostics.all.map { "\($0.file): \($0.message)" }
    }

    @Test("parts that do not belong together") func differences() throws {
        let first = try Self.result("1/2")
        expect(Self.messages([first, try Self.result("2/2")]), equals: [])
        let others = [
            try Self.result("2/2", version: "2"), try Self.result("2/2", isComparison: true), try Self.result("2/3"),
            try Self.result("2/2", account: "b"), try Self.result("2/2", policy: "y"),
            try Self.result("2/2", policy: nil),
        ]
        expect(
            Self.messages([first] + others),
            equals: [
                "p2: the version is `2` here and `1` in `p1`", "p3: the command is `diff` here and `replay` in `p1`",
                "p4: this is one of 3 parts, and `p1` one of 2", "p5: the account is `b` here and `a` in `p1`",
                "p6: --policy is `y` here and `x` in `p1`", "p7: --policy is given in `p1` and not here",
            ])
    }

    @Test("a part that is there twice, and parts that are missing") func doubledAndMissing() throws {
        expect(
            Self.messages([try Self.result("2/4"), try Self.result("2/4")]),
            equals: [
                "p2: this is the part 2/4, as `p1` is", "p1: parts are missing: 1/4, 3/4, 4/4",
            ])
    }

    @Test("the whole has the figures of all parts, as many as there must be") func whole() throws {
        for isComparison in [false, true] {
            var diagnostics = Diagnostics()
            let parts = try (1...2).reversed().map { number in
                PartialMerge.Part(path: "p", result: try Self.result("\(number)/2", isComparison: isComparison))
            }
            let whole = try #require(PartialMerge.merge(parts, count: 2, diagnostics: &diagnostics))
            expect(whole.origin.shard.number, equals: 1)
            if case .replay(let part) = whole.content { expect(part.figures.attestations, equals: 2) }
            #expect(PartialMerge.merge(parts, count: 3, diagnostics: &diagnostics) == nil)
            expect(diagnostics.all.map(\.message), equals: ["this is one of 2 parts, and there must be 3"])
        }
    }

    @Test("a hint names the first parts") func hint() throws {
        for (count, hint) in [
            (3, "`p1` is 1/5, `p2` is 2/5, `p3` is 3/5"), (4, "`p1` is 1/5, `p2` is 2/5, `p3` is 3/5, …"),
        ] {
            var diagnostics = Diagnostics()
            let parts = try (1...count).map { PartialMerge.Part(path: "p\($0)", result: try Self.result("\($0)/5")) }
            #expect(PartialMerge.merge(parts, diagnostics: &diagnostics) == nil)
            expect(diagnostics.all.map(\.hint), equals: [hint])
        }
    }

    @Test("a file that was cut or changed is refused, wherever") func cut() throws {
        let bytes = try Self.result("1/1").bytes
        #expect(throws: Never.self) { try PartialResult(bytes) }
        for count in Array(stride(from: 0, to: bytes.count, by: 13)) + [bytes.count - 1] {
            #expect(throws: PartialFailure.self) { try PartialResult(Array(bytes[..<count])) }
        }
        for offset in stride(from: 0, to: bytes.count, by: 17) {
            var changed = bytes
            changed[offset] ^= 1
            #expect(throws: PartialFailure.self) { try PartialResult(changed) }
        }
    }

    @Test("a file that somebody made is refused where it makes no sense, and never ends the process")
    func madeUp() throws {
        let sound = String(
            decoding: try Self.result("1/1").bytes.split(separator: UInt8(ascii: "\n"))[0], as: UTF8.self)
        let changes = [
            (#""scenario-partial":3"#, #""scenario-partial":2"#),
            (#""scenario-partial":3"#, #""scenario-partial":4"#), (#""shard":1"#, #""shard":9"#),
            (#""attestations":1"#, #""attestations":9223372036854775807"#), (#""metrics":["#, #""metrics":[["x",1],"#),
            (#""metrics":["#, #""metrics":[["pass",1],["pass",1],"#), (#""devices""#, #""device""#),
            (#""windows":["#, #""windows":[["weekly",[]],"#),
        ]
        for (text, other) in changes {
            #expect(sound.contains(text))
            let line = Array(sound.replacing(text, with: other).utf8)
            let bytes = line + Array("\nsha256:\(FileDigest(of: line).text)\n".utf8)
            #expect(throws: PartialFailure.self, "\(other)") { try PartialResult(bytes) }
        }
    }
}

/// Parts of devices, which are the same on every machine.
@Suite struct DeviceShardTests {
    struct Row: LabelledRow {
        let id: String
        /// Counted from 0, of 2, 7, 64 and 65,536; worked out by a program of its own.
        let parts: [Int]
    }

    static let rows = [
        Row(id: "w4mmGFZkpz5oPz6w6gl1Cw==", parts: [1, 4, 36, 37_501]),
        Row(id: "qZka0yfv+ExvOq3PRh6pGw==", parts: [1, 4, 41, 42_089]),
        Row(id: "h4gubfCFzJu81j/U2BJsdg==", parts: [1, 4, 43, 44_873]),
        Row(id: "ExampleApproovTokenDID==", parts: [1, 4, 37, 38_133]),
        Row(id: "AAAAAAAAAAAAAAAAAAAAAA==", parts: [0, 2, 21, 22_389]),
    ]

    @Test("the part of a device follows from its text", arguments: rows)
    func part(_ row: Row) throws {
        let id = try #require(DeviceID(row.id))
        expect([2, 7, 64, 65_536].map { DeviceShard.offset(of: id, count: $0) }, equals: row.parts)
        for count in [1, 2, 7, 64] {
            let parts = (1...count).filter { DeviceShard(number: $0, of: count)?.contains(id) == true }
            expect(parts, equals: [DeviceShard.offset(of: id, count: count) + 1])
        }
    }

    @Test(
        "a part is read from text",
        arguments: zip(
            [
                "1/1", "3/8", "65536/65536", "0/4", "5/4", "1/0", "1/65537", "1", "1/2/3", "/4", "a/4", "-1/4", "+1/4",
                " 1/4",
            ],
            ["1/1", "3/8", "65536/65536"] + Array(repeating: nil, count: 11)))
    func reading(_ text: String, expected: String?) {
        expect(DeviceShard(text)?.description, equals: expected)
    }
}

/// The description of captures that were split, as the file of each part has it.
@Suite struct SplitOriginTests {
    private static let origin = SplitOrigin {
        $0.flags = ["new-b", "new-a"]
        $0.captures = [
            SplitOrigin.Capture {
                ($0.identity.path, $0.identity.bytes) = ("day.jsonl", 300)
                ($0.from, $0.to, $0.lines, $0.records, $0.malformed) = (100, 200, 7, 5, 1)
                ($0.first, $0.firstLine) = (Instant(secondsSinceEpoch: 60), 2)
                ($0.latest, $0.isCut) = (Instant(secondsSinceEpoch: 90), true)
            }
        ]
        $0.problems = [SplitOrigin.Problem { ($0.file, $0.line, $0.message) = ("day.jsonl", 3, "not a JSON object") }]
    }

    private static let text =
        #"{"form":1,"captures":[{"path":"day.jsonl","bytes":300,"sample":null,"sha256":null,"from":100,"to":200,"#
        + #""lines":7,"records":5,"malformed":1,"first":60,"first-line":2,"latest":90,"cut":true}],"#
        + #""flags":["new-b","new-a"],"problems":[{"file":"day.jsonl","line":3,"message":"not a JSON object","hint":null}]}"#

    @Test func isWrittenAndRead() throws {
        expect(Self.origin.text.filter { !$0.isWhitespace }, equals: Self.text.filter { !$0.isWhitespace })
        try expect(SplitOrigin(text: Self.origin.text), equals: Self.origin)
    }

    private static let captures = "`captures` is missing, or makes no sense"

    @Test(
        "a changed one is refused",
        arguments: [
            (#""form":1"#, #""form":2"#, "has the form 2, and this version reads the form 1"),
            (#""lines":7"#, #""lines":-7"#, Self.captures),
            (#""to":200"#, #""to":50"#, Self.captures),
            (#""to":200"#, #""to":null"#, Self.captures),
            (#""records":5"#, #""records":9223372036854775807"#, Self.captures),
            (#""flags":"#, #""flag":"#, "`flags` is missing, or makes no sense"), (#"{"form""#, #"[{"form""#, ""),
        ])
    func isRefused(_ part: String, _ changed: String, _ message: String) throws {
        let text = Self.text.replacing(part, with: changed)
        try #require(text != Self.text)
        let failure = #expect(throws: PartialFailure.self) { try SplitOrigin(text: text) }
        #expect(failure?.message.contains(message) == true || message.isEmpty, "\(failure?.message ?? "")")
    }
}
