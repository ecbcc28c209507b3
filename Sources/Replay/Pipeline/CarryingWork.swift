internal import PolicyEngine

/// Another work that takes values of attributes along, which are written beside its decisions.
struct CarryingWork<Base: ReplayWork>: WrappingWork {
    let base: Base
    private let keys: [String]

    /// - Parameters:
    ///   - base: The other work.
    ///   - keys: The attributes.
    init(_ base: Base, keys: [String]) { (self.base, self.keys) = (base, keys) }

    func makeMatcher(_ fields: inout CaptureFields) -> CarryingMatcher<Base.Matcher> {
        let matcher = base.makeMatcher(&fields)
        return CarryingMatcher(base: matcher, columns: keys.map { fields.column(of: $0) })
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> CarryingEvaluator<Base.Evaluator> {
        CarryingEvaluator(base: base.makeEvaluator(&symbols))
    }
}

/// Another matcher that takes values along.
struct CarryingMatcher<Base: RecordMatcher>: WrappingMatcher {
    var base: Base
    let columns: [Int]

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [CarryingMatches<Base.Matches>]) {
        var found: [Base.Matches] = []
        base.match(batch, into: &found)
        let values = CountedValues(batch, columns: columns)
        matches.removeAll(keepingCapacity: true)
        for (row, base) in found.enumerated() {
            matches.append(CarryingMatches(base: base, values: CarriedValues(values: values, row: row)))
        }
    }
}

/// The findings of the other matcher in a record, and the values that are taken along.
struct CarryingMatches<Base: RecordMatches>: WrappingMatches {
    var base: Base
    let values: CarriedValues

    var carried: CarriedValues? { values }
}

/// Another evaluator, beside whose decisions values are written.
struct CarryingEvaluator<Base: RecordEvaluator>: WrappingEvaluator {
    var base: Base

    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<CarryingMatches<Base.Matches>>,
        index: Int, symbols: borrowing SymbolTable
    ) -> Decision { evaluateBase(attestation, of: record, index: index, symbols: symbols) }

    mutating func finish(upTo index: Int) { base.finish(upTo: index) }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> Base.Result {
        base.result(symbols: symbols, fetches: fetches)
    }
}
