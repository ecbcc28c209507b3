package import Figures
package import PolicyEngine

/// Compares what two accounts decide on the same attestations, as they are decided.
package struct ComparisonCollector {
    // The names of the changes that newly reject, and of those that newly accept.
    private var rejected = ChangeCollector()
    private var accepted = ChangeCollector()
    private var events = 0
    private var attestations = 0
    private var span: ClosedRange<Instant>?
    // The effects by device, from which the figures are computed in the end.
    private var devices = DeviceChanges()
    private var unsearched = UnsearchedDevices()
    private var effects = TokenEffects()
    // The attributes that filters look at, and how many records have each, by its bit in their masks.
    private let attributes: [String]
    private var presences = BitTally<AttributePresences.Mask>()
    private var disagreements = DisagreementCollector()

    /// - Parameter attributes: The names of the attributes that filters look at (``AttributePresences``).
    package init(attributes: [String]) {
        self.attributes = attributes
    }

    /// Compares one attestation. If its verdict changed, ``countKnownChange(of:before:after:app:)`` follows.
    ///
    /// If a search was given up that a decision depends on, it is not known what the change does (R7.2).
    ///
    /// - Parameters:
    ///   - attestation: The attestation that was evaluated.
    ///   - before: The decision before the change.
    ///   - after: The decision after the change.
    ///   - presence: The attributes that it has.
    ///   - isOpen: True if both decisions may be the opposite ones.
    /// - Returns: The number of the effect; `nil` where it is not known what the change does.
    @discardableResult
    package mutating func count(
        _ attestation: borrowing ComparedAttestation, before: borrowing ComparedDecision,
        after: borrowing ComparedDecision, presence: AttributePresences.Mask, isOpen: Bool = false
    ) -> Int? {
        countEvent(attestation, presence: presence)
        let device = attestation.device.offset
        guard !Self.isUnsearched(before, after) else {
            noteUnsearched(attestation, before.unsearched + after.unsearched)
            return nil
        }
        devices.note(device, isOpen ? [.seen, .openVerdict] : Self.marks(before, after))
        var lifetimes: (before: Int, after: Int)?
        if let old = before.decision, let new = after.decision { lifetimes = (old.lifetime, new.lifetime) }
        let effect = effects.number(
            lifetimes: lifetimes, annotations: (before.annotations, after.annotations),
            isAttested: attestation.isAttested)
        devices.count(effect, of: device)
        return effect
    }

    /// Counts an attestation whose verdict changes, where the effect of the change is known by its number.
    ///
    /// - Parameters:
    ///   - causes: The verdicts of both sides, and why.
    ///   - effect: The number of the effect.
    ///   - flags: All flags of the side that rejects, as it numbers them.
    ///   - app: The app that it came with.
    /// - Returns: False if something is to be named; nothing is counted then.
    mutating func countChanged(
        _ attestation: borrowing ComparedAttestation, causes: (before: VerdictCause, after: VerdictCause), effect: Int,
        presence: AttributePresences.Mask, flags: @autoclosure () -> FlagSet, app: AppNumbers
    ) -> Bool {
        let (device, after) = (attestation.device.offset, causes.after.passed)
        let reason = ChangeReason(before: causes.before, after: causes.after)
        guard let kind = kind(of: attestation, reason: reason, isAccepted: after, app: app) else { return false }
        countEvent(attestation, presence: presence)
        devices.note(device, after ? [.seen, .failedBefore, .validAfter] : [.seen, .validBefore, .failedAfter])
        devices.count(effect, of: device)
        devices.count(kind: kind, isAccepted: after, of: attestation, flags: flags())
        return true
    }

    /// Counts an attestation whose verdict stays, where the effect of the change is known by its number.
    ///
    /// - Parameters:
    ///   - passed: The verdict.
    ///   - effect: The number of the effect.
    mutating func countUnchanged(
        _ attestation: borrowing ComparedAttestation, passed: Bool, effect: Int, presence: AttributePresences.Mask
    ) {
        countEvent(attestation, presence: presence)
        let device = attestation.device.offset
        devices.note(device, passed ? [.seen, .validBefore, .validAfter] : [.seen, .failedBefore, .failedAfter])
        devices.count(effect, of: device)
    }

    private mutating func kind(
        of attestation: borrowing ComparedAttestation, reason: ChangeReason, isAccepted: Bool, app: AppNumbers
    ) -> Int? {
        isAccepted
            ? accepted.kind(of: attestation, reason: reason, app: app)
            : rejected.kind(of: attestation, reason: reason, app: app)
    }

    private static func marks(
        _ before: borrowing ComparedDecision, _ after: borrowing ComparedDecision
    ) -> DeviceMarks {
        DeviceMarks.seen.union(before.isValid ? .validBefore : .failedBefore)
            .union(after.isValid ? .validAfter : .failedAfter)
    }

    /// Compares a call of a client beside those for tokens (R19a). If one side alone gave what was asked for,
    /// ``countKnownChange(of:before:after:app:)`` follows, as for attestations.
    ///
    /// - Parameters: As of ``count(_:before:after:presence:)``.
    package mutating func countCall(
        _ attestation: borrowing ComparedAttestation, before: borrowing ComparedDecision,
        after: borrowing ComparedDecision, presence: AttributePresences.Mask
    ) {
        countEvent(attestation, presence: presence)
        let device = attestation.device.offset
        guard !Self.isUnsearched(before, after) else {
            return noteUnsearched(attestation, before.unsearched + after.unsearched)
        }
        devices.note(device, .seen)
        // Of a call neither lifetime nor annotations reach a backend.
        devices.count(
            effects.number(lifetimes: nil, annotations: (nil, nil), isAttested: attestation.isAttested), of: device)
    }

    /// Asks for the memory of a device before it is needed.
    func prefetch(_ device: DeviceIndex) { devices.prefetch(device.offset) }

    /// Notes a device of which something else is compared, so that it counts among all devices (R19a).
    package mutating func noteDevice(_ device: DeviceIndex) { devices.note(device.offset, .seen) }

    private mutating func countEvent(
        _ attestation: borrowing ComparedAttestation, presence: AttributePresences.Mask
    ) {
        events += 1
        if attestation.isAttested { attestations += 1 }
        let time = attestation.time
        span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
        presences.add(presence)
    }

    /// Counts an attestation of which it is not known what the change does to it.
    mutating func countUnevaluated(
        _ attestation: borrowing ComparedAttestation, presence: AttributePresences.Mask
    ) {
        countEvent(attestation, presence: presence)
        devices.note(attestation.device.offset, [.seen, .maybeNew])
        countUnknown(attestation)
    }

    private static func isUnsearched(_ before: borrowing ComparedDecision, _ after: borrowing ComparedDecision) -> Bool
    {
        !before.unsearched.isEmpty || !after.unsearched.isEmpty
    }

    private mutating func noteUnsearched(_ attestation: borrowing ComparedAttestation, _ filters: [String]) {
        let device = attestation.device.offset
        devices.note(device, [.seen, .unsearched])
        countUnknown(attestation)
        for name in filters { unsearched.insert(device, filter: name) }
    }

    // A device that is not evaluated is in no figure, but its attestations are counted: they say how far figures could change.
    private mutating func countUnknown(_ attestation: borrowing ComparedAttestation) {
        let effect = effects.number(
            lifetimes: nil, annotations: (nil, nil), isAttested: attestation.isAttested)
        devices.count(effect, of: attestation.device.offset)
    }

    /// True if a search was given up that a decision on a device depends on (R7.2).
    func isUnsearched(_ device: Int) -> Bool { devices[device].contains(.unsearched) }

    /// Counts an attestation whose verdict changed, where all that is to be named of it was named before.
    ///
    /// - Parameter numbers: The app that it came with.
    /// - Returns: True if it was, or nothing is known of the change; else nothing is counted, and
    ///   ``countNewChange(of:before:after:app:names:)`` follows.
    package mutating func countKnownChange(
        of attestation: borrowing ComparedAttestation, before: borrowing ComparedDecision,
        after: borrowing ComparedDecision, app numbers: AppNumbers
    ) -> Bool {
        if Self.isUnsearched(before, after) { return true }
        let (reason, isAccepted) = (ChangeReason(before: before, after: after), after.isValid)
        guard let kind = kind(of: attestation, reason: reason, isAccepted: isAccepted, app: numbers) else {
            return false
        }
        let observed = attestation.flags
        let flags = (isAccepted ? before.decision : after.decision)?.flags ?? observed
        devices.count(kind: kind, isAccepted: isAccepted, of: attestation, flags: flags)
        return true
    }

    /// The sources of the names of a change's new parts.
    package struct Names {
        let before: ComparedSide
        let after: ComparedSide
        let app: (app: String?, version: String?)

        package init(before: ComparedSide, after: ComparedSide, app: (app: String?, version: String?)) {
            (self.before, self.after, self.app) = (before, after, app)
        }
    }

    /// Names what is new of an attestation whose verdict changed, and counts it.
    package mutating func countNewChange(
        of attestation: borrowing ComparedAttestation, before: borrowing ComparedDecision,
        after: borrowing ComparedDecision, app numbers: AppNumbers, names: Names
    ) {
        let change = ChangedAttestation(
            before: Self.side(copy before, names.before), after: Self.side(copy after, names.after),
            app: names.app.app, version: names.app.version)
        let reason = ChangeReason(before: before, after: after)
        if after.isValid {
            accepted.name(attestation, reason: reason, app: numbers, names: change)
        } else {
            rejected.name(attestation, reason: reason, app: numbers, names: change)
        }
        _ = countKnownChange(of: attestation, before: before, after: after, app: numbers)
    }

    /// Counts a record on which the side before and the service disagree.
    mutating func countDisagreement(
        of attestation: ComparedAttestation, decision: Decision, side: ComparedSide
    ) {
        disagreements.count(attestation.index, decision: decision, side: side)
    }

    private static func side(_ compared: ComparedDecision, _ side: ComparedSide) -> ChangeFigures.Side {
        let policy = compared.decision.map { side.engine.policy(of: $0).description } ?? ""
        // A call may end badly though its attestation passed.
        guard let decision = compared.decision, decision.passed == compared.isValid else {
            return .init {
                ($0.isValid, $0.policy) = (compared.isValid, policy)
                $0.reasons = compared.isValid ? [] : [.result(compared.result)]
            }
        }
        return .init {
            ($0.isValid, $0.policy) = (decision.passed, policy)
            $0.reasons = side.engine.causes(of: decision, catalogue: side.symbols.catalogue).map { .rejection($0) }
        }
    }
}

