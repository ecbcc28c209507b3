import Testing

@testable import PolicyEngine
@testable import TestSupport

extension ResponseCodeTests {
    @Suite("R12.3 Reading a code") struct Reading {
        // RFC 4648, 6: A is 0, Z is 25, 2 is 26 and 7 is 31.
        @Test("R12.3 each of the 32 characters") func alphabet() {
            let text = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
            expect(Base32.numerals(of: text), equals: Array(0..<32))
            expect(Base32.numerals(of: text.lowercased()), equals: Array(0..<32))
            expect(Base32.text(of: Array(0..<32)), equals: text)
            #expect("@[`{18019".allSatisfy { Base32.numerals(of: "A\($0)A") == nil })
        }

        struct Guess: LabelledRow {
            let label: String
            let right, wrong: Character
        }

        static let guesses = [
            Guess(label: "O and 0", right: "O", wrong: "0"), Guess(label: "I and 1", right: "I", wrong: "1"),
            Guess(label: "L and 1", right: "L", wrong: "1"), Guess(label: "B and 8", right: "B", wrong: "8"),
            Guess(label: "G and 9", right: "G", wrong: "9"),
        ]

        @Test("R12.3 characters that look alike are not guessed", arguments: guesses)
        func nothingIsGuessed(_ row: Guess) throws {
            let codec = try ResponseCodeTests.codec()
            let codes = (0..<200).map { codec.code(passed: true, flags: FlagSet(bits: UInt128($0))) }
            let affected = codes.filter { $0.contains(row.right) }
            #expect(affected.count > 20)
            for code in affected {
                #expect(codec.meaning(of: code) != nil)
                #expect(codec.meaning(of: String(code.map { $0 == row.right ? row.wrong : $0 })) == nil)
            }
        }

        /// The code whose plain text is one bit, the most significant one being 0.
        private static func code(ofBit bit: Int, length: Int) throws -> String {
            let key = Cryptography.hmacSHA256(of: Array("arc v1".utf8), key: SHA256.digest("arc-secret|test-account"))
            let plain = (0..<length).map { $0 == bit / 5 ? UInt16(16) >> UInt16(bit % 5) : 0 }
            return Base32.text(of: try FF1(key: key, radix: 32).encrypt(plain))
        }

        @Test("R12.2 each bit of the short form", arguments: [0, 1, 2, FlagFacts.room])
        func shortBits(declaredCount: Int) throws {
            let codec = try ResponseCodeTests.codec(declaring: declaredCount)
            let flagBits = 1...min(39, FlagFacts.all.count + declaredCount)
            for bit in 0..<50 {
                let meaning = codec.meaning(of: try Self.code(ofBit: bit, length: 10))
                let flags: FlagSet = flagBits ~= bit ? [Flag(index: UInt8(bit - 1))] : .empty
                let exists = bit == 0 || flagBits ~= bit
                #expect(meaning == (exists ? ResponseMeaning(passed: bit == 0, flags: flags) : nil), "bit \(bit)")
            }
        }

        @Test(
            "R12.1, R12.2 each bit of the long form, which needs a flag after 39",
            arguments: [0, 3, 10, FlagFacts.room])
        func longBits(declaredCount: Int) throws {
            let codec = try ResponseCodeTests.codec(declaring: declaredCount)
            let flagCount = min(63, FlagFacts.all.count + declaredCount)
            for bit in 0..<80 {
                let meaning = codec.meaning(of: try Self.code(ofBit: bit, length: 16))
                // Bit 40 is the 40th flag, the first one of the second set.
                let exists = 40...63 ~= bit && bit <= flagCount
                let expected = exists ? ResponseMeaning(passed: false, flags: [Flag(index: UInt8(bit - 1))]) : nil
                expect(meaning, equals: expected, "bit \(bit)")
            }
        }

        @Test("R12.2 a flag that does not exist makes a code invalid") func missingFlagsAreInvalid() throws {
            let room = FlagFacts.room
            let large = try ResponseCodeTests.codec(declaring: room)
            let small = try ResponseCodeTests.codec(declaring: 5)
            let known = large.code(passed: true, flags: try ResponseCodeTests.flags(["extra-5"], declaring: room))
            let unknown = large.code(passed: true, flags: try ResponseCodeTests.flags(["extra-6"], declaring: room))
            expect(small.meaning(of: known), equals: large.meaning(of: known))
            #expect(large.meaning(of: unknown) != nil)
            #expect(small.meaning(of: unknown) == nil)
        }

