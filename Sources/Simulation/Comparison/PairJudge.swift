internal import PolicyEngine

/// Judges every record by two accounts, each with its own memory of devices, and compares.
struct PairJudge: RecordJudge {
    private var before: JudgingSide
    private var after: JudgingSide
    private(set) var comparison: ComparisonCollector

    init(before: Account, after: Account, symbols: inout SymbolTable) {
        self.before = JudgingSide(before, symbols: &symbols)
        self.after = JudgingSide(after, symbols: &symbols)
        comparison = ComparisonCollector([before, after], attributes: &symbols.attributes)
    }

    var engine: Engine { before.engine }

    mutating func admit(_ record: borrowing CaptureRecord, symbols: borrowing SymbolTable) throws(FlagError) {
        try before.take(record, symbols: symbols)
        try after.take(record, symbols: symbols)
    }

    mutating func judge(_ record: borrowing CaptureRecord, symbols: borrowing SymbolTable) -> Decision {
        let old = before.judge(record, symbols: symbols)
        let new = after.judge(record, symbols: symbols)
        let outcomes = (before.outcome(old), after.outcome(new))
        comparison.count(
            device: old.device.offset, before: outcomes.0, after: outcomes.1, attestation: record.attestation)
        if old.passed != new.passed {
            comparison.countChange(
                of: old.device.offset, before: outcomes.0, after: outcomes.1, attestation: record.attestation,
                system: record.operatingSystem, sides: (before.names(symbols), after.names(symbols)))
        }
        if let captured = record.capturedVerdict, captured != old.passed {
            comparison.countDisagreement(captured: captured, decision: old, side: before.names(symbols))
        }
        return old
    }

    mutating func countBadRequest() {
        before.countBadRequest()
        after.countBadRequest()
    }

    func figures(symbols: SymbolTable) -> Figures { before.figures(symbols: symbols) }

    /// The figures of the side after.
    func figuresAfter(symbols: SymbolTable) -> Figures { after.figures(symbols: symbols) }

    /// The verdict of a device's latest attestation on the side after.
    func latestVerdictAfter(of device: DeviceIndex) -> Bool? { after.latestVerdict(of: device) }
}
