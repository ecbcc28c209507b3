internal import Figures
internal import PolicyEngine

/// Adds up the changes of verdicts one way, newly rejected or newly accepted, device by device, and names them.
struct ChangeTally {
    private let collector: ChangeCollector
    private var causes: [Part]
    private var sides: [Part]
    private var events = 0
    private var attestations = 0
    private var devices: [Int] = []

    // The changes that have a cause in common, or what both sides decided.
    private struct Part {
        var events = 0
        var attestations = 0
        var devices = 0
        // The device that was counted last, or -1: changes come device by device.
        var latest = -1
        // The first change, by the number of its attestation.
        var first: (device: Int, index: Int, time: Instant, flags: FlagSet)?

        mutating func add(_ change: DeviceChanges.Change, of device: Int) {
            events += change.events
            attestations += change.attestations
            if device != latest { devices += 1 }
            latest = device
            if let first, first.index < change.index { return }
            first = (device, change.index, change.time, change.flags)
        }
    }

    private init(_ collector: ChangeCollector) {
        self.collector = collector
        causes = collector.causes.keys.map { _ in Part() }
        sides = collector.sides.keys.map { _ in Part() }
    }

    /// The figures of the changes, not yet in the order of reports.
    ///
    /// - Parameters:
    ///   - changes: The changes of each device.
    ///   - collector: The collector that names the changes one way.
    ///   - isAccepted: True for the changes that newly accept.
    ///   - names: The devices by their numbers.
    ///   - flags: The flags as the side that rejects numbers them.
    ///   - weight: The fetches of a device, where they are known.
    static func figures(
        of changes: DeviceChanges, named collector: ChangeCollector, isAccepted: Bool, devices names: DeviceTable,
        flags: FlagCatalogue, weight: ((Int) -> Int)?
    ) -> ChangeFigures {
        var tally = ChangeTally(collector)
        let parts = (0..<collector.kindCount).map(collector.parts)
        changes.forEachChange(isAccepted: isAccepted) { tally.add($1, of: $0, parts[Int($1.kind)]) }
        var figures = tally.figures(names, flags)
        figures.fetches = weight.map { weight in tally.devices.reduce(0) { $0 + weight($1) } }
        return figures
    }

    private func figures(_ names: DeviceTable, _ flags: FlagCatalogue) -> ChangeFigures {
        var figures = ChangeFigures()
        figures.events = events
        figures.attestations = attestations
        figures.devices = devices.count
        figures.known = ChangeFigures.KnownDevices(devices.lazy.map { names[DeviceIndex(offset: $0)] })
        figures.splits = ChangeFigures.Kind.allCases.compactMap { split($0, names) }
        figures.examples = zip(collector.sides.keys, sides).compactMap { sides, part in
            part.first.map { first in
                .init {
                    ($0.index, $0.device, $0.time) = (first.index, names[DeviceIndex(offset: first.device)], first.time)
                    ($0.events, $0.attestations, $0.devices) = (part.events, part.attestations, part.devices)
                    ($0.flags, $0.before, $0.after) = (flags.names(of: first.flags), sides.before, sides.after)
                }
            }
        }
        return figures
    }

    private mutating func add(_ change: DeviceChanges.Change, of device: Int, _ parts: (sides: Int, causes: [Int])) {
        events += change.events
        attestations += change.attestations
        if devices.last != device { devices.append(device) }
        sides[parts.sides].add(change, of: device)
        for cause in parts.causes { causes[cause].add(change, of: device) }
    }

    private func split(_ kind: ChangeFigures.Kind, _ names: DeviceTable) -> ChangeFigures.Split? {
        let parts = zip(collector.causes.keys, causes).compactMap { cause, part -> ChangeFigures.Part? in
            guard cause.kind == kind, let first = part.first else { return nil }
            return .init {
                ($0.name, $0.events, $0.attestations, $0.devices) =
                    (cause.name, part.events, part.attestations, part.devices)
                ($0.example, $0.index) = (names[DeviceIndex(offset: first.device)], first.index)
            }
        }
        return parts.isEmpty ? nil : .init { ($0.kind, $0.parts) = (kind, parts) }
    }
}
