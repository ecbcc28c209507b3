internal import Figures
internal import PolicyEngine

/// A replay through two accounts, each with its own memory of devices.
struct PairWork: ExaminingWork {
    private let before: Account
    private let after: Account
    private let keepsMoments: Bool
    private let keepsDecisions: Bool
    private let apps = AppRegistry()

    /// - Parameters:
    ///   - before: The account before.
    ///   - after: The account after.
    ///   - keepsMoments: True if sums over devices are kept, from which intervals follow.
    ///   - keepsDecisions: True if the decisions of both are written.
    init(before: Account, after: Account, keepsMoments: Bool = false, keepsDecisions: Bool = false) {
        (self.before, self.after) = (before, after)
        (self.keepsMoments, self.keepsDecisions) = (keepsMoments, keepsDecisions)
    }

    // Each account numbers the flags for itself.
    var catalogue: FlagCatalogue { FlagCatalogue() }
    var numberingAccounts: [Account] { [before, after] }
    var registry: AppRegistry? { apps }
    var filteringAccounts: [Account] { [before, after] }

    func makeExaminer(_ fields: inout CaptureFields) -> PairExaminer {
        PairExaminer(before: before, after: after, apps, &fields)
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> PairEvaluator {
        PairEvaluator(
            before: before, after: after, apps: apps, keepsMoments: keepsMoments, keepsDecisions: keepsDecisions,
            symbols: &symbols)
    }
}

/// The result of evaluating the same devices by two accounts.
struct PairResult: ReplayResult {
    var counted: DoubtedFigures<PairFigures>
    /// The verdict after of each device's latest attestation, for devices whose fetches are known.
    var verdictsAfter: [DeviceID: Bool]

    var figures: Figures {
        get { counted.value.before }
        set { counted.value.before = newValue }
    }

    mutating func finish() { counted.finish() }

    mutating func add(_ other: PairResult) {
        counted.add(other.counted)
        verdictsAfter.merge(other.verdictsAfter) { mine, _ in mine }
    }
}
