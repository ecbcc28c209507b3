import Testing

@testable import PolicyEngine

extension ResponseCodeTests {
    /// Many attestations, drawn with a seed.
    @Suite("R12 Codes by chance") struct Chance {
        static let count = 100_000
        /// One in a thousand.
        static let mostMissed = count / 1000

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
            let (told, secondSet) = (FlagSet(first: 63), FlagSet(first: 63).subtracting(FlagSet(first: 39)))
            var longCount = 0
            for number in 0..<Self.count {
                let meaning = Self.draw(&chance, flagCount: number.isMultiple(of: 2) ? 39 : 128)
                let code = codec.code(passed: meaning.passed, flags: meaning.flags)
                let expected = ResponseMeaning(passed: meaning.passed, flags: meaning.flags.intersection(told))
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
                let place = chance.below(code.count)
                while typed[place] == code[place] { typed[place] = chance.pick(alphabet) }
                if codec.meaning(of: String(decoding: typed, as: UTF8.self)) != nil { missed += 1 }
            }
            #expect(missed <= Self.mostMissed)
        }

        @Test("R12.1 the code of another account is caught at least 999 times in 1000", arguments: [0, 2, 91])
        func otherAccountsAreCaught(declaredCount: Int) throws {
            let codec = try ResponseCodeTests.codec(declaring: declaredCount)
            let other = try ResponseCodeTests.codec(declaring: declaredCount, secret: Array("secret".utf8))
            var (chance, missed) = (SplitMix64(seed: 3), 0)
            let count = Self.count / 4
            for _ in 0..<count {
                let meaning = Self.draw(&chance, flagCount: 37 + declaredCount)
                let code = other.code(passed: meaning.passed, flags: meaning.flags)
                if codec.meaning(of: code) != nil { missed += 1 }
            }
            #expect(missed <= count / 1000)
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
