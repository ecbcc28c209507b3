internal import PolicyEngine

/// Counts the attestations whose verdict a change turns one way.
struct ChangeCollector {
    private var events = 0
    private var attestations = 0
    private var devices = DeviceSet()
    private var causes: [(cause: ChangeCause, tally: Tally)] = []
    private var numbers: [ChangeCause: Int] = [:]
    // The reasons so far, and by them the example and the causes that they stand for.
    private var reasons: [ChangeReason: (example: Int, causes: [Int])] = [:]
    private var named: [Names: Int] = [:]
    // In order of first sight.
    private var examples: [ChangeFigures.Example] = []
    // The causes that apps, versions and systems are.
    private var parts: [Part: Int] = [:]

    private enum Part: Hashable {
        case app(Int)
        case version(Int)
        case system(OperatingSystem)
    }

    private struct Tally {
        var events = 0
        var attestations = 0
        var devices = DeviceSet()
        let example: DeviceID
        let index: Int
    }

    private struct Names: Hashable {
        let before: ChangeFigures.Side
        let after: ChangeFigures.Side
    }

    /// Counts a change whose reason, app, version and system all have names here.
    ///
    /// - Parameters:
    ///   - attestation: The attestation.
    ///   - reason: Why both sides decided as they did.
    ///   - numbers: The app that it came with.
    /// - Returns: Whether they have; else nothing is counted, and ``name(_:reason:app:names:)`` names them.
    mutating func count(
        _ attestation: borrowing ComparedAttestation, reason: ChangeReason, app numbers: AppNumbers
    ) -> Bool {
        guard let known = reasons[reason], let system = parts[.system(attestation.system)] else { return false }
        let app = numbers.app.map { parts[.app($0)] ?? Self.unnamed }
        let version = numbers.version.map { parts[.version($0)] ?? Self.unnamed }
        guard app != Self.unnamed, version != Self.unnamed else { return false }
        let attested = attestation.isAttested ? 1 : 0
        events += 1
        attestations += attested
        let device = attestation.device.offset
        devices.insert(device)
        examples[known.example].events += 1
        examples[known.example].attestations += attested
        for cause in known.causes { count(cause, device, attested) }
        if let app { count(app, device, attested) }
        if let version { count(version, device, attested) }
        count(system, device, attested)
        return true
    }

    private static let unnamed = -1

    /// Gives names to the reason, the app, the version and the system of a change, where they have none.
    ///
    /// - Parameter names: The names of the change.
    mutating func name(
        _ attestation: borrowing ComparedAttestation, reason: ChangeReason, app numbers: AppNumbers,
        names: ChangedAttestation
    ) {
        if reasons[reason] == nil { add(reason, attestation, names) }
        if let app = numbers.app { name(.app(app), ChangeCause(kind: .app, name: names.app ?? ""), attestation, names) }
        if let version = numbers.version {
            name(.version(version), ChangeCause(kind: .version, name: names.version ?? ""), attestation, names)
        }
        let system = attestation.system
        name(.system(system), ChangeCause(kind: .system, name: system.metricName), attestation, names)
    }

    private mutating func name(
        _ part: Part, _ cause: ChangeCause, _ attestation: borrowing ComparedAttestation, _ names: ChangedAttestation
    ) {
        if parts[part] == nil { parts[part] = number(cause, attestation.index, names) }
    }

    private mutating func count(_ cause: Int, _ device: Int, _ attested: Int) {
        causes[cause].tally.events += 1
        causes[cause].tally.attestations += attested
        causes[cause].tally.devices.insert(device)
    }

    // The number of a cause, given one at first sight.
    private mutating func number(_ cause: ChangeCause, _ index: Int, _ names: ChangedAttestation) -> Int {
        if let known = numbers[cause] { return known }
        numbers[cause] = causes.count
        causes.append((cause, Tally(example: names.device, index: index)))
        return causes.count - 1
    }

