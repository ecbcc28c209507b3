internal import Accounts
internal import Documents
internal import PolicyEngine

/// The schema of groups of devices.
struct GroupSchema {
    /// The forms of flags.
    let rules: RuleForms
    /// The rule by which a group names its account.
    let naming: AccountNaming

    /// A group.
    var group: JSONSchema {
        var fields: [(name: String, schema: JSONSchema)] = [
            ("count", .integer(in: 1...ScenarioLoader.deviceLimit)), ("os", .words(["android", "ios"])),
            ("flags", flags), ("flag-rates", .map(of: .percentage, keys: rules.flag)),
            ("attributes", .reference(to: "attributes")),
            ("registered", .boolean), ("safetynet", .words(of: SafetyNetOutcome.self)),
            ("id", Self.id), ("physical", .text), ("devicecheck", Self.deviceCheck),
            ("activity", .reference(to: "activity")),
            ("client", .reference(to: "client")), ("dev-key", .text), ("pinning", .words(["sound", "compromised"])),
        ]
        if naming != .none { fields.append(("account", .text)) }
        return JSONSchema.object(fields, required: naming == .needed ? ["account"] : []).and([
            .condition(.having(["id"]), then: .properties([("count", .integer(in: 1...1))])),
            Self.running("android", excludes: "devicecheck"), Self.running("ios", excludes: "safetynet"),
        ])
    }

    /// Flags that devices have.
    var flags: JSONSchema { .list(of: rules.flag) }

    private static var id: JSONSchema {
        JSONSchema.words([DeviceID.filteredPolicyText]).negated.and([RuleForms.deviceID])
    }

    private static func running(_ system: String, excludes name: String) -> JSONSchema {
        .condition(
            JSONSchema.having(["os"]).and([.properties([("os", .words([system]))])]),
            then: JSONSchema.having([name]).negated)
    }

    // MARK: Attributes

    /// Attributes, which are drawn or the same for all.
    static var attributes: JSONSchema {
        let sound = "[^\\r\\n]*(\\n +[^ \\r\\n][^\\r\\n]*)*"
        let value = JSONSchema.any(of: [
            JSONSchema([("type", .list([.text("number"), .text("boolean")]))]), .text(matching: sound),
            .object(
                [("choose", shares(of: .text(matching: sound)))], required: ["choose"]),
        ])
        let reserved = JSONSchema.words(InformationKeys.ofRecord).negated
        let key = JSONSchema.text(matching: "(?! |--- |getting |captured:)(?!.*: )[^\\r\\n]+")
        let block = JSONSchema.text(
            matching: "[^/]*|\((0...32).map(network).joined(separator: "|"))|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*/[0-9]{1,3}")
        let address = JSONSchema.any(of: [
            JSONSchema([("type", .list([.text("number"), .text("boolean")]))]), block,
            .properties([("choose", JSONSchema([("propertyNames", block.value)]))])
                .with("type", .text("object")),
        ])
        return JSONSchema.map(of: value, keys: key.and([reserved])).and([.properties([("ip", address)])])
    }

    // Shares of 100 % in all: several above a half are too many, and two below it too few.
    private static func shares(of keys: JSONSchema) -> JSONSchema {
        let half = JSONSchema.values(.text(matching: "0*50(\\.0{1,9})?%"))
        let more = JSONSchema.values(.text(matching: "0*(100|[5-9][0-9])(\\.[0-9]{1,9})?%"))
        let less = JSONSchema.values(.text(matching: "0*([0-4]?[0-9](\\.[0-9]{1,9})?|50(\\.0{1,9})?)%"))
        let other = JSONSchema([("type", .text("object"))]).and([half.negated])
        return JSONSchema.map(of: .percentage, keys: keys, atLeast: 1).and([
            other.with("minProperties", .number(2)).and([more]).negated,
            other.with("maxProperties", .number(2)).and([less]).negated,
        ])
    }

    // The blocks of a prefix: behind it, all bits of the address are 0.
    private static func network(_ length: Int) -> String {
        let parts = (0..<4).map { part in
            let bits = min(8, max(0, length - part * 8))
            let values = stride(from: 0, through: 255, by: 1 << (8 - bits)).map(String.init)
            return bits == 8 ? "[0-9]{1,3}" : bits == 0 ? "0" : "(\(values.joined(separator: "|")))"
        }
        return parts.joined(separator: "\\.") + "/\(length)"
    }

    // MARK: Platforms

    private static var deviceCheck: JSONSchema {
        let states = JSONSchema.words(of: DeviceCheckCapability.self)
        let fields: [(name: String, schema: JSONSchema)] = [
            ("state", states), ("bits", .integer(in: 0...Int(DeviceCheckSetting.maximum))),
            ("changed", .text(matching: "[0-9]{4}-(0[1-9]|1[0-2])")),
        ]
        return .any(of: [
            states, JSONSchema.object(fields, required: ["state"]).and([.having("changed", needs: ["bits"])]),
        ])
    }

    // MARK: Activity

    /// The frequency and the times of attestations.
    static var activity: JSONSchema {
        let weight = JSONSchema.integer(in: 0...Rhythm.weightLimit)
        let weights = JSONSchema.list(of: weight, atLeast: Rhythm.hourCount, atMost: Rhythm.hourCount)
            .with("contains", JSONSchema.words(["0"]).negated.and([.integer(in: 1...Rhythm.weightLimit)]).value)
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
