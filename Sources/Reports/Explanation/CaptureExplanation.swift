package import Documents
package import PolicyEngine
package import Replay

/// Explains what an account decides on the attestations of one device in captures.
package struct CaptureExplanation {
    private let request: ReplayRequest
    private let device: DeviceID
    private let progress: Progress

    /// What it came to: the explanations in the order of time, unless the input was refused.
    package struct Outcome: Sendable {
        package var explanations: [Explanation]?
        package var diagnostics: Diagnostics
    }

    /// - Parameters:
    ///   - request: How captures are read, and the account.
    ///   - device: The device whose attestations are explained.
    ///   - progress: Told now and then how far it is.
    package init(_ request: ReplayRequest, device: DeviceID, progress: Progress = Progress()) {
        self.request = request
        self.device = device
        self.progress = progress
    }

    /// Reads everything, since every attestation before may bear on the ones explained.
    package func run() -> Outcome {
        let work = ExplainingWork(account: request.account, device: device)
        var replay = CaptureReplay(request, work: work, progress: progress)
        let outcome = replay.run()
        guard !outcome.diagnostics.hasErrors, outcome.figures != nil else {
            return Outcome(diagnostics: outcome.diagnostics)
        }
        return Outcome(explanations: replay.result?.explanations ?? [], diagnostics: outcome.diagnostics)
    }
}
