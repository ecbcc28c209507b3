internal import Figures
internal import PolicyEngine

/// Evaluates the records of some devices, batch by batch in the order of time.
///
/// The decisions that are written are those of the account as it is.
protocol BatchEvaluator: LaneVerdicts {
    /// The result of the evaluator in the end.
    associatedtype Result: ReplayResult

    /// Takes flags that records brought.
    mutating func adopt(_ catalogue: FlagCatalogue)

    /// Evaluates records and counts the decisions.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - symbols: The numbering of devices and flags.
    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable)

    /// True if a record of the batch that was evaluated last passes.
    func passes(_ row: Int) -> Bool

    /// The decision about a record of the batch that was evaluated last: the one that is written.
    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision

    /// The decisions about such a record, with what their numbers mean: of a comparison both.
    mutating func meant(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> [MeantDecision]

    /// The result so far.
    ///
    /// - Parameters:
    ///   - symbols: The numbering of devices and flags.
    ///   - fetches: The fetches of devices, where they are known.
    func result(symbols: SymbolTable, fetches: FetchCounter?) -> Result

    /// True if the flags of its decisions have the numbers of the records.
    var sharesFlagNumbers: Bool { get }

    /// The effect of a change on each device by its number; `nil` if nothing is compared.
    var outcomes: DoubtedOutcomes? { get }
}

extension BatchEvaluator {
    mutating func adopt(_ catalogue: FlagCatalogue) {}

    mutating func meant(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> [MeantDecision] {
        let decision = decision(row, batch, symbols: symbols)
        return [MeantDecision(decision: decision, engine: engine, catalogue: symbols.catalogue)]
    }

    var sharesFlagNumbers: Bool { true }
    var outcomes: DoubtedOutcomes? { nil }
}

/// The result of the evaluator of some devices; results of different devices add up.
protocol ReplayResult: Addable, Sendable {
    /// The figures of the decisions that are written.
    var figures: Figures { get set }

    /// Takes the verdicts on labelled devices, of an evaluator that has lanes.
    ///
    /// - Parameters:
    ///   - labels: The verdicts.
    ///   - doubtful: Those without what depends on new devices; `nil` where nothing does, or a record has `new-did`.
    mutating func take(_ labels: LabelFigures, doubtful: LabelFigures?)

    /// Takes what holds now that all records are read.
    mutating func finish()
}

extension ReplayResult {
    /// Adds the result of another evaluator of the same replay.
    mutating func add(any other: any ReplayResult) {
        guard let other = other as? Self else { preconditionFailure("the evaluators of a replay are of one kind") }
        add(other)
    }

    mutating func take(_ labels: LabelFigures, doubtful: LabelFigures?) {}
    mutating func finish() {}
}
