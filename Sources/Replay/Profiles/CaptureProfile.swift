package import Documents
package import Figures
package import PolicyEngine

/// The devices of captures by the values that they show, under one account.
package struct CaptureProfile: Sendable {
    /// `nil` where the input was refused.
    package let profiles: DeviceProfiles?
    /// The figures of the replay; `nil` where the input was refused.
    package let figures: Figures?
    /// The attributes that the account asks for and some record has, by their keys.
    package let attributes: Set<ExactText>
    /// The errors and warnings about the input.
    package let diagnostics: Diagnostics

    /// Reads captures.
    ///
    /// - Parameters:
    ///   - request: The captures, how they are read, and the account. Assumed signals affect flags, filters and verdicts; the values of
    ///     attributes are those of the records.
    ///   - keys: The kinds of values.
    ///   - progress: Shows from time to time how far the replay is.
    package init(_ request: ReplayRequest, keys: [ProfileKey], progress: Progress = Progress()) {
        let plan = ReplayPlan.account(request.account, assumed: request.assumed)
            .profiling(keys, filters: request.account.filters)
        var replay = CaptureReplay<ProfilingResult>(request, plan, progress: progress)
        let summary = replay.run()
        profiles = summary.diagnostics.hasErrors ? nil : replay.result?.profiles
        (figures, attributes, diagnostics) = (summary.figures, summary.attributes, summary.diagnostics)
    }
}
