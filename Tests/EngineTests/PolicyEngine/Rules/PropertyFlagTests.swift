import Testing

@testable import PolicyEngine
@testable import TestSupport

// R2.1 is shown by the table of flags; the order of decoded codes (R2.3) where codes are made.
@Suite("R2 Property flags") struct PropertyFlagTests {
    static let declared = [
        FlagDeclaration(name: "zebra", isRisk: true), FlagDeclaration(name: "aardvark", meaning: "Something new"),
    ]

    static let namings: [Case<String, Bool>] = [
        Case("built in", "rooted", gives: true),
        Case("declared", "zebra", gives: true),
        Case("declared without risk", "aardvark", gives: true),
        Case("brought by a capture", "seen-once", gives: false),
        Case("never heard of", "nowhere", gives: false),
        Case("upper case", "Rooted", gives: false),
    ]

    @Test("R2.2 a policy or an annotation names what is built in or declared", arguments: namings)
    func policiesNameKnownFlags(_ row: Case<String, Bool>) throws {
        var catalogue = try Account.sample(declaring: Self.declared).catalogue
        _ = try catalogue.intern(observed: "seen-once")
        expect((catalogue.namedFlag(row.input) != nil), equals: row.expected)
        let policy = try? SecurityPolicy("default,default,\(row.input)", catalogue: catalogue, rules: nil)
        expect((policy != nil), equals: row.expected)
    }

    @Test("R2.2 flags that only a capture brings are kept and matchable") func unknownFlagsAreKept() throws {
        let filter = try Filter.regex("seen", "flags-all", "brand-new")
        var service = Service(try .sample("default,default,all", filters: [filter]))
        let outcome = try service.attest(["brand-new", "rooted"])
        expect(outcome.flags, equals: ["rooted", "new-did", "risky-device", "brand-new"])
        expect(outcome.filters, equals: ["seen"])
        expect(outcome.annotations, equals: ["brand-new", "new-did", "risky-device", "rooted"])
        expect(service.symbols.catalogue.flags.last?.kind, equals: .unknown)
    }

    @Test("R2.2 the manual's misspelling is read as the flag it means") func misspellingIsUnderstood() throws {
        var service = Service(try .sample())
        try expect(service.attest(["devicecheck-complated"]).flags, equals: ["new-did", "devicecheck-completed"])
        expect(service.symbols.catalogue.flags.count, equals: FlagFacts.all.count)
    }

    // Known flags are shown in Tests/Rules/R02.
    @Test("R2.3, R2.4 unknown flags come by first sight, behind those declared, and make nothing risky")
    func unknownFlagsAreOrdered() throws {
        var service = Service(try .sample(declaring: Self.declared))
        for name in ["first", "second"] { try expect(service.attest([name]).flags.last, equals: name) }
        try expect(service.attest(["second", "first"]).flags, equals: ["first", "second"])
        let outcome = try service.attest(["unseen", "aardvark", "automated"])
        expect(outcome.flags, equals: ["automated", "aardvark", "unseen"])
    }

    @Test("R2.4 risky-device follows from every risk flag and from no other", arguments: FlagFacts.all)
    func riskIsDerived(_ fact: FlagFact) throws {
        var service = Service(try .sample())
        let outcome = try service.attest([fact.name])
        expect(outcome.flags.contains("risky-device"), equals: fact.isRisk)
    }
}

@Suite("R2.2 Flags of two accounts in one stream") struct CatalogueTests {
    private static func catalogue(_ flags: (String, Bool)...) throws -> FlagCatalogue {
        var catalogue = FlagCatalogue()
        for (name, isRisk) in flags { try catalogue.declare(FlagDeclaration(name: name, isRisk: isRisk)) }
        return catalogue
    }

    private static let builtIn = FlagCatalogue().flags.count

    @Test("R2.2 flags are where the other account has them, with the risk of their own") func aligned() throws {
        var own = try Self.catalogue(("mine", true), ("both", true))
        let other = try Self.catalogue(("theirs", true), ("both", false))
        let aligned = try own.aligned(with: other)
        expect(aligned.flags.dropFirst(Self.builtIn).map(\.name), equals: ["theirs", "both", "mine"])
        expect(aligned.flags.dropFirst(Self.builtIn).map(\.isRisk), equals: [false, true, true])
        expect(aligned.namedCount, equals: Self.builtIn + 3)
        // Flags that only captures brought are no account's.
        _ = try own.intern(observed: "seen")
        try expect(own.aligned(with: other), equals: aligned)
        try expect(FlagCatalogue().aligned(with: FlagCatalogue()), equals: FlagCatalogue())
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
        expect(catalogue.annotationNames(of: flags), equals: ["cydia", "rooted", "xposed"])
    }

