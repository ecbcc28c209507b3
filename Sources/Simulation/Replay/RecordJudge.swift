package import PolicyEngine

/// What judges the records of a replay, one after another in the order of time.
package protocol RecordJudge {
    /// The engine whose decisions are written.
    var engine: Engine { get }

    /// Hears of a record as it is read, which may be before others that are judged first.
    ///
    /// - Throws: ``FlagError`` for a record that is malformed to this judge.
    mutating func admit(_ record: borrowing CaptureRecord, symbols: borrowing SymbolTable) throws(FlagError)

    /// Judges a record and counts what came of it.
    ///
    /// - Returns: The decision that is written.
    mutating func judge(_ record: borrowing CaptureRecord, symbols: borrowing SymbolTable) -> Decision

    /// Counts a record that was malformed.
    mutating func countBadRequest()

    /// The figures counted so far, of the decisions that are written.
    func figures(symbols: SymbolTable) -> Figures
}

extension RecordJudge {
    package mutating func admit(_ record: borrowing CaptureRecord, symbols: borrowing SymbolTable) throws(FlagError) {}
}