    private mutating func add(
        _ reason: ChangeReason, _ attestation: borrowing ComparedAttestation, _ names: ChangedAttestation
    ) {
        let rejecting = names.after.isValid ? names.before : names.after
        let index = attestation.index
        let causes = rejecting.reasons.map { number(Self.cause(of: $0), index, names) }
        let example = named[Names(before: names.before, after: names.after)] ?? examples.count
        if example == examples.count {
            named[Names(before: names.before, after: names.after)] = example
            examples.append(
                ChangeFigures.Example(
                    index: index, device: names.device, time: attestation.time, events: 0, attestations: 0,
                    flags: names.flags,
                    before: names.before, after: names.after))
        }
        reasons[reason] = (example, causes)
    }

    private static func cause(of reason: ChangeFigures.Reason) -> ChangeCause {
        switch reason {
        case .rejection(.flag(let flag)): ChangeCause(kind: .flag, name: flag.text)
        case .rejection(.filter(let filter)): ChangeCause(kind: .filter, name: filter.text)
        case .rejection(.blacklist), .result: ChangeCause(kind: .other, name: reason.name)
        }
    }

    /// What was counted, not yet in the order of reports.
    ///
    /// - Parameter weight: The fetches of a device, where they are known.
    func figures(weight: ((Int) -> Int)?) -> ChangeFigures {
        var figures = ChangeFigures()
        figures.events = events
        figures.attestations = attestations
        figures.devices = devices.count
        figures.fetches = weight.map { weight in devices.elements.reduce(0) { $0 + weight($1) } }
        figures.splits = ChangeCause.Kind.allCases.compactMap { kind in
            let parts = causes.filter { $0.cause.kind == kind }.map { cause, tally in
                ChangeFigures.Part(
                    name: cause.name, events: tally.events, attestations: tally.attestations,
                    devices: tally.devices.count, example: tally.example, index: tally.index)
            }
            return parts.isEmpty ? nil : ChangeFigures.Split(kind: kind.rawValue, parts: parts)
        }
        figures.examples = examples
        return figures
    }
}

/// Why both sides decided as they did, in numbers: the same reasons have the same names.
struct ChangeReason: Hashable {
    private let before: Side
    private let after: Side

    private struct Side: Hashable {
        let result: FetchResult
        let isValid: Bool
        let revision: Int
        let policy: PolicyNumber?
        let flags: FlagSet
        let filters: FilterSet
        let isBlacklisted: Bool

        init(_ side: borrowing ComparedDecision) {
            result = side.result
            isValid = side.isValid
            revision = side.decision?.revision ?? 0
            policy = side.decision?.policy
            flags = side.decision?.rejectingFlags ?? .empty
            filters = side.decision?.rejectingFilters ?? .empty
            isBlacklisted = side.decision?.isBlacklisted ?? false
        }
    }

    init(before: borrowing ComparedDecision, after: borrowing ComparedDecision) {
        self.before = Side(before)
        self.after = Side(after)
    }
}

/// What newly rejected attestations have in common, or newly accepted ones.
package struct ChangeCause: Hashable {
    let kind: Kind
    private let exactName: ExactText

    var name: String { exactName.text }

    init(kind: Kind, name: String) {
        (self.kind, exactName) = (kind, ExactText(name))
    }

    /// The ways in which a change is split up, in the order of reports.
    package enum Kind: String, Hashable, CaseIterable {
        /// A flag that rejects, on the side that rejects.
        case flag
        /// A filter that rejects there.
        case filter
        /// Another reason there: a policy that rejects everything, or no token at all.
        case other
        case app
        case version
        case system
    }
}

/// The names of what is reported of an attestation whose verdict a change turned; worked out only where it is new.
struct ChangedAttestation {
    let device: DeviceID
    /// The flags that the side that rejects saw.
    let flags: [String]
    let before: ChangeFigures.Side
    let after: ChangeFigures.Side
    /// The app that it came with, as metrics name it.
    let app: String?
    /// The same with its version.
    let version: String?
}
