package import PolicyEngine

/// What judges the records of some devices, one after another in the order of time.
package protocol RecordEvaluator {
    /// What is known of a record's attributes.
    associatedtype Matches: Sendable
    /// What all of it comes to.
    associatedtype Result: ReplayResult

    /// The engine whose decisions are written.
    var engine: Engine { get }

    /// Takes flags that records brought.
    mutating func take(_ catalogue: FlagCatalogue)

    /// Hears of devices that will be judged next, so that what is known of them can be fetched from memory.
    func expect(_ devices: [DeviceIndex])

    /// Judges a record and counts what came of it.
    ///
    /// - Parameters:
    ///   - attestation: What was observed, attributes aside.
    ///   - record: The record.
    ///   - index: Its number among all records that are judged, counted from 0.
    ///   - symbols: The numbering of devices and flags.
    /// - Returns: The decision that is written.
    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<Matches>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision

    /// Makes the token of a decision.
    ///
    /// - Parameters:
    ///   - decision: The decision that was made last.
    ///   - record: The record that it was made on.
    ///   - domain: The domain that the token is for.
    ///   - symbols: The numbering of devices and flags.
    mutating func token(
        for decision: Decision, of record: borrowing ParsedRecord<Matches>, domain: String,
        symbols: borrowing SymbolTable
    ) throws(TokenIssueError) -> [UInt8]

    /// What was counted so far.
    ///
    /// - Parameters:
    ///   - symbols: The numbering of devices and flags.
    ///   - fetches: How often devices fetch, where that is known.
    func result(symbols: SymbolTable, fetches: FetchCounter?) -> Result
}

extension RecordEvaluator {
    package mutating func take(_ catalogue: FlagCatalogue) {}
    package func expect(_ devices: [DeviceIndex]) {}

    // Only a work for tokens makes any.
    package mutating func token(
        for decision: Decision, of record: borrowing ParsedRecord<Matches>, domain: String,
        symbols: borrowing SymbolTable
    ) throws(TokenIssueError) -> [UInt8] { [] }
}
