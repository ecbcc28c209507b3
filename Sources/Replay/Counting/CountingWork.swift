internal import Figures
internal import PolicyEngine

/// Another work that counts the values of attributes besides.
///
/// It wraps the other, so that a replay that counts nothing has none of it.
struct CountingWork<Base: ReplayWork>: WrappingWork {
    let base: Base
    private let request: CountingRequest
    private let tallies: FrequencyTallies

    init(_ base: Base, _ request: CountingRequest) {
        (self.base, self.request) = (base, request)
        tallies = FrequencyTallies(request)
    }

    func makeMatcher(_ fields: inout CaptureFields) -> CountingMatcher<Base.Matcher> {
        let matcher = base.makeMatcher(&fields)
        return CountingMatcher(matcher, columns: request.keys.map { fields.column(of: $0.attribute) })
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> CountingEvaluator<Base.Evaluator> {
        CountingEvaluator(base.makeEvaluator(&symbols), request, tallies)
    }
}

/// Another matcher that takes the values of the counted attributes along.
struct CountingMatcher<Base: RecordMatcher>: WrappingMatcher {
    var base: Base
    private let columns: [Int]
    // Of the current records.
    private var found: [Base.Matches] = []

    init(_ base: Base, columns: [Int]) {
        (self.base, self.columns) = (base, columns)
    }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [CountedMatches<Base.Matches>]) {
        base.match(batch, into: &found)
        let values = CountedValues(batch, columns: columns)
        matches.removeAll(keepingCapacity: true)
        for (row, base) in found.enumerated() {
            matches.append(CountedMatches(base: base, values: values, row: Int32(row)))
        }
    }
}

/// The findings of the other matcher in a record, and the position of its counted values.
struct CountedMatches<Base: RecordMatches>: WrappingMatches {
    var base: Base
    let values: CountedValues
    let row: Int32
}

extension DerivedValues {
    /// The number of the value that a record has.
    ///
    /// - Parameters:
    ///   - matches: The record.
    ///   - attribute: The attribute, of those that are taken along.
    ///   - time: The time of the record.
    mutating func number<Base>(in matches: CountedMatches<Base>, of attribute: Int, at time: Instant) -> Int? {
        if isOfTime { return number(at: time) }
        var number: Int?
        _ = matches.values.withValue(of: attribute, row: Int(matches.row)) { number = self.number($0, $1) }
        return number
    }
}

/// Another evaluator, whose decisions are counted by the values of attributes.
struct CountingEvaluator<Base: RecordEvaluator>: WrappingEvaluator {
    var base: Base
    private let request: CountingRequest
    private let tallies: FrequencyTallies
    private let shard: Int
    // The current chunk, those beside it that are not handed over, and the number of those that are.
    private var chunk = 0
    private var counts: FrequencyTallies.Chunk
    private var kept: [Int: FrequencyTallies.Chunk] = [:]
    private var handed = 0
    // By attribute; those of attributes as they are stay empty.
    private var derived: [DerivedValues]

    init(_ base: Base, _ request: CountingRequest, _ tallies: FrequencyTallies) {
        (self.base, self.request, self.tallies) = (base, request, tallies)
        shard = tallies.join()
        counts = request.keys.map { _ in ValueCounts() }
        derived = request.keys.map { DerivedValues($0) }
    }

    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<CountedMatches<Base.Matches>>,
        index: Int, symbols: borrowing SymbolTable
    ) -> Decision {
        let matches = record.matches
        let decision = evaluateBase(attestation, of: record, index: index, symbols: symbols)
        if index / request.chunk != chunk { turn(to: index / request.chunk) }
        for attribute in counts.indices {
            guard !request.keys[attribute].isDerived else {
                let number = derived[attribute].number(in: matches, of: attribute, at: attestation.time)
                count(number, of: attribute, decision)
                continue
            }
            let isThere = matches.values.withValue(of: attribute, row: Int(matches.row)) { bytes, range in
                counts[attribute].count(bytes, range: range, device: attestation.device, passed: decision.passed)
            }
            if !isThere { counts[attribute].absent += 1 }
        }
        return decision
    }

    private mutating func count(_ number: Int?, of attribute: Int, _ decision: Decision) {
        guard let number else {
            counts[attribute].absent += 1
            return
        }
        let value = derived[attribute].bytes(of: number)
        counts[attribute].count(
            value.span, range: 0..<value.count, device: decision.device, passed: decision.passed)
    }

    // Records that are sorted come from any chunk.
    private mutating func turn(to other: Int) {
        kept[chunk] = counts
        counts = kept.removeValue(forKey: other) ?? nothing
        chunk = other
    }

    private var nothing: FrequencyTallies.Chunk { request.keys.map { _ in ValueCounts() } }

    mutating func finish(upTo index: Int) {
        let next = index / request.chunk
        guard handed < next else { return }
        if chunk < next { turn(to: next) }
        for past in handed..<next { tallies.hand(over: kept.removeValue(forKey: past) ?? nothing, of: past, by: shard) }
        handed = next
    }

    mutating func token(
        for decision: Decision, of record: borrowing ParsedRecord<CountedMatches<Base.Matches>>, domain: String,
        symbols: borrowing SymbolTable
    ) throws(TokenIssueError) -> [UInt8] {
        let inner = ParsedRecord(head: record.head, flags: record.flags, matches: record.matches.base)
        return try base.token(for: decision, of: inner, domain: domain, symbols: symbols)
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> CountingResult<Base.Result> {
        var rest = kept
        rest[chunk] = counts
        return CountingResult(base: base.result(symbols: symbols, fetches: fetches), rest: [shard: rest], tallies)
    }
}

/// The result of another evaluator, and what was counted besides.
struct CountingResult<Base: ReplayResult>: ReplayResult {
    var base: Base
    // By shard and chunk, what was not handed over.
    private var rest: [Int: [Int: FrequencyTallies.Chunk]]
    private let tallies: FrequencyTallies

    init(base: Base, rest: [Int: [Int: FrequencyTallies.Chunk]], _ tallies: FrequencyTallies) {
        (self.base, self.rest, self.tallies) = (base, rest, tallies)
    }

    var figures: Figures {
        get { base.figures }
        set { base.figures = newValue }
    }

    mutating func add(_ other: CountingResult) {
        base.add(other.base)
        rest.merge(other.rest) { mine, _ in mine }
    }

    mutating func finish() {
        base.finish()
        base.figures.frequencies = tallies.finish(rest)
        rest = [:]
    }
}
