internal import PolicyEngine
internal import Replay

/// Compares what clients get in two runs of a scenario, as they get it (R19a).
struct ResultComparison {
    private(set) var collector: ComparisonCollector
    private(set) var clients = ClientChangeCollector()
    // True if a client attested while the change was in force, and if one got another result than without it.
    private var isAttested = false
    private var isOtherwise = false
    private var apps: AppTable
    private let presences: AttributePresences
    private let inForce: Instant?
    private var index = 0

    /// - Parameters:
    ///   - accounts: The accounts of the runs.
    ///   - inForce: When the change is in force; `nil` where it is from the start.
    ///   - attributes: The numbering of the attributes of the run before.
    init(_ accounts: [Account], inForce: Instant?, attributes: inout AttributeTable) {
        apps = AppTable(attributes: &attributes)
        presences = AttributePresences(accounts, attributes: &attributes)
        collector = ComparisonCollector(attributes: presences.names)
        self.inForce = inForce
    }

    /// Compares what a client got in the one run with what it got in the other.
    ///
    /// - Parameters:
    ///   - before: The results in the run before.
    ///   - after: The results in the run after.
    ///   - attestation: The client's attestation, in the numbers of the run before.
    ///   - system: The device's system.
    ///   - sides: Both runs, for names.
    mutating func count(
        before: Received, after: Received, _ attestation: borrowing Attestation, on system: OperatingSystem,
        sides: () -> (before: ComparedSide, after: ComparedSide)
    ) {
        if !isAttested { isAttested = after.isAttested && isInForce(at: attestation.time) }
        if !isOtherwise { isOtherwise = !before.isSame(as: after) }
        clients.count(before, after, attestation.device)
        collector.noteDevice(attestation.device)
        for fetches in [(before.earlier, after.earlier), (before.fetch, after.fetch)] {
            guard case (let old?, let new?) = fetches else { continue }
            count((old, new), isCall: before.end.isCall, attestation, on: system, sides)
        }
    }

    /// True if the change reached a client (R19a.3).
    var isMet: Bool { isAttested || isOtherwise }

    /// R19a.3: the decided rule by which there is a comparison, if it is one.
    var decidedRules: DecidedRules { isOtherwise && !isAttested ? [.reachingChange] : [] }

    private func isInForce(at time: Instant) -> Bool { inForce.map { time >= $0 } ?? true }

    private mutating func count(
        _ fetches: (before: KeptFetch, after: KeptFetch), isCall: Bool, _ attestation: borrowing Attestation,
        on system: OperatingSystem, _ sides: () -> (before: ComparedSide, after: ComparedSide)
    ) {
        let (before, after) = (fetches.before.compared, fetches.after.compared)
        let compared = ComparedAttestation(
            index: index, device: attestation.device, time: attestation.time, flags: attestation.flags,
            system: system, isAttested: fetches.before.isAttested || fetches.after.isAttested)
        index += 1
        let presence = presences.mask(of: attestation)
        if isCall {
            collector.countCall(compared, before: before, after: after, presence: presence)
        } else {
            collector.count(compared, before: before, after: after, presence: presence)
        }
        guard before.isValid != after.isValid else { return }
        let numbers = apps.numbers(of: attestation, on: system)
        guard !collector.countKnownChange(of: compared, before: before, after: after, app: numbers) else { return }
        let (old, new) = sides()
        collector.countNewChange(
            of: compared, before: before, after: after, app: numbers,
            names: ComparisonCollector.Names(
                before: old, after: new, app: apps.names(of: numbers, attributes: old.symbols.attributes)))
    }
}