extension ComparisonCollector {
    /// The effect of the change on each device by its number.
    var outcomes: [DeviceOutcome] { devices.outcomes }

    /// The figures of the comparison, with names for numbers; not yet in the order of reports (``ComparisonFigures/finished``).
    ///
    /// - Parameters:
    ///   - catalogue: The flags, in numbers that both sides share.
    ///   - sides: Both sides, which name the flags of examples.
    ///   - weight: The fetches of a device by its number, where they are known.
    package func figures(
        catalogue: FlagCatalogue, sides: (before: ComparedSide, after: ComparedSide), weight: ((Int) -> Int)? = nil
    ) -> ComparisonFigures {
        var figures = ComparisonFigures()
        figures.events = events
        figures.attestations = attestations
        figures.devices = devices.count
        figures.lockedOut = devices.count { $0.has(.validBefore, without: .validAfter) }
        figures.letIn = devices.count { $0.has(.validAfter, without: .validBefore) }
        figures.openTurns = devices.count { $0.maySettle(.validBefore, .validAfter) }
        figures.failing = FailingDevices {
            $0.before = devices.count { $0.has(.failedBefore, without: .failedAfter) }
            $0.after = devices.count { $0.has(.failedAfter, without: .failedBefore) }
            $0.open = devices.count { $0.maySettle(.failedBefore, .failedAfter) }
        }
        unsearched.count(in: &figures.unevaluated)
        figures.unevaluated.addNewDevices(
            devices.count { $0.contains(.maybeNew) },
            others: devices.count { $0.contains(.maybeNew) && !$0.contains(.unsearched) })
        let table = sides.before.symbols.devices
        figures.rejected = ChangeTally.figures(
            of: devices, named: rejected, isAccepted: false, devices: table, flags: sides.after.symbols.catalogue,
            weight: weight)
        figures.accepted = ChangeTally.figures(
            of: devices, named: accepted, isAccepted: true, devices: table, flags: sides.before.symbols.catalogue,
            weight: weight)
        effects.count(in: devices, into: &figures, catalogue)
        figures.span = span
        figures.presences = zip(attributes, presences.all).map { presence in
            .init { ($0.attribute, $0.records) = presence }
        }
        figures.disagreements = disagreements.figures
        return figures
    }
}

/// Counts where an account decides other than the service did, by the reasons.
struct DisagreementCollector {
    private var verdicts = Numbering<ComparisonFigures.Verdict>()
    private var found: [ComparisonFigures.Disagreement] = []

    /// Counts one.
    mutating func count(_ index: Int, decision: Decision, side: ComparedSide) {
        let verdict = Self.verdict(decision, side)
        let number = verdicts.number(of: verdict)
        guard number == found.count else {
            found[number].attestations += 1
            return
        }
        found.append(
            .init {
                ($0.verdict, $0.attestations, $0.index) = (verdict, 1, index)
                ($0.example, $0.time) = (side.symbols.devices[decision.device], decision.time)
            })
    }

    private static func verdict(_ decision: Decision, _ side: ComparedSide) -> ComparisonFigures.Verdict {
        let catalogue = side.symbols.catalogue
        guard decision.passed else { return .fails(side.engine.causes(of: decision, catalogue: catalogue)) }
        let flags = decision.flags.subtracting([.newDevice, .riskyDevice])
        return .passes(catalogue.names(of: flags).map { ExactText($0) })
    }

    /// All of them, as they were first seen.
    var figures: [ComparisonFigures.Disagreement] { found }
}
