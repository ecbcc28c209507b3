import Testing

@testable import PolicyEngine
@testable import TestSupport

extension ResponseCodeTests {
    /// The statements on codes of the manual's section "Attestation Response Code".
    @Suite("R12 Section Attestation Response Code") struct Manual {
        @Test(
            "R12.2 section Attestation Response Code: a code names the flags and whether a valid token is issued",
            arguments: FlagFacts.names)
        func tellsFlagsAndVerdict(name: String) throws {
            let codec = try ResponseCodeTests.codec()
            let flags = try ResponseCodeTests.flags([name])
            for passed in [true, false] {
                let code = codec.code(passed: passed, flags: flags)
                #expect(codec.meaning(of: code) == ResponseMeaning(passed: passed, flags: flags))
            }
        }

        @Test("R12.2 section Attestation Response Code: why an attestation failed can be read from its code")
        func tellsWhyItFailed() throws {
            var service = Service(try .sample())
            let codec = ResponseCodec(account: try .sample())
            var failed = 0
            for fact in FlagFacts.all {
                let decision = try service.decide(Observation(flags: [fact.name]))
                let meaning = codec.meaning(of: codec.code(passed: decision.passed, flags: decision.flags))
                #expect(meaning == ResponseMeaning(passed: decision.passed, flags: decision.flags))
                #expect(meaning?.flags.isSuperset(of: decision.rejectingFlags) == true)
                failed += decision.passed ? 0 : 1
            }
            #expect(failed > 0)
        }

        @Test("R12.2 section Attestation Response Code: the list of flags that can be encoded begins as the manual's")
        func listBeginsAsTheManuals() throws {
            let account = try ResponseCodeTests.account()
            let names = account.catalogue.names(of: ResponseCodec(account: account).encodableFlags)
            #expect(names.prefix(2) == ["app-not-registered", "bad-hmac"])
            #expect(names == FlagFacts.names)
        }

        @Test("R12.4, R16 section Attestation Response Code: new accounts have codes") func isOnByDefault() {
            #expect(Account().isResponseCodeOn)
        }

        @Test("R12.1 section Attestation Response Code: ten characters of base32, to be read out")
        func canBeReadOut() throws {
            let codec = try ResponseCodeTests.codec()
            let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
            var seen = Set<Character>()
            for bits: UInt128 in 0..<500 {
                let code = codec.code(passed: false, flags: FlagSet(bits: bits))
                #expect(code.utf8.count == 10)
                seen.formUnion(code)
            }
            #expect(seen == alphabet)
        }

        @Test("R12.1 section Attestation Response Code: codes show nothing of their meaning without the secret")
        func showsNothing() throws {
            let codec = try ResponseCodeTests.codec()
            var equal = 0
            for bits: UInt128 in 0..<1000 {
                let (flags, more) = (FlagSet(bits: bits), FlagSet(bits: bits ^ 1))
                let code = codec.code(passed: true, flags: flags)
                for near in [codec.code(passed: false, flags: flags), codec.code(passed: true, flags: more)] {
                    equal += zip(code.utf8, near.utf8).count { $0 == $1 }
                }
            }
            // Of 20 000 characters, one in 32 is equal by chance: 625, with a standard deviation of 25.
            #expect(500...750 ~= equal)
        }

        @Test("R12.1 section Attestation Response Code: each account has an encoding of its own")
        func accountsHaveTheirOwn() throws {
            let codecs = try (0..<20).map { try ResponseCodeTests.codec("account-\($0)") }
            let codes = codecs.map { $0.code(passed: false, flags: [.xposed]) }
            #expect(Set(codes).count == codes.count)
            for (index, codec) in codecs.enumerated() {
                for (issuer, code) in codes.enumerated() {
                    #expect((codec.meaning(of: code) != nil) == (index == issuer))
                }
            }
        }

        @Test("R12.1 section Attestation Response Code: the manual's sample was issued by another account")
        func sampleIsOfAnotherAccount() throws {
            #expect(try ResponseCodeTests.codec().meaning(of: "XJEUXVAKZY") == nil)
        }

        struct Mistake: LabelledRow {
            let label: String
            let typed: @Sendable ([UInt8], Int) -> [UInt8]
        }

        static let mistakes = [
            Mistake(label: "a character left out") { code, index in
                Array(code[..<index] + code[(index + 1)...])
            },
            Mistake(label: "a character twice") { code, index in
                Array(code[...index] + code[index...])
            },
            Mistake(label: "two neighbours swapped") { code, index in
                var code = code
                code.swapAt(index, (index + 1) % code.count)
                return code
            },
            Mistake(label: "the next letter") { code, index in
                var code = code
                code[index] = code[index] == UInt8(ascii: "Z") ? UInt8(ascii: "A") : code[index] + 1
                return code
            },
        ]

        @Test("R12.1 section Attestation Response Code: most transcription errors are detected", arguments: mistakes)
        func detectsMistakes(_ row: Mistake) throws {
            let codec = try ResponseCodeTests.codec()
            var (tried, missed) = (0, 0)
            for bits: UInt128 in 0..<500 {
                let code = Array(codec.code(passed: true, flags: FlagSet(bits: bits)).utf8)
                for index in code.indices {
                    let typed = row.typed(code, index)
                    guard typed != code else { continue }
                    tried += 1
                    missed += codec.meaning(of: String(decoding: typed, as: UTF8.self)) == nil ? 0 : 1
                }
            }
            #expect(tried > 4500)
            #expect(missed * 1000 <= tried)
        }
    }
}
