package import Accounts
package import Documents
package import Figures
package import PolicyEngine
package import Replay

/// Evaluates every single edit of an account on captures, and selects those that are asked for.
package struct CaptureEdits {
    private let request: ReplayRequest
    private let review: FilterReview
    private let selection: Selection

    /// The edits that are asked for.
    package struct Selection: Sendable {
        /// Returns true if the effects of an edit on a number of devices are within a limit; `nil` allows any.
        package var limit: (@Sendable (_ figures: EditFigures, _ devices: Int) -> Bool)?
        /// The flag with which an attestation newly passes; `nil` asks for none.
        package var acceptedFlag: String?
        /// The level at which intervals hold; `nil` for none.
        package var confidence: ConfidenceLevel?
        /// The share of all devices that an edit newly rejects at most at that level; `nil` allows any.
        package var certainLimit: Percentage?
        /// The costs of wrong verdicts on labelled devices; `nil` for none.
        package var cost: LabelCost?
        /// The order of the edits.
        package var order = WhatIf.Order.edit

        package init() {}
    }

    /// - Parameters:
    ///   - request: The captures, how they are read, and the account.
    ///   - review: The positions of the account's filters.
    ///   - selection: The edits that are asked for.
    package init(_ request: ReplayRequest, _ review: FilterReview, _ selection: Selection) {
        (self.request, self.review, self.selection) = (request, review, selection)
    }

    /// Reads the captures once for all edits.
    ///
    /// - Parameter progress: Shows from time to time how far the replay is.
    /// - Returns: The effects, unless there are errors among the diagnostics.
    package func run(progress: Progress = Progress()) -> (effects: WhatIf?, diagnostics: Diagnostics) {
        let account = request.account
        let edits = SingleEdits.all(of: account)
        let summary = CaptureWhatIf(request, edits: edits.map(\.account), progress: progress).run()
        var diagnostics = summary.diagnostics
        guard summary.attestations > 0, !diagnostics.hasErrors else {
            return (diagnostics.hasErrors ? nil : WhatIf(summary, commands: [], account: account.name), diagnostics)
        }
        diagnostics.add(review.warnings(on: account.filters, attributes: summary.attributes))
        let known = account.catalogue.declaredNames + (summary.figures?.unknownFlags.keys ?? [])
        diagnostics.add(summary.labels?.problems(in: request.labels?.path ?? "") ?? [])
        if let unknown = selection.unknownFlag(among: known) { diagnostics.add(unknown) }
        var effects = WhatIf(summary, commands: edits.map(\.command), account: account.name)
        if selection.confidence != nil {
            let accounts = Dictionary(edits.map { ($0.command, $0.account) }) { first, _ in first }
            effects.findIdle { command in
                accounts[command].map { IdleChange.isKnown(from: account, to: $0) } ?? false
            }
        }
        selection.apply(to: &effects)
        return (diagnostics.hasErrors ? nil : effects, diagnostics)
    }
}

extension CaptureEdits.Selection {
    // A mistyped name must not look like an edit that does no harm.
    fileprivate func unknownFlag(among known: [String]) -> Diagnostic? {
        guard let name = acceptedFlag, !known.contains(where: { ExactText($0) == ExactText(name) }) else { return nil }
        return Diagnostic(
            file: "--newly-accepted-with", message: "neither the account nor a record has the flag \(name.quoted)",
            hint: Suggestion.hint(for: name, among: known))
    }

    fileprivate func apply(to effects: inout WhatIf) {
        effects.confidence = confidence
        // First, since all edits are tested.
        if let confidence, let certainLimit {
            effects.keep(below: certainLimit.fraction, at: confidence.confidence)
        }
        if let limit {
            let devices = effects.devices
            effects.keep { limit($0.figures, devices) }
        }
        if let name = acceptedFlag { effects.keep { $0.figures.acceptedFlags.contains(ExactText(name)) } }
        effects.cost = cost
        effects.sort(by: order)
    }
}
