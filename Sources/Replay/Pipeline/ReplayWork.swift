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

    /// Announces the devices of the next records, so that what is known of them can be fetched from memory.
    func prefetch(_ devices: [DeviceIndex])

    /// Evaluates a record and counts the decision.
    ///
    /// - Parameters:
    ///   - attestation: The observations, attributes aside.
    ///   - record: The record.
    ///   - index: Its number among all records that are evaluated, counted from 0.
    ///   - symbols: The numbering of devices and flags.
    /// - Returns: The decision that is written.
    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<Matches>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision

    /// The decisions on the record that was evaluated last, with what their numbers mean: of a comparison both.
    ///
    /// - Parameters:
    ///   - decision: The decision that was returned.
    ///   - symbols: The numbering of devices and flags.
    func meant(_ decision: Decision, symbols: borrowing SymbolTable) -> [MeantDecision]

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
    func prefetch(_ devices: [DeviceIndex]) {}
    mutating func finish(upTo index: Int) {}

    func meant(_ decision: Decision, symbols: borrowing SymbolTable) -> [MeantDecision] {
        [MeantDecision(decision: decision, engine: engine, catalogue: symbols.catalogue)]
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
