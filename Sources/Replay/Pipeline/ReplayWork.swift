package import PolicyEngine

/// What a replay is done for: who looks at the records' attributes, and who judges them.
package protocol ReplayWork: Sendable {
    associatedtype Appraiser: RecordAppraiser
    associatedtype Judge: RecordJudge where Judge.Findings == Appraiser.Findings

    /// The flags that are known before the first record, at the places that records are to give them.
    var catalogue: FlagCatalogue { get }
    /// Accounts that number flags in their own way, and may have no place for one that a record brings.
    var numberingAccounts: [Account] { get }

    /// Who looks at the attributes.
    ///
    /// - Parameter attributes: Takes the keys that are needed.
    func makeAppraiser(_ attributes: inout AttributeTable) -> Appraiser

    /// Who judges.
    ///
    /// - Parameter symbols: The numbering of devices and flags; takes the devices that accounts name.
    func makeJudge(_ symbols: inout SymbolTable) -> Judge
}

extension ReplayWork {
    package var numberingAccounts: [Account] { [] }
}
