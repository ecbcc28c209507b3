package import Documents
internal import Figures
package import PolicyEngine
package import Replay

/// Explains an account's decisions on the attestations of one device in captures.
package struct CaptureExplanation {
    private let request: ReplayRequest
    private let device: DeviceID
    private let progress: Progress

    /// - Parameters:
    ///   - request: The captures, how to read them, and the account.
    ///   - device: The device whose attestations are explained.
    ///   - progress: Receives now and then how far it is.
    package init(_ request: ReplayRequest, device: DeviceID, progress: Progress = Progress()) {
        self.request = request
        self.device = device
        self.progress = progress
    }

    /// Reads everything, since every attestation before may bear on the ones explained.
    package func run() -> DeviceExplanations {
        let work = ExplainingWork(account: request.account, device: device, redactor: request.redactor)
        var replay = CaptureReplay(request, work: work, progress: progress)
        let outcome = replay.run()
        guard !outcome.diagnostics.hasErrors, outcome.figures != nil else {
            return DeviceExplanations(diagnostics: outcome.diagnostics)
        }
        return DeviceExplanations(
            explanations: replay.result?.explanations ?? [], diagnostics: outcome.diagnostics)
    }
}

/// The explanations of all attestations of one device.
package struct DeviceExplanations: Sendable {
    /// In the order of time; `nil` where the input was refused.
    package var explanations: [Explanation]?
    package var diagnostics: Diagnostics
}

/// A replay through one account that keeps why it decided as it did on one device.
struct ExplainingWork: ReplayWork {
    let account: Account
    let device: DeviceID
    let redactor: Redactor?

    var catalogue: FlagCatalogue { account.catalogue }
    var filteringAccounts: [Account] { [account] }

    func makeMatcher(_ fields: inout CaptureFields) -> ExplainingMatcher {
        ExplainingMatcher(account, device: device, fields: &fields)
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> ExplainingEvaluator {
        ExplainingEvaluator(account, device: device, redactor: redactor, symbols: &symbols)
    }
}

/// Why an account decided as it did on one device; the figures count that device alone.
struct ExplainingResult: ReplayResult {
    var figures: Figures
    /// In the order of time.
    var explanations: [Explanation]

    mutating func add(_ other: ExplainingResult) {
        figures.add(other.figures)
        // All of them come from one shard.
        explanations += other.explanations
    }
}
