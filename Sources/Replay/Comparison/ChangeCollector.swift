internal import Figures
internal import PolicyEngine

/// Gives names to the attestations whose verdict a change turns one way, and numbers to their kinds.
///
/// It counts nothing: counts are kept with each device, because a device may turn out to be one of which it is not known what
/// the change does to it (``DeviceChanges``).
struct ChangeCollector {
    private(set) var causes: [ChangeCause] = []
    private var numbers: [ChangeCause: Int] = [:]
    private var reasons = KnownReasons()
    private var named: [Sides: Int] = [:]
    // The decisions of both sides, once for all reasons that read alike; in order of first sight.
    private(set) var sides: [Sides] = []
    private var kinds: [Kind] = []
    private var kindNumbers: [Kind: Int] = [:]
    // The kind that was found last: most changes of a capture are of few kinds.
    private var latest: (kind: Kind, number: Int)?
    // The causes that apps, versions and systems are, by their numbers; ``unnamed`` for those without a name here.
    private var apps: [Int] = []
    private var versions: [Int] = []
    private var systems = Array(repeating: unnamed, count: OperatingSystem.allCases.count)

    /// The decisions of both sides, in names.
    struct Sides: Hashable {
        let before: ChangeFigures.Side
        let after: ChangeFigures.Side
    }

    // Attestations that are counted together.
    private struct Kind: Hashable {
        let reason: Int
        let app: Int
        let version: Int
        let system: Int
    }

    /// The number of the kind of a change whose reason, app, version and system all have names here.
    ///
    /// - Parameters:
    ///   - attestation: The attestation.
    ///   - reason: Why both sides decided as they did.
    ///   - numbers: The app that it came with.
    /// - Returns: `nil` where one of them has none; ``name(_:reason:app:names:)`` names them.
    mutating func kind(
        of attestation: borrowing ComparedAttestation, reason: ChangeReason, app numbers: AppNumbers
    ) -> Int? {
        let system = systems[Int(attestation.system.rawValue)]
        let app = numbers.app.map { $0 < apps.count ? apps[$0] : Self.unnamed } ?? Self.absent
        let version = numbers.version.map { $0 < versions.count ? versions[$0] : Self.unnamed } ?? Self.absent
        guard let known = reasons.number(of: reason), system != Self.unnamed, app != Self.unnamed,
            version != Self.unnamed
        else { return nil }
        return number(of: Kind(reason: known, app: app, version: version, system: system))
    }

    private static var unnamed: Int { -1 }
    private static var absent: Int { -2 }

    private mutating func number(of kind: Kind) -> Int {
        if let latest, latest.kind == kind { return latest.number }
        let number = kindNumbers[kind] ?? kinds.count
        if number == kinds.count {
            kindNumbers[kind] = number
            kinds.append(kind)
        }
        latest = (kind, number)
        return number
    }

    /// Gives names to the reason, the app, the version and the system of a change, where they have none.
    ///
    /// - Parameter names: The names of the change.
    mutating func name(
        _ attestation: borrowing ComparedAttestation, reason: ChangeReason, app numbers: AppNumbers,
        names: ChangedAttestation
    ) {
        if reasons.number(of: reason) == nil { add(reason, names) }
        if let app = numbers.app {
            Self.name(app, number(of: ChangeCause(kind: .app, name: names.app ?? "")), in: &apps)
        }
        if let version = numbers.version {
            Self.name(version, number(of: ChangeCause(kind: .version, name: names.version ?? "")), in: &versions)
        }
        let system = number(of: ChangeCause(kind: .system, name: attestation.system.metricName))
        Self.name(Int(attestation.system.rawValue), system, in: &systems)
    }

    private static func name(_ number: Int, _ cause: Int, in causes: inout [Int]) {
        if number >= causes.count {
            causes.append(contentsOf: repeatElement(unnamed, count: number + 1 - causes.count))
        }
        causes[number] = cause
    }

    // The number of a cause, given one at first sight.
    private mutating func number(of cause: ChangeCause) -> Int {
        if let known = numbers[cause] { return known }
        numbers[cause] = causes.count
        causes.append(cause)
        return causes.count - 1
    }

    private mutating func add(_ reason: ChangeReason, _ names: ChangedAttestation) {
        let rejecting = names.after.isValid ? names.before : names.after
        let causes = rejecting.reasons.map { number(of: Self.cause(of: $0)) }
        let both = Sides(before: names.before, after: names.after)
        let example = named[both] ?? sides.count
        if example == sides.count {
            named[both] = example
            sides.append(both)
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

    /// The parts that the changes of a kind have in common.
    ///
    /// - Returns: The number of what both sides decided, and those of the causes, each once.
    func parts(ofKind number: Int) -> (sides: Int, causes: [Int]) {
        let kind = kinds[number]
        let (example, causes) = reasons.all[kind.reason]
        return (example, causes + [kind.app, kind.version, kind.system].filter { $0 != Self.absent })
    }

    /// The number of kinds.
    var kindCount: Int { kinds.count }
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
        let index = reason.mixedBits & (Self.recentCount - 1)
        if let known = recent[index], known.reason == reason { return known.number }
        guard let number = numbers[reason] else { return nil }
        recent[index] = (reason, number)
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
        let result: CallResult
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

/// A cause that newly rejected attestations have in common, or newly accepted ones.
struct ChangeCause: Hashable {
    let kind: ChangeFigures.Kind
    private let exactName: ExactText

    var name: String { exactName.text }

    init(kind: ChangeFigures.Kind, name: String) {
        (self.kind, exactName) = (kind, ExactText(name))
    }
}

/// The names of what is reported of an attestation whose verdict a change turned; worked out only where it is new.
struct ChangedAttestation {
    let before: ChangeFigures.Side
    let after: ChangeFigures.Side
    /// The app that it came with, as metrics name it.
    let app: String?
    /// The same with its version.
    let version: String?
}
