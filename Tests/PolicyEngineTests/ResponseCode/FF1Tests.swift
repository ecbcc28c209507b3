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
        #expect(try cipher.encrypt(row.plain, tweak: row.tweak) == row.enciphered)
        #expect(try cipher.decrypt(row.enciphered, tweak: row.tweak) == row.plain)
    }

    @Test("R12.2 strings of one length change places: none is lost, none comes twice")
    func everyStringHasOneOriginal() throws {
        let cipher = try FF1(key: Self.key, radix: 10)
        var seen = Set<[UInt16]>()
        for number: UInt16 in 0..<1000 {
            let plain = [number / 100, number / 10 % 10, number % 10]
            let enciphered = try cipher.encrypt(plain)
            #expect(try cipher.decrypt(enciphered) == plain)
            seen.insert(enciphered)
        }
        #expect(seen.count == 1000)
    }

    @Test("all samples and shapes are there") func samplesAreComplete() {
        #expect(Self.samples.count == 9 && Self.shapes.count == 15)
    }
}
