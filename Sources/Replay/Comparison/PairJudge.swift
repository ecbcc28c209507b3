internal import PolicyEngine

/// Judges every record by two accounts, each with its own memory of devices, and compares.
struct PairJudge: RecordJudge {
    private var before: JudgingSide
    private var after: JudgingSide
    private var comparison: ComparisonCollector
    private let apps: AppRegistry
    // On the side after; the shard keeps those of the side before.
    private var latestVerdicts = LatestVerdicts()

    init(before: Account, after: Account, apps: AppRegistry, symbols: inout SymbolTable) {
        self.before = JudgingSide(before, apps: apps, symbols: &symbols)
        self.after = JudgingSide(after, apps: apps, symbols: &symbols)
        self.apps = apps
        comparison = ComparisonCollector(attributes: AttributePresences.names([before, after]))
    }

    var engine: Engine { before.engine }

    mutating func take(_ catalogue: FlagCatalogue) {
        before.take(catalogue)
        after.take(catalogue)
    }

    func expect(_ devices: [DeviceIndex]) {
        before.expect(devices)
        after.expect(devices)
    }

    mutating func judge(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<PairAppraiser.Findings>, index: Int,
        symbols: borrowing SymbolTable
    ) -> Decision {
        let findings = record.findings
        let old = before.judge(
            attestation, findings: findings.before, app: findings.app, capturedVerdict: record.head.capturedVerdict,
            symbols: symbols)
        let new = after.judge(
            attestation, findings: findings.after, app: findings.app, capturedVerdict: record.head.capturedVerdict,
            symbols: symbols)
        latestVerdicts.note(new)
        let outcomes = (before.outcome(old), after.outcome(new))
        let compared = ComparedAttestation(
            index: index, device: attestation.device, time: attestation.time, flags: attestation.flags,
            system: findings.system)
        comparison.count(compared, before: outcomes.0, after: outcomes.1, presence: findings.presence)
        if old.passed != new.passed {
            let (before, after) = (before, after)
            let numbering = copy symbols
            comparison.countChange(
                of: compared, before: outcomes.0, after: outcomes.1, app: findings.app,
                sides: { (before.names(numbering), after.names(numbering)) }, apps: { [apps] in apps.names(of: $0) })
        }
        if let captured = record.head.capturedVerdict, captured != old.passed {
            comparison.countDisagreement(
                of: compared, captured: captured, decision: old, side: before.names(symbols))
        }
        return old
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> PairResult {
        let weight = fetches.map { counter in
            { (device: Int) in counter.count(of: symbols.devices[DeviceIndex(offset: device)]) }
        }
        return PairResult(
            figures: before.figures(symbols: symbols), figuresAfter: after.figures(symbols: symbols),
            comparison: comparison.figures(catalogue: symbols.catalogue, weight: weight),
            verdictsAfter: verdictsAfter(symbols: symbols, fetches: fetches))
    }

    private func verdictsAfter(symbols: SymbolTable, fetches: FetchCounter?) -> [DeviceID: Bool] {
        var verdicts: [DeviceID: Bool] = [:]
        for id in fetches?.identifiers ?? [] {
            verdicts[id] = symbols.devices.index(of: id).flatMap { latestVerdicts[$0] }
        }
        return verdicts
    }
}
