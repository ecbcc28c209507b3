internal import Figures
internal import PolicyEngine

extension ReplayPlan {
    /// A replay that finds the devices of which some record is selected, and decides nothing.
    ///
    /// - Parameters:
    ///   - expressions: The expressions, labels resolved.
    ///   - catalogue: The flags that are known before the first record.
    static func matching(_ expressions: [RecordExpression], _ catalogue: FlagCatalogue) -> ReplayPlan {
        var seen: Set<ExactText> = []
        let keys = expressions.flatMap(\.keys).filter { seen.insert(ExactText($0)).inserted }
        let needs = RecordNeeds(carriedKeys: keys)
        return ReplayPlan(catalogue: catalogue, needs: needs) { symbols in
            MatchingEvaluator(expressions, keys: keys, symbols: &symbols)
        }
    }
}

/// Notes which devices have records that expressions select.
struct MatchingEvaluator: UndecidedEvaluator {
    let undecided: Undecided
    private let expressions: [RecordExpression]
    private let keys: [String]
    private let patterns = PatternMatcher()
    // For each expression.
    private var matches: [Matches]
    private var attestations = 0

    // The answer to one expression.
    private struct Matches {
        // By number of a device: true if one of its records is selected.
        var isSelected: [Bool] = []
        // True if a search was given up for a device that is not selected so far.
        var isGivenUp = false
    }

    /// - Parameters:
    ///   - expressions: The expressions, labels resolved.
    ///   - keys: The attributes that are carried along with the records.
    ///   - symbols: The numbering of devices and flags.
    init(_ expressions: [RecordExpression], keys: [String], symbols: inout SymbolTable) {
        (self.expressions, self.keys) = (expressions, keys)
        matches = Array(repeating: Matches(), count: expressions.count)
        undecided = Undecided(&symbols)
    }

    mutating func evaluate(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        attestations += batch.count
        let catalogue = symbols.catalogue
        for row in 0..<batch.count {
            let device = batch.devices[row]
            let record = BatchRecord(
                device: symbols.devices[device], time: batch.times[row],
                capturedVerdict: batch.origins[row].capturedVerdict, flags: batch.flagSets[Int(batch.flags[row])],
                catalogue: catalogue, keys: keys, carried: batch.carried(row))
            for index in expressions.indices { note(record, of: device.offset, for: index) }
        }
    }

    private mutating func note(_ record: BatchRecord, of device: Int, for index: Int) {
        while matches[index].isSelected.count <= device { matches[index].isSelected.append(false) }
        guard !matches[index].isSelected[device] else { return }
        var isGivenUp = false
        let isSelected = expressions[index].selects(record, by: patterns, isGivenUp: &isGivenUp)
        if isGivenUp { matches[index].isGivenUp = true }
        matches[index].isSelected[device] = isSelected && !isGivenUp
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> MatchingResult {
        var figures = Figures()
        figures.attestations = attestations
        let devices = matches.map { matches in
            Set(
                matches.isSelected.indices.lazy.filter { matches.isSelected[$0] }
                    .map { symbols.devices[DeviceIndex(offset: $0)] })
        }
        return MatchingResult(
            figures: figures, devices: devices, isGivenUp: matches.contains(where: \.isGivenUp),
            catalogue: symbols.catalogue)
    }
}

/// The devices of which some record is selected.
struct MatchingResult: ReplayResult {
    var figures: Figures
    /// By expression.
    private(set) var devices: [Set<DeviceID>]
    /// True if a search was given up for some device, so that it is not known whether it is selected (R7.2).
    private(set) var isGivenUp: Bool
    /// The flags that are known in the end.
    private(set) var catalogue: FlagCatalogue

    mutating func add(_ other: MatchingResult) {
        figures.attestations += other.figures.attestations
        for index in devices.indices { devices[index].formUnion(other.devices[index]) }
        isGivenUp = isGivenUp || other.isGivenUp
        // A shard takes flags with the records of its devices.
        if other.catalogue.flags.count > catalogue.flags.count { catalogue = other.catalogue }
    }
}

// A record of a batch.
private struct BatchRecord: ExpressedRecord {
    let device: DeviceID
    let time: Instant
    let capturedVerdict: Bool?
    let flags: FlagSet
    let catalogue: FlagCatalogue
    let keys: [String]
    let carried: CarriedValues?

    func hasFlag(named name: String) -> Bool { catalogue.has(name, in: flags) }

    func attribute(_ key: String) -> String? {
        guard let index = keys.firstIndex(where: { ExactText($0) == ExactText(key) }) else { return nil }
        return carried?.withValue(of: index) { $0.text($1) }
    }
}
