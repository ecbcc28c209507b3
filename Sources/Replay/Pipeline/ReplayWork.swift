internal import Figures
internal import PolicyEngine

/// The purpose of a replay: the matcher of the records' attributes, and the evaluator of the records.
protocol ReplayWork: Sendable {
    associatedtype Matcher: RecordMatcher
    associatedtype Evaluator: RecordEvaluator where Evaluator.Matches == Matcher.Matches

    /// The flags that are known before the first record, with the numbers that records are to give them.
    var catalogue: FlagCatalogue { get }
    /// Accounts that number flags in their own way, and may have no number left for one that a record brings.
    var numberingAccounts: [Account] { get }
    /// The accounts whose filters look at attributes while records are read.
    var filteringAccounts: [Account] { get }

    /// The apps that are counted; `nil` where none are.
    var registry: AppRegistry? { get }

    /// Makes a matcher of attributes.
    ///
    /// - Parameter fields: Takes the keys that are needed.
    func makeMatcher(_ fields: inout CaptureFields) -> Matcher

    /// Makes an evaluator.
    ///
    /// - Parameter symbols: The numbering of devices and flags; takes the devices that accounts name.
    func makeEvaluator(_ symbols: inout SymbolTable) -> Evaluator

    /// True if one evaluator takes all records in their order, whatever the number of workers.
    var isSequential: Bool { get }

    /// Asks for keys that some record gave besides those that are needed; the record is then read again.
    func adopt(keys: [String])

    /// Takes a block in the order of the records, before they are evaluated.
    ///
    /// - Throws: ``ReplayFailure``, which ends the replay.
    func place(_ slot: ReplaySlot<Evaluator.Matches>) throws(ReplayFailure)
}

extension ReplayWork {
    var numberingAccounts: [Account] { [] }
    var filteringAccounts: [Account] { [] }
    var registry: AppRegistry? { nil }
    var isSequential: Bool { false }
    func adopt(keys: [String]) {}
    func place(_ slot: ReplaySlot<Evaluator.Matches>) throws(ReplayFailure) {}
}

/// Evaluates the records of some devices, one after another in the order of time.
protocol RecordEvaluator: LanedEvaluator {
    /// The findings in a record's attributes.
    associatedtype Matches: RecordMatches
    /// The result of the evaluator in the end.
    associatedtype Result: ReplayResult

    /// Takes flags that records brought.
    mutating func adopt(_ catalogue: FlagCatalogue)

    /// Evaluates records and counts the decisions.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - records: A record by its index in the batch, for what the batch does not say.
    ///   - symbols: The numbering of devices and flags.
    mutating func evaluate(
        _ batch: borrowing Batch, records: (_ row: Int) -> ParsedRecord<Matches>, symbols: borrowing SymbolTable)

    /// True if a record of the batch that was evaluated last passes.
    func passes(_ row: Int) -> Bool

    /// The decision about a record of the batch that was evaluated last: the one that is written.
    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision

    /// The decisions about such a record, with what their numbers mean: of a comparison both.
    mutating func meant(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> [MeantDecision]

    /// Notes that all records before a number are evaluated, those of other evaluators apart. Not called where they are sorted.
    mutating func finish(upTo index: Int)

    /// The result so far.
    ///
    /// - Parameters:
    ///   - symbols: The numbering of devices and flags.
    ///   - fetches: The fetches of devices, where they are known.
    func result(symbols: SymbolTable, fetches: FetchCounter?) -> Result
}

extension RecordEvaluator {
    mutating func adopt(_ catalogue: FlagCatalogue) {}
    mutating func finish(upTo index: Int) {}

    mutating func meant(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> [MeantDecision] {
        let decision = decision(row, batch, symbols: symbols)
        return [MeantDecision(decision: decision, engine: engine, catalogue: symbols.catalogue)]
    }
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
    mutating func take(_ labels: LabelFigures, doubtful: LabelFigures?) {}
    mutating func finish() {}
}
