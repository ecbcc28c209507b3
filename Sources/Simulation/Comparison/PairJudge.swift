internal import PolicyEngine

/// Judges every record by two accounts, each with its own memory of devices, and compares.
struct PairJudge: RecordJudge {
    private var before: AccountJudge
    private var after: AccountJudge
    private(set) var comparison: ComparisonCollector

    init(before: Account, after: Account, symbols: inout SymbolTable) {
        self.before = AccountJudge(before, symbols: &symbols)
        self.after = AccountJudge(after, symbols: &symbols)
        comparison = ComparisonCollector([before, after], attributes: &symbols.attributes)
    }

    var engine: Engine { before.engine }

    mutating func judge(_ record: borrowing CaptureRecord, symbols: borrowing SymbolTable) -> Decision {
        let old = before.judge(record, symbols: symbols)
        let new = after.judge(record, symbols: symbols)
        comparison.count(
            device: old.device.offset, before: Outcome(old), after: Outcome(new), attestation: record.attestation)
        if old.passed != new.passed {
            comparison.countChange(
                of: old.device.offset, before: Outcome(old), after: Outcome(new), attestation: record.attestation,
                system: record.operatingSystem, sides: (side(before, symbols), side(after, symbols)))
        }
        if let captured = record.capturedVerdict, captured != old.passed {
            comparison.countDisagreement(captured: captured, decision: old, side: side(before, symbols))
        }
        return old
    }

    private func side(_ judge: AccountJudge, _ symbols: borrowing SymbolTable) -> ComparedSide {
        ComparedSide(engine: judge.engine, symbols: copy symbols)
    }

    mutating func countBadRequest() {
        before.countBadRequest()
        after.countBadRequest()
    }

    func figures(symbols: SymbolTable) -> Figures { before.figures(symbols: symbols) }

    /// The figures of the side after.
    func figuresAfter(symbols: SymbolTable) -> Figures { after.figures(symbols: symbols) }
}
