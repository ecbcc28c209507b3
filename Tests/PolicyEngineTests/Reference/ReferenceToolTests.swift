import Testing

@testable import PolicyEngine
@testable import TestSupport

/// The tools of the reference evaluator are checked against values from elsewhere.
@Suite("The tools of the reference evaluator") struct ReferenceToolTests {
    struct Digest: Sendable, CustomTestStringConvertible {
        let text: String
        let hexadecimal: String

        var testDescription: String { "\(text.utf8.count) bytes" }
    }

    /// From Python's hashlib; the lengths lie around the ends of blocks.
    static let digests = [
        Digest(text: "", hexadecimal: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Digest(text: "abc", hexadecimal: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Digest(
            text: String(repeating: "a", count: 55),
            hexadecimal: "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        Digest(
            text: String(repeating: "a", count: 56),
            hexadecimal: "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
        Digest(
            text: String(repeating: "a", count: 64),
            hexadecimal: "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        Digest(
            text: String(repeating: "a", count: 120),
            hexadecimal: "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
    ]

    @Test("SHA-256 gives the digests that hashlib gives", arguments: digests)
    func hashes(_ row: Digest) {
        let digits = Array("0123456789abcdef")
        let text = SHA256.digest(row.text).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        #expect(String(text) == row.hexadecimal)
    }

    struct Search: Sendable, CustomTestStringConvertible {
        let pattern: SimplePattern
        let value: String
        let isFound: Bool

        var testDescription: String { "/\(pattern.source)/ on `\(value)`" }
    }

    static let searches = [
        Search(pattern: SimplePattern(alternatives: ["b.d"]), value: "ab.de", isFound: true),
        Search(pattern: SimplePattern(alternatives: ["b.d"]), value: "abxde", isFound: false),
        Search(pattern: SimplePattern(fromStart: true, alternatives: ["b"]), value: "ab", isFound: false),
        Search(pattern: SimplePattern(fromStart: true, alternatives: ["x", "a"]), value: "ab", isFound: true),
        Search(pattern: SimplePattern(alternatives: ["a"], toEnd: true), value: "ab", isFound: false),
        Search(pattern: SimplePattern(alternatives: ["b"], toEnd: true), value: "ab", isFound: true),
        Search(pattern: SimplePattern(fromStart: true, alternatives: ["ab"], toEnd: true), value: "ab", isFound: true),
        Search(pattern: SimplePattern(fromStart: true, alternatives: ["a"], toEnd: true), value: "ab", isFound: false),
        Search(pattern: SimplePattern(fromStart: true, alternatives: [""], toEnd: true), value: "", isFound: true),
        Search(pattern: SimplePattern(alternatives: ["longer"]), value: "long", isFound: false),
    ]

    @Test("simple patterns are decided as PCRE2 decides them", arguments: searches)
    func decidesSearch(_ row: Search) throws {
        #expect(row.pattern.isFound(in: row.value) == row.isFound)
        let outcome = PatternMatcher().search(try Pattern(row.pattern.source), in: Array(row.value.utf8).span)
        #expect((outcome == .found) == row.isFound)
    }

    @Test("SplitMix64 gives the numbers of its authors for the seed 0") func splitMix() {
        var chance = SplitMix64(seed: 0)
        #expect(chance.next() == 0xE220_A839_7B1D_CDAF)
        #expect(chance.next() == 0x6E78_9E6A_A1B9_65F4)
        #expect(chance.next() == 0x06C4_5D18_8009_454F)
    }
}
