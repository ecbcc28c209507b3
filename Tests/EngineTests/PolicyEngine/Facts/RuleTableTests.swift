import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R2.1 The table of flags") struct FlagTableTests {
    @Test("R2.1 the table in code says what the rules say") func codeAgreesWithTheRules() {
        expect(FlagFacts.all.map(\.index), equals: Array(FlagFacts.all.indices))
        expect(BuiltInFlags.all.map(Self.fact), equals: FlagFacts.all)
    }

    @Test("R2.1 the flags that the rules speak of have their numbers", arguments: namedFlags)
    func namedFlagStandsAtItsPlace(_ row: Case<String, Flag>) {
        expect(FlagCatalogue().flag(named: row.input), equals: row.expected)
        expect(FlagCatalogue()[row.expected].name, equals: row.input)
    }

    @Test("R2.1 every flag has a meaning for people and a name of its own") func flagsAreDescribed() {
        #expect(BuiltInFlags.all.allSatisfy { !$0.meaning.isEmpty })
        expect(Set(BuiltInFlags.all.map(\.name)).count, equals: BuiltInFlags.all.count)
        #expect(!Self.namedFlags.isEmpty)
    }

    static let namedFlags: [Case<String, Flag>] = [
        Case("app-not-registered", gives: .appNotRegistered),
        Case("xposed", gives: .xposed),
        Case("pinning-tampered", gives: .pinningTampered),
        Case("did-ban", gives: .deviceBan),
        Case("did-unban", gives: .deviceUnban),
        Case("new-did", gives: .newDevice),
        Case("risky-device", gives: .riskyDevice),
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

@Suite("R4.2 The table of presets") struct PresetTableTests {
    @Test("R4.2 the table in code says what the rules say") func codeAgreesWithTheRules() {
        expect(PresetFacts.all.count, equals: 27 * 9)
        expect(Set(PresetFacts.all), equals: Set(Self.cellsInCode))
    }

    @Test("R4.2 the presets are those of the manual, in its order") func presetsAreThoseOfTheManual() {
        expect(RejectionPreset.allCases.map(\.rawValue), equals: PresetFacts.names)
        expect(RejectionTable.columns.map(\.rawValue), equals: PresetFact.columns.map(\.preset))
    }

    @Test("R4.2 a preset's sets are its column", arguments: PresetFacts.names)
    func presetHoldsItsColumn(_ name: String) throws {
        let policy = RejectionPolicy(preset: try #require(RejectionPreset(rawValue: name)))
        let catalogue = FlagCatalogue()
        expect(Set(catalogue.names(of: policy.rejecting)), equals: PresetFacts.rejecting(name))
        expect(Set(catalogue.names(of: policy.rejectingUnlessXposed)), equals: PresetFacts.rejectingUnlessXposed(name))
        expect(policy.name, equals: name)
        #expect(!policy.isCustom)
    }

    @Test("R4.2 a flag has no mark, or one for each preset") func marksAreWhole() {
        let counts = Set(BuiltInFlags.all.map(\.rejections.count))
        expect(counts, equals: [0, RejectionTable.columns.count])
        expect(PresetFacts.names.count, equals: 10)
    }

    private static var cellsInCode: [PresetFact] {
        BuiltInFlags.all.flatMap { flag in
            zip(RejectionTable.columns, flag.rejections).map { preset, mark in
                PresetFact(preset: preset.rawValue, flag: flag.name, mark: mark == "." ? "" : String(mark))
            }
        }
    }
}
