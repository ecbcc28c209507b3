internal import PolicyEngine

/// One of two accounts that judge the same records: its memory of devices, and its numbers for flags.
struct EvaluatingSide {
    private var evaluator: AccountEvaluator
    private var flags: SideFlags

    /// - Parameters:
    ///   - account: The account.
    ///   - apps: The apps of the records.
    ///   - symbols: The numbering of the records; takes the devices that the account names.
    init(_ account: Account, apps: AppRegistry, symbols: inout SymbolTable) {
        evaluator = AccountEvaluator(account, apps: apps, symbols: &symbols)
        flags = SideFlags(account)
    }

    var engine: Engine { evaluator.engine }

    /// Takes flags that records brought.
    mutating func take(_ catalogue: FlagCatalogue) { flags.take(catalogue) }

    func expect(_ devices: [DeviceIndex]) { evaluator.expect(devices) }

    /// Judges an attestation.
    ///
    /// - Returns: The decision, in the account's numbers.
    mutating func evaluate(
        _ attestation: borrowing Attestation, matches: AttributeMatches, app: AppNumbers, capturedVerdict: Bool?,
        symbols: borrowing SymbolTable
    ) -> Decision {
        guard !flags.isSame else {
            return evaluator.evaluate(
                attestation, matches: matches, app: app, capturedVerdict: capturedVerdict, symbols: symbols)
        }
        var numbered = copy attestation
        numbered.flags = flags.numbered(attestation.flags)
        return evaluator.evaluate(
            numbered, matches: matches, app: app, capturedVerdict: capturedVerdict,
            symbols: flags.numbering(of: symbols))
    }

    /// What a decision of this side came to, in numbers that both sides share.
    func outcome(_ decision: Decision) -> Outcome {
        Outcome(decision, annotations: decision.annotations.map(flags.original))
    }

    /// What the latest decision would be without what hangs on new devices; `nil` where that is known or bears on
    /// nothing.
    var doubtfulDecision: Decision? { evaluator.doubtfulDecision }

    /// What is needed to name things.
    func names(_ symbols: borrowing SymbolTable) -> ComparedSide {
        ComparedSide(engine: evaluator.engine, symbols: flags.numbering(of: symbols))
    }

    /// What was counted so far.
    func result(symbols: SymbolTable) -> AccountResult {
        evaluator.result(symbols: flags.numbering(of: symbols), fetches: nil)
    }
}
