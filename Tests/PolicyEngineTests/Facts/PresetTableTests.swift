import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R4.2 The table of presets") struct PresetTableTests {
    @Test("R4.2 the table in code says what the rules say") func codeAgreesWithTheRules() {
        #expect(PresetFacts.all.count == 27 * 9)
        #expect(Set(PresetFacts.all) == Set(Self.cellsInCode))
    }

    @Test("R4.2 the presets are those of the manual, in its order") func presetsAreThoseOfTheManual() {
        #expect(RejectionPreset.allCases.map(\.rawValue) == PresetFacts.names)
        #expect(RejectionTable.columns.map(\.rawValue) == PresetFact.columns.map(\.preset))
    }

    @Test("R4.2 a preset's sets are its column", arguments: PresetFacts.names)
    func presetHoldsItsColumn(_ name: String) throws {
        let policy = RejectionPolicy(preset: try #require(RejectionPreset(rawValue: name)))
        let catalogue = FlagCatalogue()
        #expect(Set(catalogue.names(of: policy.rejecting)) == PresetFacts.rejecting(name))
        #expect(Set(catalogue.names(of: policy.rejectingUnlessXposed)) == PresetFacts.rejectingUnlessXposed(name))
        #expect(policy.name == name)
        #expect(!policy.isCustom)
    }

    @Test("R4.2 every flag of the table is in the catalogue") func flagsExist() {
        #expect(Set(RejectionTable.rows.map(\.flag)).isSubset(of: FlagFacts.names))
        #expect(Set(RejectionTable.rows.map(\.flag)).count == RejectionTable.rows.count)
        #expect(PresetFacts.names.count == 10)
    }

    private static var cellsInCode: [PresetFact] {
        RejectionTable.rows.flatMap { row in
            zip(RejectionTable.columns, row.marks).map { preset, mark in
                PresetFact(preset: preset.rawValue, flag: row.flag, mark: mark == "." ? "" : String(mark))
            }
        }
    }
}
