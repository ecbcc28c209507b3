internal import Figures
internal import PolicyEngine

/// The effects of a change on each device, as far as they were seen.
///
/// A device may turn out late to be one of which it is not known what the change does to it, and it is in no figure then. So
/// counts are kept with the device, and are added up at the end.
struct DeviceChanges {
    private var devices: [Entry] = []
    private var effects = DeviceTally()
    private var changes: [Change] = []

    private struct Entry: BitwiseCopyable {
        // The index of the first change of a verdict; ``DeviceChanges/none`` where there is none.
        var changes = DeviceChanges.none
        var marks = DeviceMarks()
    }

    /// The changes of one kind on one device.
    struct Change {
        /// True if the attestations newly pass.
        let isAccepted: Bool
        /// The kind, as the ``ChangeCollector`` numbers it.
        let kind: UInt32
        var events = 0
        /// The number of attestations among the events.
        var attestations = 0
        /// The first one: its number, its time, and the flags that the side that rejects saw, in its own numbers.
        let index: Int
        let time: Instant
        let flags: FlagSet
        fileprivate let next: UInt32
    }

    private static let none = UInt32.max

    /// The number of devices that were seen.
    var count: Int { devices.count { $0.marks.contains(.seen) } }

    /// The number of devices for which a condition on their marks holds.
    func count(where isCounted: (DeviceMarks) -> Bool) -> Int { devices.count { isCounted($0.marks) } }

    /// The facts that are known of a device.
    subscript(device: Int) -> DeviceMarks { device < devices.count ? devices[device].marks : [] }

    /// Asks for the memory of a device before it is needed.
    func prefetch(_ device: Int) {
        if device < devices.count { devices.prefetch(device) }
        effects.prefetch(device)
    }

    /// Notes something of a device.
    @inline(__always)
    mutating func note(_ device: Int, _ marks: DeviceMarks) {
        if device >= devices.count {
            devices.append(contentsOf: repeatElement(Entry(), count: device + 1 - devices.count))
        }
        devices[device].marks.formUnion(marks)
    }

    /// Counts an effect on an attestation of a device that was noted before.
    @inline(__always)
    mutating func count(_ effect: Int, of device: Int) { effects.count(effect, of: device) }

    /// Counts an attestation of a device that was noted before, whose verdict changed.
    mutating func count(
        kind: Int, isAccepted: Bool, of attestation: borrowing ComparedAttestation, flags: FlagSet
    ) {
        let (device, kind) = (attestation.device.offset, UInt32(kind))
        var index = devices[device].changes
        while index != Self.none, changes[Int(index)].kind != kind || changes[Int(index)].isAccepted != isAccepted {
            index = changes[Int(index)].next
        }
        if index == Self.none {
            index = UInt32(changes.count)
            changes.append(
                Change(
                    isAccepted: isAccepted, kind: kind, index: attestation.index, time: attestation.time, flags: flags,
                    next: devices[device].changes))
            devices[device].changes = index
        }
        changes[Int(index)].events += 1
        if attestation.isAttested { changes[Int(index)].attestations += 1 }
    }

    /// The counts of each effect on the devices of which it is known what the change does to them.
    ///
    /// - Parameter effectCount: The number of effects.
    func effectCounts(_ effectCount: Int) -> [Int] {
        var counts = Array(repeating: 0, count: effectCount)
        for device in devices.indices where devices[device].marks.isEvaluated {
            effects.forEachNumber(of: device) { counts[$0] += $1 }
        }
        return counts
    }

    /// The number of devices that some effects met, of those of which it is known what the change does to them.
    ///
    /// - Parameter isCounted: True if an effect is one of them, by its number.
    func deviceCount(ofEffects isCounted: [Bool]) -> Int {
        guard isCounted.contains(true) else { return 0 }
        return devices.indices.count { device in
            guard devices[device].marks.isEvaluated else { return false }
            var isMet = false
            effects.forEachNumber(of: device) { effect, _ in if isCounted[effect] { isMet = true } }
            return isMet
        }
    }

    /// The effect of the change by device.
    var outcomes: [DeviceOutcome] {
        devices.map { device in
            guard device.marks.contains(.seen), device.marks.isEvaluated else { return .unknown }
            var (outcome, index) = (DeviceOutcome.unaffected, device.changes)
            while index != Self.none {
                outcome.formUnion(changes[Int(index)].isAccepted ? .accepted : .rejected)
                index = changes[Int(index)].next
            }
            return outcome
        }
    }

    /// Goes through the changes one way of all devices of which it is known what the change does to them, device by device.
    func forEachChange(isAccepted: Bool, _ body: (_ device: Int, _ change: Change) -> Void) {
        for device in devices.indices where devices[device].marks.isEvaluated {
            var index = devices[device].changes
            while index != Self.none {
                let change = changes[Int(index)]
                if change.isAccepted == isAccepted { body(device, change) }
                index = change.next
            }
        }
    }
}

/// The facts that are known of a device in a comparison.
struct DeviceMarks: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    /// It attested.
    static let seen = DeviceMarks(rawValue: 1)
    /// It got a valid token before the change, or after it.
    static let validBefore = DeviceMarks(rawValue: 2)
    static let validAfter = DeviceMarks(rawValue: 4)
    /// The effect of the change on the device depends on whether it was new, which nobody knows.
    static let maybeNew = DeviceMarks(rawValue: 8)
    /// A search was given up that a decision on it depends on (R7.2).
    static let unsearched = DeviceMarks(rawValue: 16)
    /// It failed before the change, or after it.
    static let failedBefore = DeviceMarks(rawValue: 32)
    static let failedAfter = DeviceMarks(rawValue: 64)
    /// The change has no effect on some attestation, of which it is not known whether it passes or fails on both sides, because
    /// that depends on whether the device was new.
    static let openVerdict = DeviceMarks(rawValue: 128)

    /// True if it is known what the change does to the device.
    var isEvaluated: Bool { isDisjoint(with: [.maybeNew, .unsearched]) }

    /// True if it has one mark and not the other one, and no verdict turns that round.
    func has(_ mark: DeviceMarks, without other: DeviceMarks) -> Bool {
        differs(mark, other) && contains(mark) && !contains(.openVerdict)
    }

    /// True if it has one of two marks alone, and an open verdict may add the other one.
    func maySettle(_ mark: DeviceMarks, _ other: DeviceMarks) -> Bool { differs(mark, other) && contains(.openVerdict) }

    private func differs(_ mark: DeviceMarks, _ other: DeviceMarks) -> Bool {
        isEvaluated && contains(mark) != contains(other)
    }
}
