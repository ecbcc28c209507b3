internal import Figures
internal import PolicyEngine

/// Has the verdicts of one account or of several on records, which can be counted by the labels of devices.
///
/// Each account is a *lane*; the account as it is has number 0.
protocol LaneVerdicts {
    /// The engine of the account as it is.
    var engine: Engine { get }

    /// The number of accounts; 0 where nothing is counted by labels.
    var laneCount: Int { get }

    /// True if some verdict depends on which devices are new, and no record has `new-did` so far.
    var isInDoubt: Bool { get }

    /// A number for the verdicts on a record of the batch that was evaluated last: equal numbers stand for equal verdicts.
    func outcome(_ row: Int) -> UInt64

    /// Writes the verdicts of a number.
    ///
    /// - Parameter row: A row of no verdicts.
    func write(_ outcome: UInt64, to row: inout LaneRow)

    /// Returns the lanes in which a device has verdicts that depend on a search that was given up (R7.2), by the device's
    /// number; `nil` for none.
    ///
    /// - Parameter isDoubtful: True if verdicts are those without what depends on new devices.
    func unsearchedLanes(isDoubtful: Bool) -> (_ device: Int) -> BitRow?
}

extension LaneVerdicts {
    var laneCount: Int { 0 }
    var isInDoubt: Bool { false }
    func outcome(_ row: Int) -> UInt64 { 0 }
    func write(_ outcome: UInt64, to row: inout LaneRow) {}
    func unsearchedLanes(isDoubtful: Bool) -> (_ device: Int) -> BitRow? { { _ in nil } }
}

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
