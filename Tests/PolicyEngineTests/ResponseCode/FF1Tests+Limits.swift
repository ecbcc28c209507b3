import Testing

@testable import PolicyEngine
@testable import TestSupport

extension FF1Tests {
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
            #expect(problem { () throws(FF1Error) in _ = try FF1(key: key, radix: row.radix) } == row.problem)
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
            #expect(problem { () throws(FF1Error) in _ = try cipher.encrypt(numerals) } == row.problem)
            #expect(problem { () throws(FF1Error) in _ = try cipher.decrypt(numerals) } == row.problem)
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
            #expect(problem { () throws(FF1Error) in _ = try cipher.encrypt(numerals, tweak: tweak) } == row.problem)
            #expect(problem { () throws(FF1Error) in _ = try cipher.decrypt(numerals, tweak: tweak) } == row.problem)
        }

        struct Words: LabelledRow {
            let label: String
            let problem: FF1Error
        }

        static let words = [
            Words(label: "a key of 15 bytes; AES keys have 16, 24 or 32", problem: .keyLength(15)),
            Words(label: "radix 1; FF1 takes 2 through 65536", problem: .radix(1)),
            Words(label: "a tweak of 65536 bytes; there can be at most 65535", problem: .tweakLength(65_536)),
            Words(
                label: "too few numerals, 1; there must be two, and 100 values of all together",
                problem: .tooShort(1)),
            Words(label: "too many numerals, 57; a half can have at most 2^96 values", problem: .tooLong(57)),
            Words(label: "numeral 10 at index 2 is not below the radix", problem: .numeral(10, index: 2)),
        ]

        @Test("R12.2 errors say what is wrong and what would be right", arguments: words)
        func errorsAreWorded(_ row: Words) {
            #expect(row.problem.description == row.label)
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
