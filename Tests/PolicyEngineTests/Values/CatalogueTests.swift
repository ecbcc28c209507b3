import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R2.2 Flags of two accounts in one stream") struct CatalogueTests {
    private static func catalogue(_ flags: (String, Bool)...) throws -> FlagCatalogue {
        var catalogue = FlagCatalogue()
        for (name, isRisk) in flags { try catalogue.declare(FlagDeclaration(name: name, isRisk: isRisk)) }
        return catalogue
    }

    private static let builtIn = FlagCatalogue().flags.count

    @Test("R2.2 flags stand where the other account has them, with the risk of their own") func aligned() throws {
        var own = try Self.catalogue(("mine", true), ("both", true))
        let other = try Self.catalogue(("theirs", true), ("both", false))
        let aligned = try own.aligned(with: other)
        #expect(aligned.flags.dropFirst(Self.builtIn).map(\.name) == ["theirs", "both", "mine"])
        #expect(aligned.flags.dropFirst(Self.builtIn).map(\.isRisk) == [false, true, true])
        #expect(aligned.namedCount == Self.builtIn + 3)
        // Flags that only captures brought are no account's.
        _ = try own.intern(observed: "seen")
        #expect(try own.aligned(with: other) == aligned)
        #expect(try FlagCatalogue().aligned(with: FlagCatalogue()) == FlagCatalogue())
    }

    @Test("R2.2 there are 128 flags at most, declared or seen") func limit() throws {
        var catalogue = FlagCatalogue()
        for number in Self.builtIn..<128 { _ = try catalogue.intern(observed: "flag-\(number)") }
        #expect(catalogue.flags.count == 128)
        #expect(try catalogue.intern(observed: "flag-127").index == 127)
        #expect(throws: FlagError.limitReached("one-more")) { try catalogue.intern(observed: "one-more") }
        #expect(catalogue.namedFlag("flag-127") == nil && catalogue.flag(named: "flag-127") != nil)
        #expect(catalogue.declaredNames.count == Self.builtIn)
    }

    @Test("R2.2 what a capture or an account brings is not of the manual") func unknownFlags() throws {
        var catalogue = try Self.catalogue(("mine", true))
        let flag = try catalogue.intern(observed: "seen")
        let seen = catalogue[flag]
        #expect(seen.kind == .unknown && !seen.isNamedInManual && !seen.isRisk && !seen.isDerived)
        #expect(seen.platforms == [] && seen.meaning == "Not in the catalogue")
        let mine = catalogue[try #require(catalogue.flag(named: "mine"))]
        #expect(mine.kind == .declared && !mine.isNamedInManual && mine.isRisk && !mine.isDerived)
    }

    @Test("R2.2 together they can be too many") func alignedLimit() throws {
        var (own, other) = (FlagCatalogue(), FlagCatalogue())
        let half = (128 - Self.builtIn) / 2 + 1
        for number in 0..<half {
            try own.declare(FlagDeclaration(name: "own-\(number)"))
            try other.declare(FlagDeclaration(name: "other-\(number)"))
        }
        #expect(throws: FlagError.self) { try own.aligned(with: other) }
    }

    @Test("R2.3 annotations are sorted by their bytes") func annotationNames() throws {
        let catalogue = FlagCatalogue()
        let flags = FlagSet(try ["xposed", "rooted", "cydia"].map { try #require(catalogue.flag(named: $0)) })
        #expect(catalogue.annotationNames(of: flags) == ["cydia", "rooted", "xposed"])
    }

    @Test("R2.2 names of flags are 1 to 64 lower-case letters, digits and `-`") func names() {
        var catalogue = FlagCatalogue()
        for name in ["", "A", "a_b", "a b", "é", String(repeating: "a", count: 65)] {
            #expect(throws: FlagError.invalidName(name)) { try catalogue.declare(FlagDeclaration(name: name)) }
        }
        for name in ["a", "0", "-", "az-09", String(repeating: "a", count: 64)] {
            #expect(throws: Never.self) { try catalogue.declare(FlagDeclaration(name: name)) }
        }
        for name in ["default", "info", "risk", "all"] {
            #expect(throws: FlagError.reserved(name)) { try catalogue.declare(FlagDeclaration(name: name)) }
        }
        #expect(throws: FlagError.duplicate("rooted")) { try catalogue.declare(FlagDeclaration(name: "rooted")) }
    }

    @Test(
        "indices of flags in both words of a set",
        arguments: [
            [UInt8](), [0], [63], [64], [127], [0, 1, 62, 63, 64, 65, 126, 127], Array(0...127),
        ])
    func indices(positions: [UInt8]) {
        var found: [Int] = []
        FlagSet(positions.map(Flag.init(index:))).forEachIndex { found.append($0) }
        #expect(found == positions.map(Int.init))
    }

    @Test("R2.1 flags that rules name have their names") func constants() {
        let names = FlagCatalogue().names(of: [.emulator, .iosSimulator, .initialConfigurationOutdated])
        #expect(names == ["emulator", "ios-simulator", "init-config-outdated"])
    }
}
