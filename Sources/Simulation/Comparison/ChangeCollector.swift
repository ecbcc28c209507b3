internal import PolicyEngine

/// Counts the attestations whose verdict a change turns one way.
struct ChangeCollector {
    private var attestations = 0
    private var causes: [ChangeCause: Tally] = [:]
    // In order of first sight.
    private var reasons: [Reason: Int] = [:]
    private var examples: [ChangeFigures.Example] = []
    /// The devices, by number.
    private(set) var devices: Set<Int> = []

    private struct Tally {
        var attestations = 0
        var devices: Set<Int> = []
        let example: DeviceID
        let index: Int
    }

    private struct Reason: Hashable {
        let before: ChangeFigures.Side
        let after: ChangeFigures.Side
    }

    /// An attestation whose verdict changed, in names.
    struct Change {
        let index: Int
        let device: Int
        let id: DeviceID
        let time: Instant
        let flags: [String]
        let before: ChangeFigures.Side
        let after: ChangeFigures.Side
        /// What it is split by, beside the reasons of the side that rejects.
        let app: String?
        let version: String?
        let system: OperatingSystem
    }

    /// Counts a change.
    mutating func count(_ change: Change) {
        attestations += 1
        devices.insert(change.device)
        let rejecting = change.after.isValid ? change.before : change.after
        for rejection in rejecting.rejections { count(Self.cause(of: rejection), change) }
        if let app = change.app { count(ChangeCause(kind: .app, name: app), change) }
        if let version = change.version { count(ChangeCause(kind: .version, name: version), change) }
        count(ChangeCause(kind: .system, name: change.system.metricName), change)
        exemplify(change)
    }

    private mutating func count(_ cause: ChangeCause, _ change: Change) {
        causes[cause, default: Tally(example: change.id, index: change.index)].attestations += 1
        causes[cause]?.devices.insert(change.device)
    }

    private mutating func exemplify(_ change: Change) {
        let reason = Reason(before: change.before, after: change.after)
        if let place = reasons[reason] {
            examples[place].attestations += 1
            return
        }
        reasons[reason] = examples.count
        examples.append(
            ChangeFigures.Example(
                index: change.index, device: change.id, time: change.time, attestations: 1, flags: change.flags,
                before: change.before,
                after: change.after))
    }

    private static func cause(of rejection: String) -> ChangeCause {
        if rejection.hasPrefix("filter:") {
            return ChangeCause(kind: .filter, name: String(rejection.dropFirst("filter:".count)))
        }
        let isFlag = !rejection.hasPrefix("policy:") && !rejection.hasPrefix("result:")
        return ChangeCause(kind: isFlag ? .flag : .other, name: rejection)
    }

    /// What was counted.
    ///
    /// - Parameter weight: The fetches of a device, where they are known.
    func figures(weight: ((Int) -> Int)?) -> ChangeFigures {
        var figures = ChangeFigures()
        figures.attestations = attestations
        figures.devices = devices.count
        figures.fetches = weight.map { weight in devices.reduce(0) { $0 + weight($1) } }
        figures.splits = ChangeCause.Kind.allCases.compactMap { kind in
            let parts = causes.filter { $0.key.kind == kind }.map { cause, tally in
                ChangeFigures.Part(
                    name: cause.name, attestations: tally.attestations, devices: tally.devices.count,
                    example: tally.example, index: tally.index)
            }
            guard !parts.isEmpty else { return nil }
            return ChangeFigures.Split(kind: kind.rawValue, parts: parts)
        }
        figures.examples = examples
        return figures
    }
}
