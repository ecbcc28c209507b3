import Testing

@testable import PolicyEngine
@testable import TestSupport

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
        expect(found, equals: Self.matches([1], hits: [0], isRemoved: true))
        expect(renumbering.renumbered(Self.matches([2], hits: [1])), equals: Self.matches([0], hits: []))
    }

    @Test("R7.5 other options leave the places as they are") func identity() throws {
        let filters = try Self.filters()
        var edited = filters
        edited[0] = try .exact("a", "ip", "1", .reject)
        let renumbering = try #require(FilterRenumbering(from: filters, to: edited))
        #expect(renumbering.isIdentity)
        expect(renumbering.renumbered(Self.matches([0, 2], hits: [1])), equals: Self.matches([0, 2], hits: [1]))
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
        expect(Set(tests).count, equals: 7)
        expect(Set(tests + tests).count, equals: 7)
        expect(Set(tests.map(\.hashValue)).count, equals: 7)
    }

    @Test("matches of two parts are found together") func unions() {
        let both = Self.matches([0], hits: [1]).union(Self.matches([2], hits: [3], isRemoved: true))
        expect(both, equals: Self.matches([0, 2], hits: [1, 3], isRemoved: true))
        expect(Self.matches([], hits: []).union(.none), equals: .none)
        expect(Self.matches([0], hits: [1]).removed(true), equals: Self.matches([0], hits: [1], isRemoved: true))
        expect(both.removed(false), equals: Self.matches([0, 2], hits: [1, 3]))
        #expect(both.hasLimitHits && !Self.matches([5], hits: []).hasLimitHits)
    }

    // Bit n of a set of filters is filter n: matched filters are 32 bits up, and given up ones one bit up.
    @Test("the bits for hashing tell matches apart") func bits() {
        expect(AttributeMatches.none.mixedBits, equals: 0)
        expect(Self.matches([0], hits: []).mixedBits, equals: 1 << 32)
        expect(Self.matches([3], hits: []).mixedBits, equals: 1 << 35)
        expect(Self.matches([], hits: [0]).mixedBits, equals: 2)
        expect(Self.matches([], hits: [], isRemoved: true).mixedBits, equals: 1)
        expect(Self.matches([0, 1], hits: [1], isRemoved: true).mixedBits, equals: 3 << 32 | 4 | 1)
    }
}
