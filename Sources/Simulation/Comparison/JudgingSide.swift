internal import PolicyEngine

/// One of two accounts that judge the same records: its memory of devices, and its numbers for flags.
struct JudgingSide {
    private var judge: AccountJudge
    private var flags: SideFlags
    // By device number: the verdict of its latest attestation, `nil` for one that never attested.
    private var latestVerdicts: [Bool?] = []

    /// - Parameters:
    ///   - account: The account.
    ///   - apps: The apps of the records.
    ///   - symbols: The numbering of the records; takes the devices that the account names.
    init(_ account: Account, apps: AppRegistry, symbols: inout SymbolTable) {
        judge = AccountJudge(account, apps: apps, symbols: &symbols)
        flags = SideFlags(account)
    }

    var engine: Engine { judge.engine }

    /// Takes flags that records brought.
    mutating func take(_ catalogue: FlagCatalogue) { flags.take(catalogue) }

    func expect(_ devices: [DeviceIndex]) { judge.expect(devices) }

    /// Judges an attestation.
    ///
    /// - Returns: The decision, in the account's numbers.
    mutating func judge(
        _ attestation: borrowing Attestation, findings: AttributeFindings, app: AppNumbers, capturedVerdict: Bool?,
        symbols: borrowing SymbolTable
    ) -> Decision {
        let decision: Decision
        if flags.isSame {
            decision = judge.judge(
                attestation, findings: findings, app: app, capturedVerdict: capturedVerdict, symbols: symbols)
        } else {
            var numbered = copy attestation
            numbered.flags = flags.numbered(attestation.flags)
            decision = judge.judge(
                numbered, findings: findings, app: app, capturedVerdict: capturedVerdict,
                symbols: flags.numbering(of: symbols))
        }
        let device = decision.device.offset
        if device >= latestVerdicts.count {
            latestVerdicts.append(contentsOf: repeatElement(nil, count: device + 1 - latestVerdicts.count))
        }
        latestVerdicts[device] = decision.passed
        return decision
    }

    /// What a decision of this side came to, in numbers that both sides share.
    func outcome(_ decision: Decision) -> Outcome {
        Outcome(decision, annotations: decision.annotations.map(flags.original))
    }

    /// What is needed to name things.
    func names(_ symbols: borrowing SymbolTable) -> ComparedSide {
        ComparedSide(engine: judge.engine, symbols: flags.numbering(of: symbols))
    }

    /// The figures counted so far.
    func figures(symbols: SymbolTable) -> Figures {
        judge.result(symbols: flags.numbering(of: symbols), fetches: nil).figures
    }

    /// The verdict of a device's latest attestation; `nil` for one that never attested.
    func latestVerdict(of device: DeviceIndex) -> Bool? {
        device.offset < latestVerdicts.count ? latestVerdicts[device.offset] : nil
    }
}
