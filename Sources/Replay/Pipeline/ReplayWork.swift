package import PolicyEngine

/// What a replay is done for: who looks at the records' attributes, and who judges them.
package protocol ReplayWork: Sendable {
    associatedtype Matcher: RecordMatcher
    associatedtype Evaluator: RecordEvaluator where Evaluator.Matches == Matcher.Matches

    /// The flags that are known before the first record, at the places that records are to give them.
    var catalogue: FlagCatalogue { get }
    /// Accounts that number flags in their own way, and may have no place for one that a record brings.
    var numberingAccounts: [Account] { get }

    /// Who looks at the attributes.
    ///
    /// - Parameter attributes: Takes the keys that are needed.
    func makeMatcher(_ attributes: inout AttributeTable) -> Matcher

    /// Who judges.
    ///
    /// - Parameter symbols: The numbering of devices and flags; takes the devices that accounts name.
    func makeEvaluator(_ symbols: inout SymbolTable) -> Evaluator
}

extension ReplayWork {
    package var numberingAccounts: [Account] { [] }
}
