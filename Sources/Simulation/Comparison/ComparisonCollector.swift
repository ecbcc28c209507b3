internal import PolicyEngine

/// Compares what two accounts decide on the same attestations, as they are decided.
struct ComparisonCollector {
    private var apps: AppTable
    private var rejected = ChangeCollector()
    private var accepted = ChangeCollector()
    private var compared = 0
    private var span: ClosedRange<Instant>?
    // By number: what is known of each device.
    private var devices: [DeviceOutcome] = []
    private var lifetimes: [LifetimeChange: Int] = [:]
    private var annotations: [AnnotationChange: Int] = [:]
    // The attributes that filters look at, and how many records have each.
    private var presences: [(name: String, key: AttributeKey, count: Int)]
    private var disagreements = DisagreementCollector()

    private struct DeviceOutcome: OptionSet {
        let rawValue: UInt8
        static let seen = DeviceOutcome(rawValue: 1)
        static let validBefore = DeviceOutcome(rawValue: 2)
        static let validAfter = DeviceOutcome(rawValue: 4)
    }

    private struct LifetimeChange: Hashable {
        let before: Int
        let after: Int
    }

    private struct AnnotationChange: Hashable {
        let before: FlagSet?
        let after: FlagSet?
    }

    /// - Parameters:
    ///   - accounts: The accounts that are compared.
    ///   - attributes: Takes the attributes that are looked at.
    init(_ accounts: [Account], attributes: inout AttributeTable) {
        apps = AppTable(attributes: &attributes)
        var names: [ExactText] = []
        for key in accounts.flatMap(\.filters).compactMap(\.key).map({ ExactText($0) })
        where !names.contains(key) && !["flags-all", "public-flags", "device-id"].contains(key) {
            names.append(key)
        }
        presences = names.compactMap { name in attributes.existingKey(named: name.text).map { (name.text, $0, 0) } }
    }

    /// Compares one attestation; where its verdict changed, ``countChange(of:before:after:attestation:system:sides:)``
    /// is to be told too.
    ///
    /// - Parameters:
    ///   - device: The device, by a number that is the same on both sides.
    ///   - before: What came of it before the change.
    ///   - after: What came of it after the change.
    ///   - attestation: What was observed, in the numbering of the side before.
    mutating func count(
        device: Int, before: borrowing Outcome, after: borrowing Outcome, attestation: borrowing Attestation
    ) {
        compared += 1
        let time = attestation.time
        span = span.map { $0.lowerBound...max($0.upperBound, time) } ?? time...time
        note(device, before: before, after: after)
        for place in presences.indices where attestation.value(of: presences[place].key) != .absent {
            presences[place].count += 1
        }
        guard let old = before.decision, let new = after.decision else { return }
        lifetimes[LifetimeChange(before: old.lifetime, after: new.lifetime), default: 0] += 1
        annotations[AnnotationChange(before: before.annotations, after: after.annotations), default: 0] += 1
    }

    /// Counts an attestation whose verdict changed, by names.
    ///
    /// - Parameters:
    ///   - system: The device's system.
    ///   - sides: Both sides, for names.
    mutating func countChange(
        of device: Int, before: Outcome, after: Outcome, attestation: borrowing Attestation,
        system: OperatingSystem, sides: (before: ComparedSide, after: ComparedSide)
    ) {
        let change = change(
            of: device, before: before, after: after, attestation: attestation, system: system, sides: sides)
        if after.isValid { accepted.count(change) } else { rejected.count(change) }
    }

    /// Counts a record on which the side before and the service disagree.
    mutating func countDisagreement(captured: Bool, decision: Decision, side: ComparedSide) {
        disagreements.count(captured: captured, decision: decision, side: side)
    }

    private mutating func note(_ device: Int, before: borrowing Outcome, after: borrowing Outcome) {
        if device >= devices.count {
            devices.append(contentsOf: repeatElement([], count: device + 1 - devices.count))
        }
        var outcome = devices[device].union(.seen)
        if before.isValid { outcome.insert(.validBefore) }
        if after.isValid { outcome.insert(.validAfter) }
        devices[device] = outcome
    }

    private mutating func change(
        of device: Int, before: Outcome, after: Outcome, attestation: borrowing Attestation,
        system: OperatingSystem, sides: (before: ComparedSide, after: ComparedSide)
    ) -> ChangeCollector.Change {
        let (app, version) = apps.numbers(of: attestation, on: system)
        let attributes = sides.before.symbols.attributes
        let rejecting = after.isValid ? (before, sides.before) : (after, sides.after)
        let flags = rejecting.0.decision?.flags ?? attestation.flags
        return ChangeCollector.Change(
            device: device, id: sides.before.symbols.devices[attestation.device], time: attestation.time,
            flags: rejecting.1.symbols.catalogue.names(of: flags), before: Self.side(before, sides.before),
            after: Self.side(after, sides.after), app: app.map { apps.name(ofApp: $0, attributes: attributes) },
            version: version.map { apps.name(ofVersion: $0, attributes: attributes) }, system: system)
    }

    private static func side(_ outcome: Outcome, _ side: ComparedSide) -> ChangeFigures.Side {
        guard let decision = outcome.decision else {
            return ChangeFigures.Side(isValid: false, policy: "", rejections: ["result:\(outcome.result.rawValue)"])
        }
        return ChangeFigures.Side(
            isValid: decision.passed, policy: side.engine.policy(of: decision).description,
            rejections: side.engine.rejections(of: decision, catalogue: side.symbols.catalogue))
    }
}

extension ComparisonCollector {
    /// What was compared, with names for numbers.
    ///
    /// - Parameters:
    ///   - catalogue: The flags.
    ///   - weight: The fetches of a device by its number, where they are known.
    func figures(catalogue: FlagCatalogue, weight: ((Int) -> Int)? = nil) -> ComparisonFigures {
        var figures = ComparisonFigures()
        figures.attestations = compared
        figures.devices = devices.count { $0.contains(.seen) }
        figures.lockedOut = devices.count { $0.contains(.validBefore) && !$0.contains(.validAfter) }
        figures.letIn = devices.count { $0.contains(.validAfter) && !$0.contains(.validBefore) }
        figures.rejected = rejected.figures(weight: weight)
        figures.accepted = accepted.figures(weight: weight)
        figures.lifetimes = lifetimes.map {
            ComparisonFigures.LifetimeChange(before: $0.key.before, after: $0.key.after, attestations: $0.value)
        }.sorted { ($1.before, $1.after) < ($0.before, $0.after) }
        figures.span = span
        for (change, count) in annotations where change.before != change.after {
            figures.annotations.count(change.before, change.after, count, catalogue)
        }
        figures.presences = presences.map { ComparisonFigures.Presence(attribute: $0.name, records: $0.count) }
        figures.disagreements = disagreements.figures
        return figures
    }
}
