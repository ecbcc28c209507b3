internal import PolicyEngine
internal import Replay

/// Compares the fetches of two runs of a scenario, as they are made.
struct FetchComparison {
    private(set) var collector: ComparisonCollector
    private var apps: AppTable
    private let presences: AttributePresences
    private var index = 0

    /// - Parameters:
    ///   - accounts: The accounts of the runs.
    ///   - attributes: The numbering of the attributes of the run before.
    init(_ accounts: [Account], attributes: inout AttributeTable) {
        apps = AppTable(attributes: &attributes)
        presences = AttributePresences(accounts, attributes: &attributes)
        collector = ComparisonCollector(attributes: presences.names)
    }

    /// Compares a fetch of the one run with the same fetch of the other.
    ///
    /// - Parameters:
    ///   - attestation: What the client sends, in the numbers of the run before.
    ///   - system: The device's system.
    ///   - before: Its outcome in the run before.
    ///   - after: Its outcome in the run after.
    ///   - isAttested: Whether a client attested for it in one of the runs, rather than finding its token in the cache.
    ///   - sides: Both runs, for names.
    mutating func count(
        _ attestation: borrowing Attestation, on system: OperatingSystem, before: ComparedDecision,
        after: ComparedDecision,
        isAttested: Bool, sides: () -> (before: ComparedSide, after: ComparedSide)
    ) {
        let compared = ComparedAttestation(
            index: index, device: attestation.device, time: attestation.time, flags: attestation.flags,
            system: system, isAttested: isAttested)
        index += 1
        collector.count(compared, before: before, after: after, presence: presences.mask(of: attestation))
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
