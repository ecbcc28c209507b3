internal import Figures
internal import PolicyEngine

/// Gives names to the attestations whose verdict a change turns one way, and numbers to their kinds.
///
/// It counts nothing: counts are kept with each device, because a device may turn out to be one of which it is not known what
/// the change does to it (``DeviceChanges``).
struct ChangeCollector {
    private(set) var causes = Numbering<ChangeCause>()
    private var reasons = MixedNumbers<ChangeReason>(recentBits: 8)
    // By the number of a reason, what both sides decided and the causes that it stands for.
    private var meanings: [(sides: Int, causes: [Int])] = []
    // The decisions of both sides, once for all reasons that read alike; in order of first sight.
    private(set) var sides = Numbering<Sides>()
    private var kinds = MixedNumbers<Kind>(recentBits: 10)
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
    private struct Kind: Mixed {
        let reason: Int
        let app: Int
        let version: Int
        let system: Int

        var mixedBits: UInt64 {
            UInt64(truncatingIfNeeded: reason << 40 ^ app << 22 ^ version << 4 ^ system)
        }
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
        guard let known = reasons.known(reason), system != Self.unnamed, app != Self.unnamed, version != Self.unnamed
        else { return nil }
        return kinds.number(of: Kind(reason: known, app: app, version: version, system: system))
    }

    private static var unnamed: Int { -1 }
    private static var absent: Int { -2 }

    /// Gives names to the reason, the app, the version and the system of a change, where they have none.
    ///
    /// - Parameter names: The names of the change.
    mutating func name(
        _ attestation: borrowing ComparedAttestation, reason: ChangeReason, app numbers: AppNumbers,
        names: ChangedAttestation
    ) {
        if reasons.known(reason) == nil { add(reason, names) }
        if let app = numbers.app {
            Self.name(app, causes.number(of: ChangeCause(kind: .app, name: names.app ?? "")), in: &apps)
        }
        if let version = numbers.version {
            Self.name(version, causes.number(of: ChangeCause(kind: .version, name: names.version ?? "")), in: &versions)
        }
        let system = causes.number(of: ChangeCause(kind: .system, name: attestation.system.metricName))
        Self.name(Int(attestation.system.rawValue), system, in: &systems)
    }

    private static func name(_ number: Int, _ cause: Int, in causes: inout [Int]) {
        if number >= causes.count {
            causes.append(contentsOf: repeatElement(unnamed, count: number + 1 - causes.count))
        }
        causes[number] = cause
    }

    private mutating func add(_ reason: ChangeReason, _ names: ChangedAttestation) {
        let rejecting = names.after.isValid ? names.before : names.after
        let causes = rejecting.reasons.map { self.causes.number(of: Self.cause(of: $0)) }
        let known = sides.number(of: Sides(before: names.before, after: names.after))
        _ = reasons.number(of: reason)
        meanings.append((known, causes))
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
        let kind = kinds.all[number]
        let (sides, causes) = meanings[kind.reason]
        return (sides, causes + [kind.app, kind.version, kind.system].filter { $0 != Self.absent })
    }

    /// The number of kinds.
    var kindCount: Int { kinds.all.count }
}

/// Why both sides decided as they did, in numbers: the same reasons have the same names.
struct ChangeReason: Mixed {
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

        init(_ cause: VerdictCause) {
            (result, isValid, revision) = (.fetch(.success), cause.passed, 0)
            (policy, flags, filters) = (cause.policy, cause.rejectingFlags, cause.rejectingFilters)
            isBlacklisted = cause.isBlacklisted
        }

        var mixedBits: UInt64 {
            UInt64(truncatingIfNeeded: flags.bits) ^ UInt64(truncatingIfNeeded: flags.bits >> 59)
                ^ UInt64(filters.bits) << 32
        }
    }

    init(before: borrowing ComparedDecision, after: borrowing ComparedDecision) {
        self.before = Side(before)
        self.after = Side(after)
    }

    init(before: VerdictCause, after: VerdictCause) {
        self.before = Side(before)
        self.after = Side(after)
    }

    var mixedBits: UInt64 { before.mixedBits ^ before.mixedBits >> 7 ^ after.mixedBits &* 31 }
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
