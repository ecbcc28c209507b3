internal import PolicyEngine

/// Counts the decisions of a shard by the values of attributes.
struct ValueCounter {
    private let request: CountingRequest
    private let tallies: FrequencyTallies
    private let shard: Int
    // By attribute, its index among those that are carried along.
    private let carriedIndices: [Int]
    // The current chunk, those beside it that are not handed over, and the number of those that are.
    private var chunk = 0
    private var counts: FrequencyTallies.Chunk
    private var kept: [Int: FrequencyTallies.Chunk] = [:]
    private var handed = 0
    // By attribute; those of attributes as they are stay empty.
    private var derived: [DerivedValues]

    /// - Parameters:
    ///   - request: The attributes.
    ///   - tallies: Brings together the counts of all shards.
    ///   - index: The index of an attribute among those that are carried along with records.
    init(_ request: CountingRequest, _ tallies: FrequencyTallies, index: (String) -> Int) {
        (self.request, self.tallies) = (request, tallies)
        carriedIndices = request.keys.map { index($0.attribute) }
        shard = tallies.join()
        counts = request.keys.map { _ in ValueCounts() }
        derived = request.keys.map { DerivedValues($0) }
    }

    /// Counts a decision.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - carried: The values of the record that it was made on.
    ///   - index: The number of the record among all that are evaluated, counted from 0.
    mutating func count(_ decision: Decision, _ carried: CarriedValues, index: Int) {
        if index / request.chunk != chunk { turn(to: index / request.chunk) }
        for attribute in counts.indices {
            let isThere =
                request.keys[attribute].isDerived
                ? countDerived(decision, carried, attribute) : countPlain(decision, carried, attribute)
            if !isThere { counts[attribute].absent += 1 }
        }
    }

    private mutating func countPlain(_ decision: Decision, _ carried: CarriedValues, _ attribute: Int) -> Bool {
        carried.withValue(of: carriedIndices[attribute]) { bytes, range in
            counts[attribute].count(bytes, range: range, device: decision.device, passed: decision.passed)
        } != nil
    }

    private mutating func countDerived(_ decision: Decision, _ carried: CarriedValues, _ attribute: Int) -> Bool {
        let number =
            derived[attribute].isOfTime
            ? derived[attribute].number(at: decision.time)
            : carried.withValue(of: carriedIndices[attribute]) { derived[attribute].number($0, $1) } ?? nil
        guard let number else { return false }
        let value = derived[attribute].bytes(of: number)
        counts[attribute].count(
            value.span, range: 0..<value.count, device: decision.device, passed: decision.passed)
        return true
    }

    // Records that are sorted come from any chunk.
    private mutating func turn(to other: Int) {
        kept[chunk] = counts
        counts = kept.removeValue(forKey: other) ?? nothing
        chunk = other
    }

    private var nothing: FrequencyTallies.Chunk { request.keys.map { _ in ValueCounts() } }

    /// Notes that all records before a number are evaluated. Not called where they are sorted.
    mutating func finish(upTo index: Int) {
        let next = index / request.chunk
        guard handed < next else { return }
        if chunk < next { turn(to: next) }
        for past in handed..<next { tallies.hand(over: kept.removeValue(forKey: past) ?? nothing, of: past, by: shard) }
        handed = next
    }

    /// Hands over the rest, at the end.
    mutating func finish() {
        kept[chunk] = counts
        tallies.hand(overRest: kept, by: shard)
    }
}
