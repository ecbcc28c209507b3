import Testing

@testable import PolicyEngine
@testable import TestSupport

extension FilterTests {
    @Suite("R7.4 Conjunctions") struct Conjunctions {
        static let rows: [Case<[String: String], [String]>] = [
            Case(
                "all inputs match", ["device": "Android 7.1", "ip": "1.2.3.4"],
                gives: ["both-matched", "android7", "myip"]),
            Case("the first alone", ["device": "Android 7.1", "ip": "5.6.7.8"], gives: ["android7"]),
            Case("the second alone", ["device": "iOS", "ip": "1.2.3.4"], gives: ["myip"]),
            Case("the second without the other's key", ["ip": "1.2.3.4"], gives: ["myip"]),
            Case("none", [:], gives: []),
        ]

        /// The conjunction is listed before its inputs, which makes no difference.
        private static func account(_ options: Filter.Options = []) throws -> Account {
            try .sample(filters: [
                .conjunction("both-matched", ["android7", "myip"], options), .regex("android7", "device", "Android 7"),
                .exact("myip", "ip", "1.2.3.4"),
            ])
        }

        @Test("R7.4 a conjunction matches when all its inputs match", arguments: rows)
        func allInputsMatch(_ row: Case<[String: String], [String]>) throws {
            var service = Service(try Self.account())
            #expect(try service.attest(with: row.input).filters == row.expected)
            #expect(try service.attest(with: row.input).filters == row.expected)
        }

        static let both = ["device": "Android 7.1", "ip": "1.2.3.4"]

