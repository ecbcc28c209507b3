internal import Documents
internal import PolicyEngine

extension ManagementCommand {
    /// Understands a command of the topic `device`.
    static func deviceCommand(_ call: CommandInvocation) throws(CommandError) -> ManagementCommand {
        switch call.action.name {
        case "-add": .addDevice(try target(call.operand), try deviceOptions(call))
        case "-list": .question(.devices)
        case "-remove": .removeDevice(try deviceID(call.operand))
        case "-removeMatching": .removeDevices(matching: call.operand)
        case "-clearDeviceState": .clearDeviceState
        default: .query(try query(call))
        }
    }

    private static func target(_ text: String) throws(CommandError) -> DeviceTarget {
        text == "latest" ? .latest : .id(try deviceID(text))
    }

    private static func deviceOptions(_ call: CommandInvocation) throws(CommandError) -> DeviceOptions {
        var options = DeviceOptions()
        options.policy = call.value("-policy")
        options.label = call.value("-label")
        options.probeURL = try call.value("-probeURL").map(probeURL)
        if let text = call.value("-pinMode") { options.pinMode = try word(text, "-pinMode") }
        if let text = call.value("-banMode") { options.banMode = try word(text, "-banMode") }
        return options
    }

    private static func probeURL(_ text: String) throws(CommandError) -> String {
        if DeviceEntry.isProbeURL(text) { return text }
        throw CommandError(DeviceError.invalidProbeURL(text).description)
    }

    private static func query(_ call: CommandInvocation) throws(CommandError) -> DeviceQuery {
        let clears = call.has("-clear")
        switch (call.action.name, call.operand) {
        case ("-getDeviceState", let id): return .state(try deviceID(id))
        case ("-getInfo", "new-did"): return .information(.newDevices, clears: clears)
        case ("-getInfo", "filtered"): return .information(.filteredDevices, clears: clears)
        case ("-getInfo", let id): return .information(.device(try deviceID(id)), clears: clears)
        case (_, "timed"): return .fetches(isTimed: true, clears: clears)
        case (_, "untimed"): return .fetches(isTimed: false, clears: clears)
        default: throw CommandError("`-getFetches` takes `timed` or `untimed`, not \(call.operand.quoted)")
        }
    }
}
