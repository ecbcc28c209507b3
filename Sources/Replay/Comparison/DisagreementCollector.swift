internal import PolicyEngine

/// Counts where an account decides other than the service did, by the reasons.
struct DisagreementCollector {
    private var places: [Reasons: Int] = [:]
    private var found: [ComparisonFigures.Disagreement] = []

    private struct Reasons: Hashable {
        let captured: Bool
        let names: [String]
    }

    /// How many are told.
    static let limit = 10

    /// Counts one.
    mutating func count(_ index: Int, captured: Bool, decision: Decision, side: ComparedSide) {
        let catalogue = side.symbols.catalogue
        // What the account rejects for; where it accepts, what it accepts.
        let names =
            decision.passed
            ? catalogue.names(of: decision.flags.subtracting([.newDevice, .riskyDevice]))
            : side.engine.rejections(of: decision, catalogue: catalogue)
        let reasons = Reasons(captured: captured, names: names)
        if let place = places[reasons] {
            found[place].attestations += 1
            return
        }
        places[reasons] = found.count
        found.append(
            ComparisonFigures.Disagreement(
                captured: captured, reasons: names, attestations: 1, index: index,
                example: side.symbols.devices[decision.device],
                time: decision.time))
    }

    /// All of them, as they were first seen.
    var figures: [ComparisonFigures.Disagreement] { found }
}
