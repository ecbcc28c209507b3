internal import Documents
internal import PolicyEngine

/// The app starts anew: at once, or each at a time of its own within some seconds (R14.4).
struct LaunchStep: SpreadAction, MappedAction {
    static let key = "launch"
    static let help = "The groups whose apps start anew."
    var groups: [Int] = []
    var over: Int?
    var reach: Set<AccountPart> { [] }

    static let needsNoMapping = true
    static let fields: [Field<LaunchStep>] = [
        .required("over", \.over, ValueForm.interval.map(Optional.some), StepHelp.over)
    ]

    func perform(in run: inout ScenarioRun) -> [String] {
        run.devices.launch(groups, run.launching, at: run.time)
        return ["launch \(run.names(groups))\(run.launching.map { ": \($0.count)" } ?? "")"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R14.1", "app") { _ in
            "the app starts again: the token in memory is gone, and the app loads the configuration that it stored"
        }
    }
}

/// The app is removed and installed again (R1.3).
struct ReinstallStep: MappedAction {
    static let key = "reinstall"
    static let help = "The groups whose apps are removed and installed again."
    var groups: [Int] = []
    private var keepsID = false
    var reach: Set<AccountPart> { [] }

    static let needsNoMapping = true
    static let fields: [Field<ReinstallStep>] = [
        .truth("keep-id", \.keepsID, "With true, the devices keep their IDs.")
    ]

    func perform(in run: inout ScenarioRun) -> [String] {
        for group in groups {
            run.devices.renew(group, run.access(of: group)) { !keepsID && $0.evidence.system == .ios }
        }
        return ["reinstall \(run.names(groups))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R1.3", "app") { "the app is installed again, and has the device ID \($0)" }
    }
}

/// The device is reset: on Android, a new device ID (R1.3).
struct FactoryResetStep: GroupAction {
    static let key = "factory-reset"
    static let help = "The groups whose devices are reset, and get new IDs."
    let groups: [Int]
    var reach: Set<AccountPart> { [] }

    static func form(_ scope: ScenarioScope) -> ValueForm<FactoryResetStep> {
        ValueForm<[Int]>.groups(scope).map { FactoryResetStep(groups: $0) }
    }

    func perform(in run: inout ScenarioRun) -> [String] {
        for group in groups { run.devices.renew(group, run.access(of: group)) { _ in true } }
        return ["factory-reset \(run.names(groups))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R1.3", "device") { "the device is reset, and has the device ID \($0)" }
    }
}

/// The phone is replaced by another one, whose apps a backup brings along or not, or is reset and sold (R1.3).
struct ReplaceStep: MappedAction {
    static let key = "replace"
    static let help = "The groups whose phones are replaced."
    var groups: [Int] = []
    private var kept: Kept?
    var reach: Set<AccountPart> { [] }

    /// The part of a device that stays; everything else is new.
    private enum Kept: String, CaseIterable, Sendable {
        /// The ID of the device, which a backup brings to another phone.
        case deviceID = "device-id"
        /// The phone, which has another ID after it was reset.
        case hardware
    }

    static let needsNoMapping = true
    static let fields: [Field<ReplaceStep>] = [
        .optional(
            "keeps", \.kept, .word,
            "The part that stays, the device-id, from a backup, or the hardware, which is reset; by default neither.")
    ]

    func perform(in run: inout ScenarioRun) -> [String] {
        for group in groups {
            if kept != .hardware { run.devices.replaceHardware(of: group) }
            run.devices.renew(group, run.access(of: group)) { _ in kept != .deviceID }
        }
        return ["replace \(run.names(groups))"]
    }

    func event(in _: Scenario) -> StepEvent {
        let phone = kept == .hardware ? "the phone is reset" : "the phone is another one"
        return event("R1.3", "device") { "\(phone), and has the device ID \($0)" }
    }
}

extension ValueForm<Int> {
    /// A duration from which to the next one launches and other draws are spread: from a second to as long as they can be.
    static var interval: ValueForm {
        ValueForm.duration.flatMap { seconds, node, what, reader in
            if 1...LaunchTimes.Round.longestSpan ~= seconds { return seconds }
            reader.error(
                "\(what) must be at least `1s`\(seconds == 0 ? "" : ", and at most `136y`")", at: node.position)
            return nil
        }
    }
}