        @Test("R2.3, R12.3 flags are named in catalogue order") func flagsAreInOrder() throws {
            let account = try ResponseCodeTests.account(declaring: 2)
            let codec = ResponseCodec(account: account)
            let names = ["extra-2", "xposed", "extra-1", "app-not-registered", "risky-device"]
            let code = codec.code(passed: false, flags: try ResponseCodeTests.flags(names, declaring: 2))
            let meaning = try #require(codec.meaning(of: code))
            expect(
                account.catalogue.names(of: meaning.flags),
                equals: ["app-not-registered", "xposed", "risky-device", "extra-1", "extra-2"])
        }
    }
}

extension ResponseCodeTests {
    /// Many attestations, drawn with a seed.
    @Suite("R12 Codes by chance") struct Chance {
        static let count = Exhaustive.count(5_000, whole: 100_000)

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
            let codec = try ResponseCodeTests.codec(declaring: FlagFacts.room)
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
                    let meaning = Self.draw(&chance, flagCount: FlagFacts.all.count)
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
            /// The most codes that may be taken for own ones.
            let mostMissed: Int
        }

        static let readers = [
            // Ten check bits and two flags that do not exist: 1 in 4096.
            Reader(label: "built-in flags", declaredCount: 0, mostMissed: count / 1000),
            // Ten check bits alone: 1 in 1024; the standard deviation is the root of those, of which there are five.
            Reader(
                label: "the first set full", declaredCount: 2,
                mostMissed: count / 1024 + Int(5 * (Double(count) / 1024).squareRoot())),
            // Nearly all codes are long, with sixteen check bits.
            Reader(label: "both sets full", declaredCount: FlagFacts.room, mostMissed: count / 1000),
        ]

        @Test("R12.1 the code of another account is caught", arguments: readers)
        func otherAccountsAreCaught(_ row: Reader) throws {
            let codec = try ResponseCodeTests.codec(declaring: row.declaredCount)
            let other = try ResponseCodeTests.codec("other-account", declaring: row.declaredCount)
            var (chance, missed) = (SplitMix64(seed: 3), 0)
            for _ in 0..<Self.count {
                let meaning = Self.draw(&chance, flagCount: FlagFacts.all.count + row.declaredCount)
                let code = other.code(passed: meaning.passed, flags: meaning.flags)
                if codec.meaning(of: code) != nil { missed += 1 }
            }
            #expect(missed <= row.mostMissed)
        }

        @Test("R12.3 any text has an answer, and next to none is a code") func anyTextIsRead() throws {
            let codec = try ResponseCodeTests.codec(declaring: FlagFacts.room)
            let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567abcdefghijklmnopqrstuvwxyz")
            let strange = characters + Array("0189= -\n\u{0}\u{E9}\u{1F697}")
            var (chance, valid) = (SplitMix64(seed: 4), 0)
            for number in 0..<Self.count {
                let alphabet = number.isMultiple(of: 2) ? characters : strange
                let length = chance.happens(50) ? chance.pick([10, 16]) : chance.below(24)
                let text = String((0..<length).map { _ in chance.pick(alphabet) })
                if codec.meaning(of: text) != nil { valid += 1 }
            }
            // A quarter or so has a code's form, half of them with ten check bits: 3 of 20,000 or so are codes by chance.
            #expect(valid < 4 + Self.count / 2000)
        }

        @Test("R12.2 a thousand codes are those of a second implementation") func manyCodesAreKnown() throws {
            let codec = try ResponseCodeTests.codec(declaring: FlagFacts.room)
            var (chance, codes) = (SplitMix64(seed: 12), "")
            for number in 0..<1000 {
                let (first, second) = (chance.next(), chance.next())
                let set = FlagSet(bits: UInt128(first & second)).intersection(
                    FlagSet(first: number.isMultiple(of: 2) ? 39 : 63))
                codes += codec.code(passed: first >> 63 == 1, flags: set)
            }
            expect(
                SHA256.digest(codes).hexadecimal,
                equals: "c45b0f5f3dac6f3d6e83beeb38be51dbae05707a874c4cc12742a497c899f2ab")
        }
    }
}
