internal import PolicyEngine

/// A work that does something besides another one. It wraps the other, so that a replay without it has none of its cost.
protocol WrappingWork: ReplayWork {
    associatedtype Base: ReplayWork
    /// The other work.
    var base: Base { get }
}

extension WrappingWork {
    var catalogue: FlagCatalogue { base.catalogue }
    var numberingAccounts: [Account] { base.numberingAccounts }
    var filteringAccounts: [Account] { base.filteringAccounts }
    var registry: AppRegistry? { base.registry }
}

/// Findings besides those of another matcher.
protocol WrappingMatches: RecordMatches {
    associatedtype Base: RecordMatches
    /// The findings of the other matcher.
    var base: Base { get set }
}

extension WrappingMatches {
    var app: AppNumbers {
        get { base.app }
        set { base.app = newValue }
    }

    subscript(account: Int) -> AttributeMatches {
        get { base[account] }
        set { base[account] = newValue }
    }
}

/// An evaluator that notes something besides another one.
protocol WrappingEvaluator: RecordEvaluator where Matches: WrappingMatches, Matches.Base == Base.Matches {
    associatedtype Base: RecordEvaluator
    /// The other evaluator.
    var base: Base { get set }
}

extension WrappingEvaluator {
    var engine: Engine { base.engine }

    mutating func adopt(_ catalogue: FlagCatalogue) { base.adopt(catalogue) }

    func prefetch(_ devices: [DeviceIndex]) { base.prefetch(devices) }

    func meant(_ decision: Decision, symbols: borrowing SymbolTable) -> [MeantDecision] {
        base.meant(decision, symbols: symbols)
    }

    /// Has the other evaluator evaluate a record.
    mutating func evaluateBase(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<Matches>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        let inner = ParsedRecord(head: record.head, flags: record.flags, matches: record.matches.base)
        return base.evaluate(attestation, of: inner, index: index, symbols: symbols)
    }
}
