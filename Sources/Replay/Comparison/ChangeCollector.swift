internal import PolicyEngine

/// Counts the attestations whose verdict a change turns one way.
struct ChangeCollector {
    private var events = 0
    private var attestations = 0
    private var devices = DeviceSet()
    private var causes: [(cause: ChangeCause, tally: Tally)] = []
    private var numbers: [ChangeCause: Int] = [:]
    private var reasons = KnownReasons()
    private var named: [Names: Int] = [:]
    // In order of first sight.
    private var examples: [ChangeFigures.Example] = []
    // The causes that apps, versions and systems are, by their numbers; ``unnamed`` for those without a name here.
    private var apps: [Int] = []
    private var versions: [Int] = []
    private var systems = Array(repeating: unnamed, count: OperatingSystem.allCases.count)

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
        let system = systems[Int(attestation.system.rawValue)]
        let app = numbers.app.map { $0 < apps.count ? apps[$0] : Self.unnamed }
        let version = numbers.version.map { $0 < versions.count ? versions[$0] : Self.unnamed }
        guard let known = reasons.number(of: reason), system != Self.unnamed, app != Self.unnamed,
            version != Self.unnamed
        else { return false }
        let attested = attestation.isAttested ? 1 : 0
        events += 1
        attestations += attested
        let device = attestation.device.offset
        devices.insert(device)
        let example = reasons.all[known].example
        examples[example].events += 1
        examples[example].attestations += attested
        for index in reasons.all[known].causes.indices { count(reasons.all[known].causes[index], device, attested) }
        if let app { count(app, device, attested) }
        if let version { count(version, device, attested) }
        count(system, device, attested)
        return true
    }

    private static var unnamed: Int { -1 }

    /// Gives names to the reason, the app, the version and the system of a change, where they have none.
    ///
    /// - Parameter names: The names of the change.
    mutating func name(
        _ attestation: borrowing ComparedAttestation, reason: ChangeReason, app numbers: AppNumbers,
        names: ChangedAttestation
    ) {
        if reasons.number(of: reason) == nil { add(reason, attestation, names) }
        if let app = numbers.app {
            let cause = ChangeCause(kind: .app, name: names.app ?? "")
            Self.name(app, number(cause, attestation.index, names), in: &apps)
        }
        if let version = numbers.version {
            let cause = ChangeCause(kind: .version, name: names.version ?? "")
            Self.name(version, number(cause, attestation.index, names), in: &versions)
        }
        let cause = ChangeCause(kind: .system, name: attestation.system.metricName)
        Self.name(Int(attestation.system.rawValue), number(cause, attestation.index, names), in: &systems)
    }

    private static func name(_ number: Int, _ cause: Int, in causes: inout [Int]) {
        if number >= causes.count {
            causes.append(contentsOf: repeatElement(unnamed, count: number + 1 - causes.count))
        }
        causes[number] = cause
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
        reasons.add(reason, example: example, causes: causes)
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

/// The reasons of changes by their numbers, in the order of first sight.
private struct KnownReasons {
    /// The example and the causes that each stands for.
    private(set) var all: [(example: Int, causes: [Int])] = []
    private var numbers: [ChangeReason: Int] = [:]
    // Some of them, where some bits of a reason say: few reasons make most changes.
    private var recent: [(reason: ChangeReason, number: Int)?] = Array(repeating: nil, count: recentCount)

    private static let recentCount = 256

    /// The number of a reason that has one.
    mutating func number(of reason: ChangeReason) -> Int? {
        let place = reason.mixedBits & (Self.recentCount - 1)
        if let known = recent[place], known.reason == reason { return known.number }
        guard let number = numbers[reason] else { return nil }
        recent[place] = (reason, number)
        return number
    }

    /// Gives a new reason a number.
    mutating func add(_ reason: ChangeReason, example: Int, causes: [Int]) {
        numbers[reason] = all.count
        all.append((example, causes))
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

    /// Bits that differ for most different reasons.
    var mixedBits: Int {
        func words(_ side: Side) -> UInt64 {
            UInt64(truncatingIfNeeded: side.flags.bits) ^ UInt64(truncatingIfNeeded: side.flags.bits >> 59)
                ^ UInt64(side.filters.bits) << 32
        }
        let mixed = (words(before) ^ words(after) &* 31) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 40)
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
