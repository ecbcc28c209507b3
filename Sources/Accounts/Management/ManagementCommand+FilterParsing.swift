internal import Documents
internal import PolicyEngine

extension ManagementCommand {
    /// Understands a command of the topic `filter`.
    static func filterCommand(_ call: CommandInvocation) throws(CommandError) -> ManagementCommand {
        switch call.action.name {
        case "-add": .addFilter(try filter(call))
        case "-list": .question(.filters)
        case "-remove": .removeFilter(call.operand)
        case "-setSamplingPercentage": .setSamplingPercentage(try percentage(call.operand))
        default: .question(.samplingPercentage)
        }
    }

    private static func percentage(_ text: String) throws(CommandError) -> Percentage {
        guard let percentage = Percentage(text) else {
            throw CommandError("\(text.quoted) is not a number of percent from `0` to `100`")
        }
        return percentage
    }

    private static func filter(_ call: CommandInvocation) throws(CommandError) -> Filter {
        let options = FilterOption.all.reduce(into: Filter.Options()) { chosen, option in
            if call.has("-" + option.word) { chosen.insert(option.option) }
        }
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
        return call.has("-regex") ? try regex(value, key: key) : .exact(key: key, value: value)
    }

    private static func regex(_ source: String, key: String) throws(CommandError) -> Filter.Test {
        guard !source.isEmpty else { throw CommandError("an empty regex is found in every value") }
        do throws(PatternError) {
            return .regex(key: key, pattern: try Pattern(source))
        } catch {
            throw CommandError(error.description, hint: error.hint)
        }
    }
}
