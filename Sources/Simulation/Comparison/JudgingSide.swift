internal import PolicyEngine

/// One of two accounts that judge the same records: its memory of devices, and its numbers for flags.
struct JudgingSide {
    private var judge: AccountJudge
    private var flags: SideFlags
    // By device number: the verdict of its latest attestation, `nil` for one that never attested.
    private var latestVerdicts: [Bool?] = []

    /// - Parameter symbols: The numbering of the records; takes what the account names and metrics need.
    init(_ account: Account, symbols: inout SymbolTable) {
        judge = AccountJudge(account, symbols: &symbols)
        flags = SideFlags(account)
    }

    var engine: Engine { judge.engine }

    /// Takes the flags of a record, which is judged later.
    mutating func take(_ record: borrowing CaptureRecord, symbols: borrowing SymbolTable) throws(FlagError) {
        try flags.take(record.attestation.flags, of: symbols.catalogue)
    }

    /// Judges a record.
    ///
    /// - Returns: The decision, in the account's numbers.
    mutating func judge(_ record: borrowing CaptureRecord, symbols: borrowing SymbolTable) -> Decision {
        let decision =
            flags.isSame ? judge.judge(record, symbols: symbols) : judgeNumbered(record, symbols: symbols)
        let device = decision.device.offset
        if device >= latestVerdicts.count {
            latestVerdicts.append(contentsOf: repeatElement(nil, count: device + 1 - latestVerdicts.count))
        }
        latestVerdicts[device] = decision.passed
        return decision
    }

    private mutating func judgeNumbered(
        _ record: borrowing CaptureRecord, symbols: borrowing SymbolTable
    ) -> Decision {
        var numbered = copy record
        numbered.attestation.flags = flags.numbered(record.attestation.flags)
        return judge.judge(numbered, symbols: flags.numbering(of: symbols))
    }

    /// What a decision of this side came to, in numbers that both sides share.
    func outcome(_ decision: Decision) -> Outcome {
        Outcome(decision, annotations: decision.annotations.map(flags.original))
    }

    /// What is needed to name things.
    func names(_ symbols: borrowing SymbolTable) -> ComparedSide {
        ComparedSide(engine: judge.engine, symbols: flags.numbering(of: symbols))
    }

    mutating func countBadRequest() { judge.countBadRequest() }

    /// The figures counted so far.
    func figures(symbols: SymbolTable) -> Figures { judge.figures(symbols: flags.numbering(of: symbols)) }

    /// The verdict of a device's latest attestation; `nil` for one that never attested.
    func latestVerdict(of device: DeviceIndex) -> Bool? {
        device.offset < latestVerdicts.count ? latestVerdicts[device.offset] : nil
    }
}
