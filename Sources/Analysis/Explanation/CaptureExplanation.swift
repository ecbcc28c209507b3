package import Documents
internal import Figures
package import Replay

/// Explains an account's decisions on the attestations of one device in captures.
package struct CaptureExplanation {
    private let request: ReplayRequest
    private let device: SoughtDevice
    private let progress: Progress

    /// - Parameters:
    ///   - request: The captures, how to read them, and the account.
    ///   - device: The device whose attestations are explained.
    ///   - progress: Receives now and then how far it is.
    package init(_ request: ReplayRequest, device: SoughtDevice, progress: Progress = Progress()) {
        self.request = request
        self.device = device
        self.progress = progress
    }

    /// Reads everything. The attestations of the device affect one another, and those of other devices do not affect them.
    package func run() -> DeviceExplanations {
        let keys = CaptureRecords.keys(for: request.account)
        let kept = CaptureRecords(request, keys: keys, devices: .one(device), progress: progress).read()
        guard !kept.diagnostics.hasErrors, let device = kept.records.first?.device else {
            return DeviceExplanations(explanations: [], diagnostics: kept.diagnostics)
        }
        var explainer = DeviceExplainer(
            request.account, device: device, redactor: request.redactor, catalogue: kept.catalogue)
        for record in kept.records { explainer.add(record) }
        var diagnostics = kept.diagnostics
        for filter in explainer.limitedFilters {
            diagnostics.add(filter.limitWarning(file: "filter \(filter.name)"))
        }
        return DeviceExplanations(explanations: explainer.explanations, diagnostics: diagnostics)
    }
}

/// The explanations of all attestations of one device.
package struct DeviceExplanations: Sendable {
    /// In the order of time; none where the input was refused.
    package let explanations: [Explanation]
    /// The errors and warnings about the input.
    package let diagnostics: Diagnostics
}
