package import Documents
package import Figures
internal import PolicyEngine

/// The devices of captures that assumptions are about.
package struct ConcernedDevices: Sendable {
    // The assumptions in their order, each with its devices.
    private let all: [(assumption: SignalAssumption, devices: Set<DeviceID>)]

    /// Finds the devices, for which the captures are read once, and once more if an expression names labels.
    ///
    /// - Parameters:
    ///   - assumptions: The assumptions; at least one, and at most one is about a share of its devices.
    ///   - request: The captures, how they are read, and the account that declares flags.
    ///   - labels: The labels that expressions may name.
    ///   - option: The option that gives the assumptions, as messages name it.
    ///   - progress: Shows from time to time how far it is.
    /// - Returns: The devices, unless the captures or the assumptions were refused; and what is wrong with them: a flag that neither the
    ///   account nor a record has is an error, so that a misspelt one does not look harmless.
    package static func reading(
        _ assumptions: [SignalAssumption], _ request: ReplayRequest, labels: Labels?, option: String,
        progress: Progress = Progress()
    ) -> (concerned: ConcernedDevices?, diagnostics: Diagnostics) {
        var (selected, diagnostics) = SelectedDevices.reading(
            assumptions.map(\.expression), request, labels: labels, option: option, progress: progress)
        guard let selected else { return (nil, diagnostics) }
        let shard = request.deviceShard
        let devices = selected.devices.map { all in all.filter { shard?.contains($0) ?? true } }
        for (assumption, devices) in zip(assumptions, devices) {
            let (flags, keys) = (selected.flags, selected.keys)
            var problems = assumption.expression.unknownNames(in: option, flags: flags, keys: keys)
            problems += assumption.change.unknownNames(in: option, flags: flags, keys: keys)
            if devices.isEmpty {
                problems.append(
                    Diagnostic(
                        severity: .warning, file: option,
                        message: "no device is concerned by \(assumption.text.quoted)"))
            }
            diagnostics.add(problems.map { assumption.place?.located($0) ?? $0 })
        }
        guard !diagnostics.hasErrors else { return (nil, diagnostics) }
        return (ConcernedDevices(all: Array(zip(assumptions, devices))), diagnostics)
    }

    private init(all: [(SignalAssumption, Set<DeviceID>)]) { self.all = all.map { (assumption: $0, devices: $1) } }

    /// The assumptions on the devices that are drawn.
    package var drawn: AssumedSignals {
        signals { assumption, devices in devices.filter { assumption.draws($0) } }
    }

    /// The attributes that get other values.
    package var attributes: Set<String> {
        all.reduce(into: []) { if case .set(let key, _) = $1.assumption.change { $0.insert(key) } }
    }

    /// The assumptions on all of their devices.
    var whole: AssumedSignals { signals { $1 } }

    /// The assumptions that are about all of their devices; `nil` where there are none.
    var withoutShares: AssumedSignals? {
        all.contains { !$0.assumption.isSampled } ? signals { $0.isSampled ? [] : $1 } : nil
    }

    /// The devices of which a share is drawn, and the share; `nil` where each assumption is about all of its devices.
    var sampled: (devices: Set<DeviceID>, share: Percentage)? {
        all.first { $0.assumption.isSampled }.map { ($0.devices, $0.assumption.share) }
    }

    /// The assumptions with the numbers of their devices, without effects.
    package var figures: AssumptionFigures { AssumptionFigures(parts: parts) }

    /// The assumptions with the numbers of their devices.
    var parts: [AssumptionFigures.Part] {
        all.map { assumption, devices in
            .init(
                text: assumption.text, devices: devices.count, drawn: devices.count { assumption.draws($0) })
        }
    }

    private func signals(_ chosen: (SignalAssumption, Set<DeviceID>) -> Set<DeviceID>) -> AssumedSignals {
        AssumedSignals(account: 0, all.map { ($0.assumption.change, chosen($0.assumption, $0.devices)) })
    }
}

extension SignalChange {
    // The flag or the attribute that it names, where neither the account nor a record has it.
    fileprivate func unknownNames(in option: String, flags: Set<String>, keys: Set<String>) -> [Diagnostic] {
        switch self {
        case .add(let name),
            .remove(let name):
            RecordExpression.flag(name).unknownNames(in: option, flags: flags, keys: keys)
        case .set(let key, _):
            RecordExpression.value(key: RecordKey(attribute: key), ExactText(""))
                .unknownNames(in: option, flags: flags, keys: keys)
        }
    }
}
