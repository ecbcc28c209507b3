internal import PolicyEngine

/// The decisions on devices of which no more is known than whether they attested, by all that such a decision depends on. Equal
/// ones are counted together.
///
/// Few combinations of flags and matches make up most of a capture. Each has one place, which a part of its hash names; the
/// decision that was there before is counted, and leaves.
struct DecisionMemo {
    // By place; made when the first decision is kept.
    private var entries: [Entry] = []
    private var decisions: [Decision] = []
    // The number of places is a power of two.
    private let placeBits: UInt64

    /// - Parameter placeBits: The exponent of the number of places.
    init(placeBits: Int = 14) { self.placeBits = UInt64(placeBits) }

    /// All that a decision depends on.
    struct Key: Equatable {
        /// The flags that were observed.
        let flags: FlagSet
        /// The matches in the attributes.
        let matches: AttributeMatches
        /// True if the device attests for the first time.
        let isFirst: Bool

        @inline(__always)
        fileprivate func place(_ bits: UInt64) -> Int {
            let (low, high) = (UInt64(truncatingIfNeeded: flags.bits), UInt64(truncatingIfNeeded: flags.bits >> 64))
            let mixed = low ^ high &* 0x9E37_79B9_7F4A_7C15 ^ matches.mixedBits &* 0xD6E8_FEB8_6659_FD93
            let hash = (mixed &+ (isFirst ? 1 : 0)) &* 0x9E37_79B9_7F4A_7C15
            return Int(truncatingIfNeeded: ((hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93) >> (64 &- bits))
        }
    }

    // In 64 bytes, as they are read for each attestation.
    private struct Entry {
        let key: Key
        let verdict: DeviceVerdict
        var count: UInt32
    }

    /// The meaning of a decision that is kept, which is counted once more; `nil` if there is none.
    @inline(__always)
    mutating func verdict(for key: Key) -> DeviceVerdict? {
        let place = key.place(placeBits)
        // The count of an entry without a decision is 0, and one that is full makes room for itself.
        guard place < entries.count, entries[place].key == key, entries[place].count &- 1 < .max - 1 else { return nil }
        entries[place].count += 1
        return entries[place].verdict
    }

    /// Keeps a decision, counted once.
    ///
    /// - Returns: The decision whose place it takes, and how often that was made.
    mutating func keep(_ decision: Decision, for key: Key) -> (decision: Decision, times: Int)? {
        let (place, entry) = (key.place(placeBits), Entry(key: key, verdict: DeviceVerdict(decision), count: 1))
        if entries.isEmpty {
            entries = Array(repeating: Entry(key: key, verdict: entry.verdict, count: 0), count: 1 << placeBits)
            decisions = Array(repeating: decision, count: entries.count)
        }
        let (former, times) = (decisions[place], Int(entries[place].count))
        (entries[place], decisions[place]) = (entry, decision)
        return times == 0 ? nil : (former, times)
    }

    /// The decisions that are kept, and how often each was made.
    var all: [(decision: Decision, times: Int)] {
        zip(decisions, entries).filter { $1.count > 0 }.map { ($0, Int($1.count)) }
    }
}
