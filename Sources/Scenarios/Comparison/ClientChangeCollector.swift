internal import Figures
internal import PolicyEngine

/// Counts what clients get otherwise in one run of a scenario than in another (R19a).
struct ClientChangeCollector {
    // The results of both runs, by kind.
    private var tallies: [ClientChanges.Kind: Tally] = [:]
    // Devices of which it is not known what the change does (R7.2); they are in no figure.
    private var unknown: Set<DeviceIndex> = []

    private struct Tally {
        var all = Count()
        var differences: [Words: Count] = [:]
    }

    private struct Words: Hashable {
        let effect: ClientChanges.Effect
        let before, after: String
    }

    // The number of events by device, and the devices in the order of first sight.
    private struct Count {
        private(set) var events: [DeviceIndex: Int] = [:]
        private(set) var devices: [DeviceIndex] = []

        mutating func add(_ count: Int = 1, of device: DeviceIndex) {
            if events[device] == nil { devices.append(device) }
            events[device, default: 0] += count
        }

        mutating func merge(_ other: Count) {
            for device in other.devices { add(other.events[device] ?? 0, of: device) }
        }

        func figures(without unknown: Set<DeviceIndex>) -> ClientChanges.Count {
            var count = ClientChanges.Count()
            for (device, events) in events where !unknown.contains(device) {
                count.events += events
                count.devices += 1
            }
            return count
        }
    }

    /// Compares what a client got in both runs.
    ///
    /// If a search was given up on which the result depends, the effect of the change is not known (R7.2): then nothing of
    /// the device counts.
    ///
    /// - Parameters:
    ///   - before: The results in the run before.
    ///   - after: The results in the run after.
    mutating func count(_ before: Received, _ after: Received, _ device: DeviceIndex) {
        guard !before.isUnknown, !after.isUnknown else {
            unknown.insert(device)
            return
        }
        tallies[before.end.kind, default: Tally()].all.add(of: device)
        guard let change = before.change(to: after) else { return }
        let words = Words(effect: change.effect, before: change.before, after: change.after)
        tallies[before.end.kind]?.differences[words, default: Count()].add(of: device)
    }

    /// The figures counted so far.
    ///
    /// - Parameter id: The ID of a device.
    func figures(id: (DeviceIndex) -> DeviceID) -> ClientChanges {
        var changes = ClientChanges()
        changes.parts = ClientChanges.Kind.allCases.compactMap { kind in
            tallies[kind].map { part(kind, $0, id: id) }
        }
        return changes
    }

    private func part(_ kind: ClientChanges.Kind, _ tally: Tally, id: (DeviceIndex) -> DeviceID) -> ClientChanges.Part {
        var part = ClientChanges.Part(kind)
        let all = tally.all.figures(without: unknown)
        (part.events, part.devices) = (all.events, all.devices)
        (part.worse, part.better) = (count(of: .worse, tally), count(of: .better, tally))
        part.other = count(of: .other, tally)
        part.differences = tally.differences.compactMap { words, count in
            guard let first = count.devices.first(where: { !unknown.contains($0) }) else { return nil }
            var difference = ClientChanges.Difference(
                words.effect, before: words.before, after: words.after, example: id(first))
            difference.count = count.figures(without: unknown)
            return difference
        }.sorted(by: Self.isBefore)
        return part
    }

    private func count(of effect: ClientChanges.Effect, _ tally: Tally) -> ClientChanges.Count {
        var sum = Count()
        for (words, count) in tally.differences where words.effect == effect { sum.merge(count) }
        return sum.figures(without: unknown)
    }

    private static func isBefore(_ left: ClientChanges.Difference, _ right: ClientChanges.Difference) -> Bool {
        func rank(_ effect: ClientChanges.Effect) -> Int {
            switch effect {
            case .worse: 0
            case .better: 1
            case .other: 2
            }
        }
        if left.effect != right.effect { return rank(left.effect) < rank(right.effect) }
        if left.count.events != right.count.events { return left.count.events > right.count.events }
        return (left.before, left.after) < (right.before, right.after)
    }
}