        @Test("R7.4 inputs match on this attestation, not one after another") func inputsMatchTogether() throws {
            var service = Service(try Self.account())
            #expect(try service.attest(with: ["device": "Android 7.1"]).filters == ["android7"])
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).filters == ["myip"])
        }

        @Test("R7.4 an input removed later: it never matches until the input is back") func inputComesBack() throws {
            let account = try Self.account(.reject)
            var service = Service(account)
            #expect(try service.attest(with: Self.both).rejections == ["filter:both-matched"])
            let without = try account.changed { try $0.removeFilter(named: "myip") }
            service.change(to: without)
            #expect(try service.attest(with: Self.both).filters == ["android7"])
            #expect(without.missingInputs(of: without.filters[0]) == ["myip"])
            let back = try without.changed { try $0.set(.exact("myip", "ip", "1.2.3.4")) }
            service.change(to: back)
            #expect(try service.attest(with: Self.both).rejections == ["filter:both-matched"])
            #expect(back.missingInputs(of: back.filters[0]) == [])
        }

        @Test("R7.4 an input that is replaced counts as the new one") func inputIsReplaced() throws {
            let account = try Self.account().changed { try $0.set(.exact("myip", "ip", "9.9.9.9")) }
            var service = Service(account)
            #expect(try service.attest(with: Self.both).filters == ["android7"])
            let other = ["device": "Android 7.1", "ip": "9.9.9.9"]
            #expect(try service.attest(with: other).filters == ["both-matched", "android7", "myip"])
        }

        @Test("R7.4 an input missing in an account file: it never matches") func inputNeverWas() throws {
            let account = try Account.sample(filters: [
                .exact("myip", "ip", "1.2.3.4"), .conjunction("both", ["myip", "nowhere"], .reject),
            ])
            var service = Service(account)
            #expect(try service.attest(with: Self.both).filters == ["myip"])
            #expect(account.missingInputs(of: account.filters[1]) == ["nowhere"])
        }

        @Test("R7.4 a missing input is an error when it is added by command") func missingInputIsAnError() throws {
            var account = try Account.sample(filters: [.exact("myip", "ip", "1.2.3.4")])
            let problem = FilterError.missingInput("nowhere", of: "both", known: ["myip"])
            #expect(throws: problem) { try account.set(.conjunction("both", ["myip", "nowhere"])) }
            #expect(account.filters.map(\.name) == ["myip"])
            #expect(problem.description.contains("`nowhere`"))
        }

        @Test("R7.4 a conjunction as an input is an error") func nestedIsAnError() throws {
            var account = try Self.account()
            let problem = FilterError.nestedConjunction("both-matched", of: "outer")
            #expect(throws: problem) { try account.set(.conjunction("outer", ["myip", "both-matched"])) }
            #expect(throws: FilterError.nestedConjunction("itself", of: "itself")) {
                try account.set(.conjunction("itself", ["itself"]))
            }
            #expect(account.filters.count == 3)
        }

        @Test("R7.4 an input cannot become a conjunction") func inputStaysOrdinary() throws {
            var account = try Self.account()
            let problem = FilterError.conjunctionUsedAsInput("myip", of: "both-matched")
            #expect(throws: problem) { try account.set(.conjunction("myip", ["android7"])) }
            #expect(account.filters[2].inputs == nil)
        }

        @Test("R7.4 an account file's nesting is found too") func nestingInAFile() throws {
            let account = try Account.sample(filters: [
                .exact("myip", "ip", "1.2.3.4"), .conjunction("inner", ["myip"]), .conjunction("outer", ["inner"]),
            ])
            #expect(throws: FilterError.nestedConjunction("inner", of: "outer")) {
                try account.checkNesting(of: account.filters[2])
            }
            #expect(throws: Never.self) { try account.checkNesting(of: account.filters[0]) }
            #expect(account.filters.map { account.nestedInput(of: $0) } == [nil, nil, "inner"])
        }

        @Test(
            "R7.4 a conjunction names an input once", arguments: [["a", "a"], ["a", "b", "a"], ["b", "a", "c", "a"]])
        func repeatedInput(inputs: [String]) {
            let problem = FilterError.repeatedInput("a", of: "twice")
            #expect(throws: problem) { try Filter.conjunction("twice", inputs) }
            #expect(problem.description == "input `a` of conjunction `twice` is named twice")
        }

        @Test("R7.4 a conjunction needs an input") func noInput() {
            #expect(throws: FilterError.noInputs("none")) { try Filter.conjunction("none", []) }
        }

        @Test("R7.4 one input is enough") func oneInput() throws {
            var account = try Account.sample(filters: [.exact("myip", "ip", "1.2.3.4")])
            try account.set(.conjunction("same", ["myip"]))
            var service = Service(account)
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).filters == ["myip", "same"])
            #expect(try service.attest(with: ["ip": "5.6.7.8"]).filters == [])
        }

        @Test("R7.4 inputs keep their own actions") func inputsKeepTheirActions() throws {
            let account = try Account.sample(filters: [
                .regex("android7", "device", "Android 7", .risky), .exact("myip", "ip", "1.2.3.4", .ban),
                .conjunction("both", ["android7", "myip"], .reject),
            ])
            var service = Service(account)
            let outcome = try service.attest(with: Self.both)
            #expect(outcome.rejections == ["did-ban", "filter:both"])
            #expect(outcome.flags == ["did-ban", "new-did", "risky-device"])
            let risky = try service.attest(with: ["device": "Android 7.1"], by: Sample.otherDevice)
            #expect(risky.rejections == [])
            #expect(risky.lifetime == 120)
        }

        @Test("R7.4 the actions of a conjunction are its own") func conjunctionActs() throws {
            var service = Service(try Self.account([.ban, .risky]))
            let outcome = try service.attest(with: Self.both)
            #expect(outcome.rejections == ["did-ban"])
            #expect(outcome.lifetime == 120)
            #expect(try service.attest(with: [:]).rejections == ["did-ban"])
        }

        @Test("R7.5 a conjunction for new devices only") func newDevicesOnly() throws {
            var service = Service(try Self.account(.newDevicesOnly))
            #expect(try service.attest(with: Self.both).filters == ["both-matched", "android7", "myip"])
            #expect(try service.attest(with: Self.both).filters == ["android7", "myip"])
        }

        @Test("R7.5 an input for new devices only") func inputForNewDevicesOnly() throws {
            let account = try Account.sample(filters: [
                .exact("myip", "ip", "1.2.3.4", .newDevicesOnly), .conjunction("same", ["myip"]),
            ])
            var service = Service(account)
            #expect(try service.attest(with: Self.both).filters == ["myip", "same"])
            #expect(try service.attest(with: Self.both).filters == [])
        }

        @Test("R7.2 a conjunction does not match where an input hits a limit") func inputHitsALimit() throws {
            let account = try Account.sample(filters: [
                .regex("costly", "ip", "(a+)+$"), .regex("cheap", "ip", "a"),
                .conjunction("both", ["costly", "cheap"]),
            ])
            var service = Service(account)
            let value = String(repeating: "a", count: 40) + "!"
            #expect(try service.attest(with: ["ip": value]).filters == ["cheap"])
        }
    }
}

@Suite("R7 matches of an account whose filters are edited") struct FilterRenumberingTests {
    private static func filters() throws -> [Filter] {
        [try .exact("a", "ip", "1"), try .regex("b", "ip", "^2"), try .exact("c", "device", "x", .risky)]
    }

