internal import Figures
internal import PolicyEngine

/// Evaluates what an account evaluates, without what depends on which devices are new: that holds where no record has
/// `new-did`.
struct NewDeviceDoubt {
    private var engine: Engine
    private var collector: MetricsCollector
    // Those on which something else would be decided.
    private var unevaluated = DeviceSet()
    /// The latest decision.
    private(set) var decision: Decision?

    /// - Parameters:
    ///   - account: The account.
    ///   - keepsSeries: True if live metrics are kept by minute, too (R13.2a).
    ///   - keepsMoments: True if sums over devices are kept, from which intervals follow.
    ///   - symbols: Gets the names of the account.
    /// - Returns: `nil` if nothing depends on it.
    init?(_ account: Account, keepsSeries: Bool, keepsMoments: Bool, symbols: inout SymbolTable) {
        guard let account = account.withoutNewDevices else { return nil }
        engine = Engine(account: account, symbols: &symbols)
        collector = MetricsCollector(
            billingDay: account.billingDay, keepsSeries: keepsSeries, keepsMoments: keepsMoments)
    }

    func prefetch(_ devices: [DeviceIndex]) {
        engine.prefetch(devices)
        collector.prefetch(devices)
    }

    /// Evaluates an attestation, and notes its device where the other decision is another one.
    mutating func evaluate(
        _ attestation: borrowing Attestation, matches: AttributeMatches, app: AppNumbers, capturedVerdict: Bool?,
        symbols: borrowing SymbolTable, besides other: Decision
    ) {
        let decision = engine.attest(attestation, matches: matches, symbols: symbols)
        collector.count(decision, app: app, capturedVerdict: capturedVerdict)
        let isSame =
            decision.passed == other.passed && decision.filters == other.filters
            && decision.rejectingFlags == other.rejectingFlags && decision.policy == other.policy
            && decision.lifetime == other.lifetime
        if !isSame { unevaluated.insert(attestation.device.offset) }
        self.decision = decision
    }

    /// The devices for which a search was given up that a decision depends on (R7.2).
    var unsearchedDevices: DeviceSet { collector.unsearchedDevices(engine: engine).all }

    /// The figures counted so far, and how many devices are not evaluated.
    func figures(symbols: SymbolTable, apps: AppLabels) -> Figures {
        var figures = collector.figures(engine: engine, symbols: symbols, apps: apps)
        let unsearched = collector.unsearchedDevices(engine: engine).all
        figures.unevaluated.addNewDevices(unevaluated.count, others: unevaluated.count(besides: unsearched))
        figures.moments = collector.moments(besides: unevaluated.union(unsearched))
        return figures
    }
}
