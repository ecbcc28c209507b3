import Testing

@testable import PolicyEngine
@testable import TestSupport

extension ResponseCodeTests {
    /// Many attestations, drawn with a seed.
    @Suite("R12 Codes by chance") struct Chance {
        static let count = Exhaustive.count(20_000, whole: 100_000)

        /// Draws a verdict and some flags.
        ///
        /// - Parameter flagCount: Flags are drawn from the first ones of the catalogue, each with a quarter's chance.
        private static func draw(_ chance: inout SplitMix64, flagCount: Int) -> ResponseMeaning {
            let (first, second) = (chance.next(), chance.next())
            let (third, fourth) = (chance.next(), chance.next())
            let bits = UInt128(first & second) << 64 | UInt128(third & fourth)
            return ResponseMeaning(
                passed: first >> 63 == 1, flags: FlagSet(bits: bits).intersection(FlagSet(first: flagCount)))
        }

        @Test("R12.1, R12.2 every meaning comes back, 16 characters long with a flag of the second set")
        func meaningsComeBack() throws {
            let codec = try ResponseCodeTests.codec(declaring: 91)
            var chance = SplitMix64(seed: 1)
            let (encodable, secondSet) = (FlagSet(first: 63), FlagSet(first: 63).subtracting(FlagSet(first: 39)))
            var longCount = 0
            for number in 0..<Self.count {
                let meaning = Self.draw(&chance, flagCount: number.isMultiple(of: 2) ? 39 : 128)
                let code = codec.code(passed: meaning.passed, flags: meaning.flags)
                let expected = ResponseMeaning(passed: meaning.passed, flags: meaning.flags.intersection(encodable))
                let isLong = !meaning.flags.intersection(secondSet).isEmpty
                longCount += isLong ? 1 : 0
                guard codec.meaning(of: code) == expected, code.utf8.count == (isLong ? 16 : 10) else {
                    Issue.record("\(meaning) became \(code)")
                    return
                }
            }
            #expect(Self.count / 3...Self.count / 2 ~= longCount)
        }

        @Test("R12.1 a changed character is caught at least 999 times in 1000") func typosAreCaught() throws {
            let codec = try ResponseCodeTests.codec()
            let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
            var (chance, missed) = (SplitMix64(seed: 2), 0)
            var code: [UInt8] = []
            for number in 0..<Self.count {
                if number.isMultiple(of: 10) {
                    let meaning = Self.draw(&chance, flagCount: 37)
                    code = Array(codec.code(passed: meaning.passed, flags: meaning.flags).utf8)
                }
                var typed = code
                let index = chance.below(code.count)
                while typed[index] == code[index] { typed[index] = chance.pick(alphabet) }
                if codec.meaning(of: String(decoding: typed, as: UTF8.self)) != nil { missed += 1 }
            }
            #expect(missed <= Self.count / 1000)
        }

        struct Reader: LabelledRow {
            let label: String
            let declaredCount: Int
            /// The number of codes that are tried, and the most of them that may be taken for own ones.
            let count, mostMissed: Int
        }

        static let readers = [
            // Ten check bits and two flags that do not exist: 1 in 4096.
            Reader(label: "built-in flags", declaredCount: 0, count: count, mostMissed: count / 1000),
            // Ten check bits alone: 1 in 1024, 20 expected; the standard deviation is 4.4.
            Reader(label: "the first set full", declaredCount: 2, count: 20_000, mostMissed: 42),
            // Nearly all codes are long, with sixteen check bits.
            Reader(label: "both sets full", declaredCount: 91, count: 20_000, mostMissed: 20),
        ]

        @Test("R12.1 the code of another account is caught", arguments: readers)
        func otherAccountsAreCaught(_ row: Reader) throws {
            let codec = try ResponseCodeTests.codec(declaring: row.declaredCount)
            let other = try ResponseCodeTests.codec("other-account", declaring: row.declaredCount)
            var (chance, missed) = (SplitMix64(seed: 3), 0)
            for _ in 0..<row.count {
                let meaning = Self.draw(&chance, flagCount: 37 + row.declaredCount)
                let code = other.code(passed: meaning.passed, flags: meaning.flags)
                if codec.meaning(of: code) != nil { missed += 1 }
            }
            #expect(missed <= row.mostMissed)
        }

        @Test("R12.3 any text has an answer, and next to none is a code") func anyTextIsRead() throws {
            let codec = try ResponseCodeTests.codec(declaring: 91)
            let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567abcdefghijklmnopqrstuvwxyz")
            let strange = characters + Array("0189= -\n\u{0}\u{E9}\u{1F697}")
            var (chance, valid) = (SplitMix64(seed: 4), 0)
            for number in 0..<20_000 {
                let alphabet = number.isMultiple(of: 2) ? characters : strange
                let length = chance.happens(50) ? chance.pick([10, 16]) : chance.below(24)
                let text = String((0..<length).map { _ in chance.pick(alphabet) })
                if codec.meaning(of: text) != nil { valid += 1 }
            }
            // About 5400 have a code's form, half of them with ten check bits: 3 or so are codes by chance.
            #expect(valid < 12)
        }

        @Test("R12.2 a thousand codes are those of a second implementation") func manyCodesAreKnown() throws {
            let codec = try ResponseCodeTests.codec(declaring: 91)
            var (chance, codes) = (SplitMix64(seed: 12), "")
            for number in 0..<1000 {
                let (first, second) = (chance.next(), chance.next())
                let set = FlagSet(bits: UInt128(first & second)).intersection(
                    FlagSet(first: number.isMultiple(of: 2) ? 39 : 63))
                codes += codec.code(passed: first >> 63 == 1, flags: set)
            }
            #expect(
                SHA256.digest(codes).hexadecimal
                    == "c45b0f5f3dac6f3d6e83beeb38be51dbae05707a874c4cc12742a497c899f2ab")
        }
    }
}
