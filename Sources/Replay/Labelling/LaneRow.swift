/// The verdicts of all lanes on an attestation, or on those of a day.
struct LaneRow {
    /// By lane: true if an attestation fails.
    var failing: BitRow
    /// The same without what depends on new devices.
    var doubtful: BitRow
    /// By lane: true if a verdict depends on which devices are new.
    var differing: BitRow
    /// True if the account as it is let an attestation through by another policy than its own.
    var isExempt = false

    /// - Parameter lanes: The number of lanes.
    init(lanes: Int) {
        failing = BitRow(count: lanes)
        (doubtful, differing) = (failing, failing)
    }

    /// Sets the verdicts of a lane.
    mutating func set(_ lane: Int, fails: Bool, doubtful fails2: Bool, isUnknown: Bool = false) {
        (failing[lane], doubtful[lane]) = (fails, fails2)
        differing[lane] = isUnknown || fails != fails2
    }

    /// The words of a row, as a ``RowTable`` keeps them.
    var words: [UInt64] { failing.words + doubtful.words + differing.words + [isExempt ? 1 : 0] }
}
