import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R12.2 Format-preserving encryption") struct FF1Tests {
    /// NIST's key; shorter ones are its beginning.
    static let key = [UInt8](hexadecimal: "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94")

    struct Sample: LabelledRow {
        let label: String
        let keyLength: Int
        let radix: Int
        let plain: [UInt16]
        var tweak: [UInt8] = []
        let enciphered: [UInt16]
    }

    /// A sample of NIST's, in digits of the radix.
    private static func sample(
        _ label: String, _ keyLength: Int, radix: Int, _ plain: String, tweak: String = "", _ enciphered: String
    ) -> Sample {
        Sample(
            label: label, keyLength: keyLength, radix: radix, plain: numerals(plain),
            tweak: [UInt8](hexadecimal: tweak), enciphered: numerals(enciphered))
    }

    private static func numerals(_ text: String) -> [UInt16] {
        text.compactMap { UInt16(String($0), radix: 36) }
    }

    private static let digits = "0123456789"
    private static let letters = "0123456789abcdefghi"
    private static let digitTweak = "39383736353433323130"
    private static let letterTweak = "3737373770717273373737"

    static let samples = [
        sample("1: AES-128", 16, radix: 10, digits, "2433477484"),
        sample("2: AES-128, tweak", 16, radix: 10, digits, tweak: digitTweak, "6124200773"),
        sample("3: AES-128, radix 36", 16, radix: 36, letters, tweak: letterTweak, "a9tv40mll9kdu509eum"),
        sample("4: AES-192", 24, radix: 10, digits, "2830668132"),
        sample("5: AES-192, tweak", 24, radix: 10, digits, tweak: digitTweak, "2496655549"),
        sample("6: AES-192, radix 36", 24, radix: 36, letters, tweak: letterTweak, "xbj3kv35jrawxv32ysr"),
        sample("7: AES-256", 32, radix: 10, digits, "6657667009"),
        sample("8: AES-256, tweak", 32, radix: 10, digits, tweak: digitTweak, "1001623463"),
        sample("9: AES-256, radix 36", 32, radix: 36, letters, tweak: letterTweak, "xs8a0azh2avyalyzuwd"),
    ]

    /// A string of some shape: its numerals are 3, 10, 17 … below the radix, its tweak is 0, 1, 2 … below 256.
    private static func shape(
        _ label: String, radix: Int, count: Int, tweakLength: Int = 0, keyLength: Int, _ enciphered: [UInt16]
    ) -> Sample {
        Sample(
            label: label, keyLength: keyLength, radix: radix,
            plain: (0..<count).map { UInt16((7 * $0 + 3) % radix) },
            tweak: (0..<tweakLength).map { UInt8(truncatingIfNeeded: $0) }, enciphered: enciphered)
    }

    /// Shapes at the edges of the method, worked out with a second implementation that follows the standard's words.
    static let shapes = [
        shape("fewest bits", radix: 2, count: 7, keyLength: 16, numerals("0110011")),
        shape(
            "most bits", radix: 2, count: 192, keyLength: 24,
            numerals(
                "001001000010101000010110001010001001111101110111000110011000000100101011000001100010001011101111"
                    + "101110011111001100100100000110010100101101100001001110101100110111111011001001111100100111101110"
            )),
        shape("two digits", radix: 10, count: 2, keyLength: 32, numerals("10")),
        shape("odd length", radix: 10, count: 3, keyLength: 16, numerals("240")),
        shape(
            "most digits", radix: 10, count: 56, tweakLength: 5, keyLength: 32,
            numerals("45447606232617854281915312887313808177991707958597781235")),
        shape(
            "a tweak that fills the block", radix: 36, count: 19, tweakLength: 8, keyLength: 16,
            numerals("ndu2riq07tilypkl8rj")),
        shape(
            "a tweak that needs another block", radix: 36, count: 19, tweakLength: 9, keyLength: 16,
            numerals("ke303eyvm3p9eijxx3w")),
        shape(
            "a tweak that fills two blocks", radix: 36, count: 19, tweakLength: 24, keyLength: 16,
            numerals("2z3fw32zfutz0bh4kus")),
        shape(
            "a tweak of many blocks", radix: 36, count: 18, tweakLength: 100, keyLength: 32,
            numerals("nwih3m2slwk2roljcw")),
        shape(
            "the longest tweak", radix: 26, count: 10, tweakLength: 65_535, keyLength: 32, numerals("6aoh1l9ckk")),
        shape("a short code", radix: 32, count: 10, keyLength: 32, numerals("6n82m81btb")),
        shape("a long code", radix: 32, count: 16, keyLength: 32, numerals("dquop8bh2t5icbcr")),
        shape(
            "bytes", radix: 256, count: 23, tweakLength: 7, keyLength: 32,
            [185, 144, 167, 97, 166, 21, 0, 62, 66, 15, 134, 74, 96, 9, 73, 199, 63, 233, 172, 230, 84, 27, 143]),
        Sample(
            label: "largest radix, fewest numerals", keyLength: 16, radix: 65_536, plain: [65_535, 9376],
            enciphered: [39_821, 20_409]),
        Sample(
            label: "largest radix, most numerals", keyLength: 32, radix: 65_536,
            plain: (0..<12).map { UInt16((9377 * $0 + 65_535) % 65_536) }, tweak: [0],
            enciphered: [
                29_389, 20_770, 50_976, 48_000, 65_274, 58_098, 39_827, 10_210, 36_568, 13_648, 37_702, 33_261,
            ]),
    ]

    @Test("R12.2 NIST's samples, there and back", arguments: samples) func agreesWithTheStandard(_ row: Sample) throws {
        try check(row)
    }

    @Test("R12.2 shapes of all sizes, there and back", arguments: shapes) func agreesElsewhere(_ row: Sample) throws {
        try check(row)
    }

    private func check(_ row: Sample) throws {
        let cipher = try FF1(key: Array(Self.key.prefix(row.keyLength)), radix: row.radix)
        try expect(cipher.encrypt(row.plain, tweak: row.tweak), equals: row.enciphered)
        try expect(cipher.decrypt(row.enciphered, tweak: row.tweak), equals: row.plain)
    }

    @Test("R12.2 strings of one length change places: none is lost, none comes twice")
    func everyStringHasOneOriginal() throws {
        let cipher = try FF1(key: Self.key, radix: 10)
        var seen = Set<[UInt16]>()
        for number: UInt16 in 0..<1000 {
            let plain = [number / 100, number / 10 % 10, number % 10]
            let enciphered = try cipher.encrypt(plain)
            try expect(cipher.decrypt(enciphered), equals: plain)
            seen.insert(enciphered)
        }
        expect(seen.count, equals: 1000)
    }

    @Test("all samples and shapes are there") func samplesAreComplete() {
        #expect(Self.samples.count == 9 && Self.shapes.count == 15)
    }

    @Suite("R12.2 What can be enciphered") struct Limits {
        struct Key: LabelledRow {
            let label: String
            let keyLength: Int
            let radix: Int
            let problem: FF1Error?
        }

        static let keys = [
            Key(label: "smallest radix", keyLength: 16, radix: 2, problem: nil),
            Key(label: "largest radix", keyLength: 32, radix: 65_536, problem: nil),
            Key(label: "radix 1", keyLength: 16, radix: 1, problem: .radix(1)),
            Key(label: "radix 0", keyLength: 16, radix: 0, problem: .radix(0)),
            Key(label: "negative radix", keyLength: 16, radix: .min, problem: .radix(.min)),
            Key(label: "radix too large", keyLength: 16, radix: 65_537, problem: .radix(65_537)),
            Key(label: "key too short", keyLength: 15, radix: 10, problem: .keyLength(15)),
            Key(label: "key between two lengths", keyLength: 20, radix: 10, problem: .keyLength(20)),
            Key(label: "key too long", keyLength: 33, radix: 10, problem: .keyLength(33)),
            Key(label: "no key", keyLength: 0, radix: 10, problem: .keyLength(0)),
        ]

        @Test("R12.2 keys and radixes outside the limits are errors", arguments: keys)
        func keysAreChecked(_ row: Key) {
            let key = [UInt8](repeating: 0, count: row.keyLength)
            expect(problem { () throws(FF1Error) in _ = try FF1(key: key, radix: row.radix) }, equals: row.problem)
        }

        struct Length: LabelledRow {
            let label: String
            let radix: Int
            let count: Int
            let problem: FF1Error?
        }

        static let lengths = [
            Length(label: "nothing", radix: 65_536, count: 0, problem: .tooShort(0)),
            Length(label: "one numeral", radix: 65_536, count: 1, problem: .tooShort(1)),
            Length(label: "64 values", radix: 2, count: 6, problem: .tooShort(6)),
            Length(label: "128 values", radix: 2, count: 7, problem: nil),
            Length(label: "81 values", radix: 9, count: 2, problem: .tooShort(2)),
            Length(label: "100 values", radix: 10, count: 2, problem: nil),
            Length(label: "halves of 2^96 values", radix: 2, count: 192, problem: nil),
            Length(label: "a half of 2^97 values, odd", radix: 2, count: 193, problem: .tooLong(193)),
            Length(label: "halves of 2^97 values", radix: 2, count: 194, problem: .tooLong(194)),
            Length(label: "halves of 10^28 values", radix: 10, count: 56, problem: nil),
            Length(label: "a half of 10^29 values", radix: 10, count: 57, problem: .tooLong(57)),
            Length(label: "halves of 65536^6 values", radix: 65_536, count: 12, problem: nil),
            Length(label: "a half of 65536^7 values", radix: 65_536, count: 13, problem: .tooLong(13)),
            Length(label: "far too long", radix: 65_536, count: 100_000, problem: .tooLong(100_000)),
        ]

        @Test("R12.2 lengths outside the limits are errors, both ways", arguments: lengths)
        func lengthsAreChecked(_ row: Length) throws {
            let cipher = try FF1(key: FF1Tests.key, radix: row.radix)
            let numerals = [UInt16](repeating: 1, count: row.count)
            expect(problem { () throws(FF1Error) in _ = try cipher.encrypt(numerals) }, equals: row.problem)
            expect(problem { () throws(FF1Error) in _ = try cipher.decrypt(numerals) }, equals: row.problem)
        }

        struct Content: LabelledRow {
            let label: String
            let numerals: [UInt16]
            let tweakLength: Int
            let problem: FF1Error?
        }

        static let contents = [
            Content(label: "largest numeral", numerals: [9, 9, 9], tweakLength: 0, problem: nil),
            Content(label: "in the left half", numerals: [10, 0, 0], tweakLength: 0, problem: .numeral(10, index: 0)),
            Content(
                label: "in the right half", numerals: [0, 0, 65_535], tweakLength: 0,
                problem: .numeral(65_535, index: 2)),
            Content(label: "the first of two", numerals: [0, 11, 12], tweakLength: 0, problem: .numeral(11, index: 1)),
            Content(label: "longest tweak", numerals: [0, 0, 0], tweakLength: 65_535, problem: nil),
            Content(label: "tweak too long", numerals: [0, 0, 0], tweakLength: 65_536, problem: .tweakLength(65_536)),
        ]

        @Test("R12.2 numerals and tweaks outside the limits are errors, both ways", arguments: contents)
        func contentsAreChecked(_ row: Content) throws {
            let cipher = try FF1(key: FF1Tests.key, radix: 10)
            let (numerals, tweak) = (row.numerals, [UInt8](repeating: 0, count: row.tweakLength))
            expect(
                problem { () throws(FF1Error) in _ = try cipher.encrypt(numerals, tweak: tweak) }, equals: row.problem)
            expect(
                problem { () throws(FF1Error) in _ = try cipher.decrypt(numerals, tweak: tweak) }, equals: row.problem)
        }

        static let words: [Case<String, FF1Error>] = [
            Case("a key of 15 bytes; AES keys have 16, 24 or 32", gives: .keyLength(15)),
            Case("radix 1; FF1 takes 2 through 65536", gives: .radix(1)),
            Case("a tweak of 65536 bytes; there can be at most 65535", gives: .tweakLength(65_536)),
            Case("too few numerals, 1; there must be two, and 100 values of all together", gives: .tooShort(1)),
            Case("too many numerals, 57; a half can have at most 2^96 values", gives: .tooLong(57)),
            Case("numeral 10 at index 2 is not below the radix", gives: .numeral(10, index: 2)),
        ]

        @Test("R12.2 errors say what is wrong and what would be right", arguments: words)
        func errorsAreWorded(_ row: Case<String, FF1Error>) {
            expect(row.expected.description, equals: row.input)
        }

        private func problem(_ body: () throws(FF1Error) -> Void) -> FF1Error? {
            do throws(FF1Error) {
                try body()
                return nil
            } catch {
                return error
            }
        }
    }
}
