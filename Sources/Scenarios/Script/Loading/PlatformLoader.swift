internal import Documents
internal import PolicyEngine

/// Reads what devices answer to DeviceCheck and SafetyNet.
enum PlatformLoader {
    /// The form of the answer of a group's devices to DeviceCheck.
    static var schema: JSONSchema {
        let states = JSONSchema.words(of: DeviceCheckCapability.self)
        let fields: [(name: String, schema: JSONSchema)] = [
            ("state", states), ("bits", .integer(in: 0...Int(DeviceCheckSetting.maximum))),
            ("changed", .text(matching: "[0-9]{4}-(0[1-9]|1[0-2])")),
        ]
        return .any(of: [states, .object(fields, required: ["state"])])
    }

    /// Reads the answer of devices to DeviceCheck.
    static func capability(
        _ node: Node, os: OperatingSystem?, _ reader: inout DocumentReader
    ) -> DeviceCheckCapability? {
        if os == .android { reader.error("`devicecheck` is for iOS, but these devices run Android", at: node.position) }
        return reader.word(node, "`devicecheck`")
    }

    /// Reads the answer of devices to SafetyNet.
    static func outcome(_ node: Node, os: OperatingSystem?, _ reader: inout DocumentReader) -> SafetyNetOutcome? {
        if os == .ios { reader.error("`safetynet` is for Android, but these devices run iOS", at: node.position) }
        return reader.word(node, "`safetynet`")
    }

    /// Reads the answer of a group's devices to DeviceCheck: a state alone, or with the bits that Apple has.
    ///
    /// - Parameters:
    ///   - node: The group's settings.
    ///   - group: Gets it.
    ///   - start: When the scenario starts; bits that say no month were changed then.
    ///   - reader: Gets what is wrong.
    static func load(
        deviceCheck node: Node, into group: inout DeviceGroup, start: Instant, _ reader: inout DocumentReader
    ) {
        guard case .mapping = node.content, var fields = reader.mapping(node, "`devicecheck`") else {
            group.deviceCheck = capability(node, os: group.operatingSystem, &reader)
            return
        }
        let state = fields.require("state", &reader)
        group.deviceCheck = state.flatMap { capability($0, os: group.operatingSystem, &reader) }
        let bits = fields.take("bits").flatMap { reader.integer($0, "`bits`", in: 0...Int(DeviceCheckSetting.maximum)) }
        let changedNode = fields.take("changed")
        let changed = changedNode.flatMap { month($0, before: start, &reader) }
        fields.finish(&reader)
        if let changedNode, bits == nil { reader.error("`changed` needs `bits`", at: changedNode.position) }
        guard let bits else { return }
        group.deviceCheckSetting = DeviceCheckSetting(bits: UInt8(bits), changed: changed ?? CalendarMonth(of: start))
    }

    private static func month(
        _ node: Node, before start: Instant, _ reader: inout DocumentReader
    ) -> CalendarMonth? {
        guard let text = reader.text(node, "`changed`") else { return nil }
        guard let month = CalendarMonth(text) else {
            reader.error("\(text.quoted) is not a month", at: node.position, hint: "such as 2018-03")
            return nil
        }
        if month > CalendarMonth(of: start) {
            reader.error("`changed` lies after the scenario's start", at: node.position)
        }
        return month
    }
}
