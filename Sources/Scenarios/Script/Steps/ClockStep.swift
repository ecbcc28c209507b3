internal import Documents
internal import PolicyEngine

/// The clocks of phones are ahead or behind from now on (R19.9).
struct ClockStep: MappedAction {
    static let key = "clock"
    static let help = "Lets the clocks of phones be wrong."
    var groups: [Int] = []
    private var offset = 0
    var reach: Set<AccountPart> { [] }

    static let fields: [Field<ClockStep>] = [
        .required(
            "offset", \.offset, .offset, "The time by which they are ahead, such as 10m, or behind, such as -10m.")
    ]

    func perform(in run: inout ScenarioRun) -> [String] {
        run.devices.forEachInstall(of: groups) { install in
            install.clock = offset
            install.epoch &+= 1
            install.decidedRules.insert(.clocks)
        }
        return ["clock \(run.names(groups)) \(ClockText.text(offset))"]
    }

    func event(in _: Scenario) -> StepEvent {
        event("R19.9", "device") { _ in "the phone's clock is \(ClockText.text(offset)) from now on" }
    }
}

/// The offset of a clock in words.
enum ClockText {
    /// `10m ahead`, `30s behind`, `right`.
    static func text(_ offset: Int) -> String {
        offset == 0 ? "right" : "\(DurationText.text(abs(offset))) \(offset > 0 ? "ahead" : "behind")"
    }
}

extension ValueForm<Int> {
    /// The offset of a clock: a duration by which it is ahead, or behind a minus sign.
    static var offset: ValueForm {
        ValueForm(.text(matching: "-?([0-9]+y)?([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?")) { node, what, reader in
            guard let text = reader.text(node, what) else { return nil }
            let isBehind = text.hasPrefix("-")
            if let seconds = try? DurationText.parse(isBehind ? String(text.dropFirst()) : text) {
                return isBehind ? -seconds : seconds
            }
            reader.error("\(what) must be a duration such as `10m` or `-30s`, not \(text.quoted)", at: node.position)
            return nil
        }
    }
}
