internal import Accounts
internal import Documents
internal import PolicyEngine

/// The schema of groups of devices.
enum GroupSchema {
    /// A group.
    static var group: JSONSchema {
        .object([
            ("count", .integer(in: 1...ScenarioLoader.deviceLimit)), ("os", .words(["android", "ios"])),
            ("flags", .list(of: RuleForms.flag)), ("flag-rates", .map(of: .percentage, keys: RuleForms.flag)),
            ("attributes", .reference(to: "attributes")), ("registered", .boolean),
            ("safetynet", .words(of: SafetyNetOutcome.self)), ("id", RuleForms.deviceID), ("physical", .text),
            ("devicecheck", deviceCheck), ("activity", .reference(to: "activity")),
            ("client", .reference(to: "client")), ("dev-key", .text), ("pinning", .words(["sound", "compromised"])),
            ("account", .text),
        ])
    }

    // MARK: Attributes

    /// Attributes, which are drawn or the same for all.
    static var attributes: JSONSchema {
        let sound = "[^\\r\\n]*(\\n +[^ \\r\\n][^\\r\\n]*)*"
        let value = JSONSchema.any(of: [
            JSONSchema([("type", .list([.text("number"), .text("boolean")]))]), .text(matching: sound),
            .object(
                [("choose", .map(of: .percentage, keys: .text(matching: sound), atLeast: 1))], required: ["choose"]),
        ])
        let reserved = InformationKeys.ofRecord.joined(separator: "|")
        let key = "(?!(\(reserved))$)(?! |--- |getting |captured:)(?!.*: )[^\\r\\n]+"
        return .map(of: value, keys: .text(matching: key))
    }

    // MARK: Platforms

    private static var deviceCheck: JSONSchema {
        let states = JSONSchema.words(of: DeviceCheckCapability.self)
        let fields: [(name: String, schema: JSONSchema)] = [
            ("state", states), ("bits", .integer(in: 0...Int(DeviceCheckSetting.maximum))),
            ("changed", .text(matching: "[0-9]{4}-(0[1-9]|1[0-2])")),
        ]
        return .any(of: [states, .object(fields, required: ["state"])])
    }

    // MARK: Activity

    /// The frequency and the times of attestations.
    static var activity: JSONSchema {
        let weight = JSONSchema.integer(in: 0...Rhythm.weightLimit)
        let weights = JSONSchema.list(of: weight, atLeast: Rhythm.hourCount, atMost: Rhythm.hourCount)
        let exponent = "(10(\\.0{1,3})?|[0-9](\\.[0-9]{1,3})?)"
        let number = JSONSchema([
            ("type", .text("number")), ("minimum", .number(0)), ("maximum", .number(10)),
        ])
        return .object([
            ("zipf", .any(of: [number, .text(matching: exponent)])),
            ("rhythm", .any(of: [.words(["even", "day"]), weights])),
            ("weight", .integer(in: 1...Activity.weightLimit)),
        ])
    }
}