    private static func matches(_ matched: [Int], hits: [Int], isRemoved: Bool = false) -> AttributeMatches {
        var match = FilterMatch.none
        for index in matched { match.matched.insert(index) }
        for index in hits { match.limitHits.insert(index) }
        return AttributeMatches(match: match, isRemoved: isRemoved)
    }

    @Test("R7.1 places of filters that move or go") func renumbers() throws {
        let filters = try Self.filters()
        // c, then a; b is gone.
        let renumbering = try #require(FilterRenumbering(from: filters, to: [filters[2], filters[0]]))
        #expect(!renumbering.isIdentity)
        let found = renumbering.renumbered(Self.matches([0, 1], hits: [2], isRemoved: true))
        #expect(found == Self.matches([1], hits: [0], isRemoved: true))
        #expect(renumbering.renumbered(Self.matches([2], hits: [1])) == Self.matches([0], hits: []))
    }

    @Test("R7.5 other options leave the places as they are") func identity() throws {
        let filters = try Self.filters()
        var edited = filters
        edited[0] = try .exact("a", "ip", "1", .reject)
        let renumbering = try #require(FilterRenumbering(from: filters, to: edited))
        #expect(renumbering.isIdentity)
        #expect(renumbering.renumbered(Self.matches([0, 2], hits: [1])) == Self.matches([0, 2], hits: [1]))
    }

    @Test("R7.2 another test cannot be inferred from the matches, under the old name or a new one") func otherTests()
        throws
    {
        let filters = try Self.filters()
        #expect(FilterRenumbering(from: filters, to: [try .exact("a", "ip", "9")]) == nil)
        #expect(FilterRenumbering(from: filters, to: [try .exact("d", "ip", "1")]) == nil)
        #expect(FilterRenumbering(from: filters, to: [try .regex("b", "ip", "^3")]) == nil)
        #expect(FilterRenumbering(from: filters, to: []) != nil)
    }

    @Test("R7.2 tests are equal by their bytes, and so are their hashes") func tests() throws {
        let regex = try Filter.regex("f", "ip", "^2").test
        #expect(regex == (try Filter.regex("g", "ip", "^2").test))
        #expect(regex != (try Filter.regex("f", "ip", "^3").test))
        #expect(regex != (try Filter.regex("f", "device", "^2").test))
        #expect(regex != (try Filter.exact("f", "ip", "^2").test))
        #expect((try Filter.exact("f", "ip", "caf\u{E9}").test) != (try Filter.exact("f", "ip", "cafe\u{301}").test))
        let filters: [Filter] = [
            try .regex("f", "ip", "^2"), try .regex("f", "device", "^2"), try .regex("f", "ip", "^3"),
            try .exact("f", "ip", "^2"), try .exact("f", "device", "^2"), try .conjunction("f", ["ip"]),
            try .conjunction("f", ["device"]),
        ]
        let tests = filters.map(\.test)
        #expect(Set(tests).count == 7)
        #expect(Set(tests + tests).count == 7)
        #expect(Set(tests.map(\.hashValue)).count == 7)
    }

    @Test("matches of two parts are found together") func unions() {
        let both = Self.matches([0], hits: [1]).union(Self.matches([2], hits: [3], isRemoved: true))
        #expect(both == Self.matches([0, 2], hits: [1, 3], isRemoved: true))
        #expect(Self.matches([], hits: []).union(.none) == .none)
        #expect(Self.matches([0], hits: [1]).removed(true) == Self.matches([0], hits: [1], isRemoved: true))
        #expect(both.removed(false) == Self.matches([0, 2], hits: [1, 3]))
        #expect(both.hasLimitHits && !Self.matches([5], hits: []).hasLimitHits)
    }

    // Bit n of a set of filters is filter n: matched filters are 32 bits up, and given up ones one bit up.
    @Test("the bits for hashing tell matches apart") func bits() {
        #expect(AttributeMatches.none.mixedBits == 0)
        #expect(Self.matches([0], hits: []).mixedBits == 1 << 32)
        #expect(Self.matches([3], hits: []).mixedBits == 1 << 35)
        #expect(Self.matches([], hits: [0]).mixedBits == 2)
        #expect(Self.matches([], hits: [], isRemoved: true).mixedBits == 1)
        #expect(Self.matches([0, 1], hits: [1], isRemoved: true).mixedBits == 3 << 32 | 4 | 1)
    }
}
