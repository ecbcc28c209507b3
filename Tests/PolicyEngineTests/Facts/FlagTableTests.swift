import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R2.1 The table of flags") struct FlagTableTests {
    @Test("R2.1 the table in code says what the rules say") func codeAgreesWithTheRules() {
        #expect(FlagFacts.all.count == 37)
        #expect(FlagFacts.all.map(\.index) == Array(0..<37))
        #expect(BuiltInFlags.all.map(Self.fact) == FlagFacts.all)
    }

    @Test("R2.1 the flags that the rules speak of have their numbers", arguments: namedFlags)
    func namedFlagStandsAtItsPlace(_ row: NamedFlag) {
        #expect(FlagCatalogue().flag(named: row.name) == row.flag)
        #expect(FlagCatalogue()[row.flag].name == row.name)
    }

    @Test("R2.1 every flag has a meaning for people and a name of its own") func flagsAreDescribed() {
        #expect(BuiltInFlags.all.allSatisfy { !$0.meaning.isEmpty })
        #expect(Set(BuiltInFlags.all.map(\.name)).count == BuiltInFlags.all.count)
        #expect(!Self.namedFlags.isEmpty)
    }

    struct NamedFlag: LabelledRow {
        let name: String
        let flag: Flag
    }

    static let namedFlags = [
        NamedFlag(name: "app-not-registered", flag: .appNotRegistered),
        NamedFlag(name: "xposed", flag: .xposed),
        NamedFlag(name: "pinning-tampered", flag: .pinningTampered),
        NamedFlag(name: "did-ban", flag: .deviceBan),
        NamedFlag(name: "did-unban", flag: .deviceUnban),
        NamedFlag(name: "new-did", flag: .newDevice),
        NamedFlag(name: "risky-device", flag: .riskyDevice),
    ]

    private static func fact(of flag: PropertyFlag) -> FlagFact {
        let letters: [OperatingSystem: String] = [.android: "A", .ios: "I"]
        return FlagFact(
            index: FlagCatalogue().flag(named: flag.name).map { Int($0.index) } ?? -1,
            name: flag.name,
            platforms: flag.platforms.compactMap { letters[$0] }.joined(),
            kind: flag.kind.rawValue,
            isRisk: flag.isRisk,
            isEvidenceAgainstSDK: flag.isEvidenceAgainstSDK,
            isNamedInManual: flag.isNamedInManual,
            isDerived: flag.isDerived
        )
    }
}