    @Test(
        "indices of flags in both words of a set",
        arguments: [
            [UInt8](), [0], [63], [64], [127], [0, 1, 62, 63, 64, 65, 126, 127], Array(0...127),
        ])
    func indices(positions: [UInt8]) {
        var found: [Int] = []
        FlagSet(positions.map(Flag.init(index:))).forEachIndex { found.append($0) }
        expect(found, equals: positions.map(Int.init))
    }

    @Test("R2.1 flags that rules name have their names") func constants() {
        let names = FlagCatalogue().names(of: [.emulator, .iosSimulator, .initialConfigurationOutdated])
        expect(names, equals: ["emulator", "ios-simulator", "init-config-outdated"])
    }
}

@Suite("Sets of flags and of filters") struct FlagSetTests {
    struct Row: LabelledRow {
        let label: String
        let left: Set<UInt8>
        let right: Set<UInt8>
    }

    static let rows = [
        Row(label: "both empty", left: [], right: []),
        Row(label: "one empty", left: [0, 63, 64, 127], right: []),
        Row(label: "the same", left: [0, 127], right: [0, 127]),
        Row(label: "apart", left: [0, 63], right: [64, 127]),
        Row(label: "overlapping", left: [1, 2, 3, 100], right: [3, 100, 101]),
        Row(label: "one inside the other", left: [5, 70, 90], right: [70]),
        Row(label: "full", left: Set(0...127), right: [31, 32, 33]),
    ]

    @Test("a set of flags does what a set does", arguments: rows) func behavesAsASet(_ row: Row) {
        let (left, right) = (Self.flags(row.left), Self.flags(row.right))
        expect(Self.positions(left.union(right)), equals: row.left.union(row.right).sorted())
        expect(Self.positions(left.intersection(right)), equals: row.left.intersection(row.right).sorted())
        expect(Self.positions(left.subtracting(right)), equals: row.left.subtracting(row.right).sorted())
        expect(left.isSuperset(of: right), equals: row.left.isSuperset(of: row.right))
        expect(left.isEmpty, equals: row.left.isEmpty)
        expect(left.count, equals: row.left.count)
        expect((left == right), equals: (row.left == row.right))
        #expect((0...127).allSatisfy { left.contains(Flag(index: $0)) == row.left.contains($0) })
    }

    @Test("flags are put in and taken out one by one") func insertAndRemove() {
        var set = FlagSet.empty
        for position in [UInt8(127), 0, 64, 63, 64] { set.insert(Flag(index: position)) }
        expect(Self.positions(set), equals: [0, 63, 64, 127])
        set.remove(Flag(index: 63))
        set.remove(Flag(index: 5))
        expect(Self.positions(set), equals: [0, 64, 127])
        #expect(FlagSet(bits: 1 << 127 | 1).bits == (FlagSet([Flag(index: 127), Flag(index: 0)])).bits)
        #expect(Flag(index: 3) < Flag(index: 4))
    }

    @Test("a set of filters does what a set does") func filterSets() {
        var (left, right) = (FilterSet.empty, FilterSet.empty)
        for position in [24, 0, 7, 7] { left.insert(position) }
        for position in [7, 8] { right.insert(position) }
        expect(Array(left), equals: [0, 7, 24])
        expect(Array(left.union(right)), equals: [0, 7, 8, 24])
        expect(Array(left.intersection(right)), equals: [7])
        expect(Array(left.subtracting(right)), equals: [0, 24])
        #expect(!left.isSuperset(of: right))
        #expect(left.isSuperset(of: .empty))
        #expect(left.contains(24) && !left.contains(23))
        #expect(FilterSet.empty.isEmpty && !left.isEmpty)
    }

    private static func flags(_ positions: Set<UInt8>) -> FlagSet { FlagSet(positions.map(Flag.init(index:))) }

    private static func positions(_ set: FlagSet) -> [UInt8] { set.map(\.index) }
}
