package import Documents
internal import Figures
internal import PolicyEngine

/// The devices of captures that the filters of an account match, and those that had a flag in its decisions.
package struct DeviceMatches: Sendable {
    // By name.
    private let filters: [String: Int]
    private let flags: [String: Int]

    private struct Counts: Addable, Sendable {
        var figures: DoubtedFigures<Figures>
        var flags: [String: Int]

        mutating func add(_ other: Counts) {
            figures.add(other.figures)
            flags.add(other.flags)
        }
    }

    /// Evaluates the captures.
    ///
    /// - Parameter request: The captures, and the account.
    /// - Returns: `nil` where the input was refused, or it was interrupted, and why.
    package static func counted(_ request: ReplayRequest) -> (matches: DeviceMatches?, diagnostics: Diagnostics) {
        if let kept = DeviceMatches(kept: request) { return (kept, Diagnostics()) }
        let profile = CaptureProfile(request, keys: [.flags])
        guard let figures = profile.figures, let shown = profile.profiles?.shownValues else {
            return (nil, profile.diagnostics)
        }
        let flags = Dictionary(shown.map { ($0.value.text, $0.devices) }) { first, _ in first }
        return (DeviceMatches(figures, flags: flags), profile.diagnostics)
    }

    private init(_ figures: Figures, flags: [String: Int]) {
        filters = Dictionary(figures.filters.map { ($0.name, $0.devices) }) { first, _ in first }
        self.flags = flags
    }

    // From the records in memory, where there are such.
    private init?(kept request: ReplayRequest) {
        let account = request.account
        let counts: Counts? = BaselineEvaluation(request)?.result(
            by: { apps, symbols in AccountEvaluator(account, apps: apps, symbols: &symbols) },
            { evaluator, symbols, flags in
                let devices = flags.reduce(into: BitTally<UInt128>()) { $0.add($1.bits) }.all
                let named = zip(symbols.catalogue.flags, devices).map { ($0.name, $1) }
                return Counts(
                    figures: evaluator.result(symbols: symbols, fetches: nil),
                    flags: Dictionary(named) { first, _ in first })
            })
        guard var counts else { return nil }
        counts.figures.finish()
        self.init(counts.figures.value, flags: counts.flags)
    }

    /// The number of devices that a filter matches.
    package func devices(ofFilter name: String) -> Int { filters[name] ?? 0 }

    /// The number of devices that had a flag.
    package func devices(withFlag name: String) -> Int { flags[name] ?? 0 }
}
