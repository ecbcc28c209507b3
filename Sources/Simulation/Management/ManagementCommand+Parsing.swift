internal import PolicyEngine

extension ManagementCommand {
    /// Understands a command line, such as `policy -set default,allow-root,risk`.
    ///
    /// - Throws: ``CommandError``: the first thing that is wrong with it.
    package init(_ line: String) throws(CommandError) {
        let call = try CommandInvocation(try CommandWords.split(line))
        switch (call.topic, call.action.name) {
        case ("policy", "-set"): self = .setPolicy(call.operand)
        case ("policy", "-addRejectFlag"): self = .addRejectFlag(call.operand)
        case ("policy", "-removeRejectFlag"): self = .removeRejectFlag(call.operand)
        case ("policy", "-setARC"): self = .setResponseCode(try Self.onOff(call.operand))
        case ("device", "-add"): self = .addDevice(try Self.target(call.operand), try Self.deviceOptions(call))
        case ("device", "-remove"): self = .removeDevice(try Self.deviceID(call.operand))
        case ("device", "-clearDeviceState"): self = .clearDeviceState
        case ("filter", "-add"): self = .addFilter(try Self.filter(call))
        case ("filter", "-remove"): self = .removeFilter(call.operand)
        case ("filter", "-setSamplingPercentage"): self = .setSamplingPercentage(try Self.percentage(call.operand))
        case ("devicecheck", _), ("safetynet", _), ("appsigncert", _), ("registration", _), ("api", _):
            self = try Self.serviceCommand(call)
        case ("device", _): self = .query(try Self.query(call))
        default: throw CommandError("\(call.topic) \(call.action.name) is not understood")
        }
    }

    private static func onOff(_ text: String) throws(CommandError) -> Bool {
        switch text {
        case "on": return true
        case "off": return false
        default: throw CommandError("`-setARC` takes `on` or `off`, not \(text.quoted)")
        }
    }

    private static func percentage(_ text: String) throws(CommandError) -> Percentage {
        guard let percentage = Percentage(text) else {
            throw CommandError("\(text.quoted) is not a number of percent from `0` to `100`")
        }
        return percentage
    }

    private static func target(_ text: String) throws(CommandError) -> DeviceTarget {
        text == "latest" ? .latest : .id(try deviceID(text))
    }

    static func deviceID(_ text: String) throws(CommandError) -> DeviceID {
        guard let id = DeviceID(text) else { throw CommandError(DeviceError.invalidID(text).description) }
        return id
    }

    private static func deviceOptions(_ call: CommandInvocation) throws(CommandError) -> DeviceOptions {
        var options = DeviceOptions()
        options.policy = call.value("-policy")
        options.label = call.value("-label")
        options.probeURL = call.value("-probeURL")
        if let text = call.value("-pinMode") { options.pinMode = try mode(text, "-pinMode") }
        if let text = call.value("-banMode") { options.banMode = try mode(text, "-banMode") }
        return options
    }

    static func mode<Mode: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ option: String
    ) throws(CommandError) -> Mode {
        if let mode = Mode(rawValue: text) { return mode }
        let names = Mode.allCases.map(\.rawValue)
        throw CommandError(
            "\(text.quoted) is no value of \(option.quoted); there are \(names.map(\.quoted).joined(separator: ", "))",
            hint: Suggestion.hint(for: text, among: names))
    }

    private static func filter(_ call: CommandInvocation) throws(CommandError) -> Filter {
        let switches: [(String, Filter.Options)] = [
            ("-newDIDOnly", .newDevicesOnly), ("-captureDeviceInfo", .captureDeviceInformation), ("-reject", .reject),
            ("-ban", .ban), ("-risky", .risky), ("-execFilteredSecPolicy", .executeFilteredPolicy),
        ]
        let options = switches.reduce(into: Filter.Options()) { if call.has($1.0) { $0.insert($1.1) } }
        let test = try filterTest(call)
        do throws(FilterError) {
            return try Filter(name: call.operand, test: test, options: options)
        } catch {
            throw CommandError(error.description, hint: error.hint)
        }
    }

    private static func filterTest(_ call: CommandInvocation) throws(CommandError) -> Filter.Test {
        if let inputs = call.value("-conjunction") {
            for other in ["-key", "-matchValue", "-regex"] where call.has(other) {
                throw CommandError("\(other.quoted) cannot go with `-conjunction`")
            }
            return .conjunction(inputs.split(separator: "+", omittingEmptySubsequences: false).map(String.init))
        }
        guard let key = call.value("-key"), !key.isEmpty, let value = call.value("-matchValue") else {
            throw CommandError("a filter needs `-key` and `-matchValue`, or else `-conjunction`")
        }
        guard call.has("-regex") else { return .exact(key: key, value: value) }
        do throws(PatternError) {
            return .regex(key: key, pattern: try Pattern(value))
        } catch {
            throw CommandError(error.description, hint: error.hint)
        }
    }
}
