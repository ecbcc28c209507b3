package import Documents
internal import Figures
package import PolicyEngine
package import Replay

/// Explains an account's decisions on the attestations of one device in captures.
package struct CaptureExplanation {
    private let request: ReplayRequest
    private let device: SoughtDevice
    private let decidedRules: DecidedRules
    private let progress: Progress

    /// - Parameters:
    ///   - request: The captures, how to read them, and the account.
    ///   - device: The device whose attestations are explained.
    ///   - decidedRules: The decided rules on which the account rests, where the command line changed it.
    ///   - progress: Receives now and then how far it is.
    package init(
        _ request: ReplayRequest, device: SoughtDevice, decidedRules: DecidedRules = [],
        progress: Progress = Progress()
    ) {
        self.request = request
        self.decidedRules = decidedRules
        self.device = device
        self.progress = progress
    }

    /// Reads everything. The attestations of the device affect one another, and those of other devices do not affect them.
    package func run() -> DeviceExplanations {
        let keys = CaptureRecords.keys(for: request.account)
        let kept = CaptureRecords(request, keys: keys, devices: .one(device), progress: progress).read()
        guard !kept.diagnostics.hasErrors, let device = kept.records.first?.device else {
            return DeviceExplanations(explanations: [], decidedRules: [], diagnostics: kept.diagnostics)
        }
        var explainer = DeviceExplainer(
            request.account, device: device, redactor: request.redactor, catalogue: kept.catalogue)
        for record in kept.records { explainer.add(record) }
        var diagnostics = kept.diagnostics
        for filter in explainer.limitedFilters {
            diagnostics.add(filter.limitWarning(file: "filter \(filter.name)"))
        }
        return DeviceExplanations(
            explanations: explainer.explanations, decidedRules: decidedRules.union(explainer.decidedRules),
            diagnostics: diagnostics)
    }
}

/// The explanations of all attestations of one device.
package struct DeviceExplanations: Sendable {
    /// In the order of time; none where the input was refused.
    package let explanations: [Explanation]
    /// The decided rules on which the decisions rest.
    package let decidedRules: DecidedRules
    /// The errors and warnings about the input.
    package let diagnostics: Diagnostics
}
