import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R12 Attestation Response Code") struct ResponseCodeTests {
    /// Flags, so that the account has all 128: `extra-1` is the 38th, `extra-3` the 40th, `extra-27` the 64th.
    static let extras = (1...FlagFacts.room).map { FlagDeclaration(name: "extra-\($0)") }

    /// The account of the samples.
    ///
    /// - Parameters:
    ///   - name: Its name, from which its secret derives.
    ///   - declaredCount: How many of ``extras`` it declares.
    ///   - secret: A secret of its own.
    static func account(
        _ name: String = Sample.accountName, declaring declaredCount: Int = 0, secret: [UInt8]? = nil
    ) throws -> Account {
        var account = try Account(name: name, declaring: Array(extras.prefix(declaredCount)))
        account.responseCodeSecret = secret
        return account
    }

    /// The codec of that account.
    static func codec(
        _ name: String = Sample.accountName, declaring declaredCount: Int = 0, secret: [UInt8]? = nil
    ) throws -> ResponseCodec {
        ResponseCodec(account: try account(name, declaring: declaredCount, secret: secret))
    }

    /// Flags by their names, or all of an account's.
    static func flags(_ names: [String], declaring declaredCount: Int = 0) throws -> FlagSet {
        let account = try account(declaring: declaredCount)
        return FlagSet(try names.map { try account.flag($0) })
    }

    private static let readings: [String: TextCase.Reading] = [
        "R12.2 a code, there and back": { line in
            let parts = line.split(separator: ", ")
            let settings = parts.dropFirst().map { $0.split(separator: " ").map(String.init) }
            let declared = settings.first { $0.last == "declared" }.flatMap { Int($0[0]) } ?? 0
            let secret = settings.first { $0[0] == "secret" }.flatMap { Int($0[1]) }
            let codec = try codec(
                settings.first { $0[0] == "account" }?.last ?? Sample.accountName, declaring: declared,
                secret: secret.map { Array(0..<UInt8($0)) })
            let words = parts[0].split(separator: " ").map(String.init)
            let names = words.dropFirst().flatMap { word -> [String] in
                switch word {
                case "built-in": BuiltInFlags.all.map(\.name)
                case "declared": extras.prefix(declared).map(\.name)
                default: [word]
                }
            }
            let meaning = ResponseMeaning(passed: words[0] == "passed", flags: try flags(names, declaring: declared))
            let code = codec.code(passed: meaning.passed, flags: meaning.flags)
            expect(codec.meaning(of: code), equals: meaning)
            return code
        },
        "R12.3 a text that is typed": { line in
            guard let meaning = try codec().meaning(of: try TextCase.text(of: line)) else { return "none" }
            let names = try account().catalogue.names(of: meaning.flags)
            return ([meaning.passed ? "passed" : "failed"] + names).joined(separator: " ")
        },
    ]

    // The first three are those of the rules and of the form of decisions; the others come from a second implementation that
    // follows the standard's words.
    @Test(arguments: CaseFile.all(in: "Tables/codes", ending: "codes.txt")) func codesAreKnown(_ file: CaseFile) throws
    {
        expect(FlagFacts.room, equals: 91)
        try file.expectActual { try TextCase.lines($0, by: Self.readings) }
    }

    @Test("R12.2 a derived secret is no other than the hash of the name") func derivedSecretIsTheHash() throws {
        let secret = SHA256.digest("arc-secret|\(Sample.accountName)")
        let (derived, own) = (try Self.codec(), try Self.codec(secret: secret))
        expect(derived.code(passed: true, flags: .empty), equals: own.code(passed: true, flags: .empty))
        #expect(try Self.account().responseCodeSecret == nil)
    }

    static let reaches: [Case<Int, Int>] = [
        Case("built-in flags", 0, gives: 37),
        Case("the first set full", 2, gives: 39),
        Case("one of the second set", 3, gives: 40),
        Case("both sets full", 26, gives: 63),
        Case("one too many", 27, gives: 63),
        Case("all 128", 91, gives: 63),
    ]

    @Test("R12.2 built-in and declared flags are encoded, up to the 63rd", arguments: reaches)
    func declaredFlagsAreEncoded(_ row: Case<Int, Int>) throws {
        let codec = try Self.codec(declaring: row.input)
        expect(codec.encodableFlags, equals: FlagSet(bits: 1 << UInt128(row.expected) - 1))
        for number in 0..<Flag.limit {
            let flag = Flag(index: UInt8(number))
            let code = codec.code(passed: true, flags: [flag])
            expect(codec.meaning(of: code)?.flags, equals: (number < row.expected ? [flag] : .empty))
            expect(code.count, equals: (number >= 39 && number < row.expected ? 16 : 10))
        }
    }

    @Test("R12.2 flags that nobody declared are left out") func undeclaredFlagsAreLeftOut() throws {
        var symbols = SymbolTable(catalogue: try Self.account().catalogue)
        let unknown = try symbols.catalogue.intern(observed: "extra-1")
        let codec = try Self.codec()
        expect(codec.code(passed: true, flags: [unknown]), equals: "UDBQD4PPXM")
        let declared = try Self.codec(declaring: 1)
        #expect(declared.code(passed: true, flags: [unknown]) != "UDBQD4PPXM")
    }

    @Test("R12.2 flags that a capture brought to the account's own catalogue are left out, too")
    func seenFlagsAreLeftOut() throws {
        var catalogue = try Self.account(declaring: 1).catalogue
        let unknown = try catalogue.intern(observed: "seen")
        let codec = ResponseCodec(account: Account(name: Sample.accountName, catalogue: catalogue))
        expect(codec.encodableFlags.count, equals: 38)
        expect(codec.code(passed: true, flags: [unknown]), equals: "UDBQD4PPXM")
    }

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
                expect(codec.meaning(of: code), equals: ResponseMeaning(passed: passed, flags: flags))
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
                expect(meaning, equals: ResponseMeaning(passed: decision.passed, flags: decision.flags))
                expect(meaning?.flags.isSuperset(of: decision.rejectingFlags), equals: true)
                failed += decision.passed ? 0 : 1
            }
            #expect(failed > 0)
        }

        @Test("R12.2 section Attestation Response Code: the list of flags that can be encoded begins as the manual's")
        func listBeginsAsTheManuals() throws {
            let account = try ResponseCodeTests.account()
            let names = account.catalogue.names(of: ResponseCodec(account: account).encodableFlags)
            expect(names.prefix(2), equals: ["app-not-registered", "bad-hmac"])
            expect(names, equals: FlagFacts.names)
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
                expect(code.utf8.count, equals: 10)
                seen.formUnion(code)
            }
            expect(seen, equals: alphabet)
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
            expect(Set(codes).count, equals: codes.count)
            for (index, codec) in codecs.enumerated() {
                for (issuer, code) in codes.enumerated() {
                    expect((codec.meaning(of: code) != nil), equals: (index == issuer))
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
