internal import Documents
internal import PolicyEngine

/// Finds the devices of which expressions select at least one record.
struct SelectedDevices {
    /// By expression.
    let devices: [Set<DeviceID>]
    /// The flags of the account and of the records.
    let flags: Set<String>
    /// The attributes that are known, and those of the records.
    let keys: Set<String>

    /// Reads captures for it, and once more if an expression names labels.
    ///
    /// - Parameters:
    ///   - expressions: The expressions; at least one.
    ///   - request: The captures, how they are read, and the account that declares flags.
    ///   - labels: The labels that the expressions may name.
    ///   - option: The option that gives the expressions, as messages name it.
    ///   - progress: Shows from time to time how far it is.
    /// - Returns: The devices, unless the captures were refused; and what is wrong with them. Warnings about the captures are left to
    ///   whoever reads them next, and names that the expressions have and the captures lack to the caller.
    static func reading(
        _ expressions: [RecordExpression], _ request: ReplayRequest, labels: Labels?, option: String,
        progress: Progress
    ) -> (selected: SelectedDevices?, diagnostics: Diagnostics) {
        var reading = request
        reading.askOnlyForFigures()
        // Flags have their numbers in the order of all records that are left, whichever part of the devices is evaluated.
        (reading.deviceShard, reading.attestationOption) = (nil, option)
        var diagnostics = Diagnostics()
        guard let expressions = resolved(expressions, reading, labels: labels, &diagnostics) else {
            return (nil, diagnostics)
        }
        var replay = CaptureReplay<MatchingResult>(
            reading, .matching(expressions, request.account.catalogue), progress: progress)
        let summary = replay.run()
        guard !summary.diagnostics.hasErrors, let result = replay.result else { return (nil, summary.diagnostics) }
        if result.isGivenUp { diagnostics.add(givenUp(option)) }
        let selected = SelectedDevices(
            devices: result.devices, flags: Set(result.catalogue.flags.map(\.name)),
            keys: Set(InformationKeys.all).union(summary.attributes.map(\.text)))
        return (selected, diagnostics)
    }

    private static func resolved(
        _ expressions: [RecordExpression], _ reading: ReplayRequest, labels: Labels?, _ diagnostics: inout Diagnostics
    ) -> [RecordExpression]? {
        guard let labels, expressions.contains(where: \.needsLabels) else { return expressions }
        let kept = CaptureRecords(reading, keys: labels.keys).read()
        guard !kept.diagnostics.hasErrors else {
            diagnostics = kept.diagnostics
            return nil
        }
        let labelled = LabelledDevices(labels, kept.records)
        return expressions.map { $0.resolved(labelled) }
    }

    private static func givenUp(_ option: String) -> Diagnostic {
        Diagnostic(
            file: option, message: "a regex hit its match limit, so that it is not known which devices it selects",
            hint: "a regex without nested repetitions is searched faster")
    }
}
