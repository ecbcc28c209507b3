internal import Documents
package import PolicyEngine

/// The topic `filter`: the device filters of an account, and the share of devices that the filtered policy samples.
package enum FilterTopic: ManagementTopic {
    case add(Filter)
    case list
    case remove(String)
    case setSamplingPercentage(Percentage)
    case getSamplingPercentage

    static let name = "filter"

    static let actions: [CommandAction] = [
        action(
            "-add", "name", for: .developers, changes: true,
            options: [
                CommandOption("-key", .anyText), CommandOption("-matchValue", .anyText),
                CommandOption("-conjunction", .anyText), CommandOption("-regex"),
            ] + FilterOption.all.map { CommandOption("-" + $0.word) }
        ) { call throws(CommandError) in .add(try filter(call)) },
        action("-list", for: .developers) { _ in .list },
        action("-remove", "name", for: .developers, changes: true) { .remove($0.operand) },
        action("-setSamplingPercentage", "percentage", for: .admins, changes: true) { call throws(CommandError) in
            guard let percentage = Percentage(call.operand) else {
                throw CommandError("\(call.operand.quoted) is not a number of percent from `0` to `100`")
            }
            return .setSamplingPercentage(percentage)
        },
        action("-getSamplingPercentage", for: .developers) { _ in .getSamplingPercentage },
    ]

    private static func filter(_ call: CommandInvocation) throws(CommandError) -> Filter {
        let options = FilterOption.all.reduce(into: Filter.Options()) { chosen, option in
            if call.has("-" + option.word) { chosen.insert(option.option) }
        }
        let test = try test(call)
        return try CommandError.wrapping { () throws(FilterError) in
            try Filter(name: call.operand, test: test, options: options)
        }
    }

    private static func test(_ call: CommandInvocation) throws(CommandError) -> Filter.Test {
        if let inputs = call.value("-conjunction") {
            for other in ["-key", "-matchValue", "-regex"] where call.has(other) {
                throw CommandError("\(other.quoted) cannot be combined with `-conjunction`")
            }
            guard !inputs.contains(",") else {
                throw CommandError(
                    "the inputs of a conjunction are joined by `+`: "
                        + "`-conjunction \(inputs.replacing(",", with: "+"))`")
            }
            return .conjunction(inputs.split(separator: "+", omittingEmptySubsequences: false).map(String.init))
        }
        guard let key = call.value("-key"), !key.isEmpty, let value = call.value("-matchValue") else {
            throw CommandError("a filter needs `-key` and `-matchValue`, or else `-conjunction`")
        }
        guard call.has("-regex") else { return .exact(key: key, value: value) }
        guard !value.isEmpty else { throw CommandError("an empty regex is found in every value") }
        let pattern = try CommandError.wrapping { () throws(PatternError) in try Pattern(value) }
        return .regex(key: key, pattern: pattern)
    }

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .add(let filter):
            try CommandError.wrapping { () throws(FilterError) in try account.set(filter) }
            if !filter.options.isDisjoint(with: [.reject, .ban]) {
                effect.confirmation = .impact(of: "using the ban or reject option")
            }
            effect.warn(FilterReview.neverMatching(filter)?.sentence)
            effect.reported = ["successfully set filter \(filter.name)"]
        case .list: effect.printed = FilterText.list(account.filters)
        case .remove(let name):
            try CommandError.wrapping { () throws(FilterError) in try account.removeFilter(named: name) }
            effect.reported = ["successfully removed filter \(name)"]
        case .setSamplingPercentage(let percentage):
            account.samplingPercentage = percentage
            effect.reported = ["successfully set sampling percentage"]
        case .getSamplingPercentage: effect.printed = ["sampling percentage is \(account.samplingPercentage)"]
        }
    }
}

/// Filters in the words of the manual (Listing Device Filters).
private enum FilterText {
    /// The output of `filter -list`.
    static func list(_ filters: [Filter]) -> [String] {
        [ListText.heading(filters.count, "filter", "filters")]
            + ListText.columns(filters.map { filter in (filter.name, test(of: filter) + options(of: filter)) })
    }

    private static func test(of filter: Filter) -> String {
        switch filter.test {
        case .exact(let key, let value): "\(key): \(value)"
        case .regex(let key, let pattern): "\(key): \(pattern.source)"
        case .conjunction(let inputs): "conjunction: \(inputs.joined(separator: "+"))"
        }
    }

    private static func options(of filter: Filter) -> String {
        let chosen = FilterOption.all.filter { filter.options.contains($0.option) }.map(\.word)
        let words = if case .regex = filter.test { ["regex"] + chosen } else { chosen }
        return words.isEmpty ? "" : "  \(words.joined(separator: ", "))"
    }
}

// The words that add a filter.
extension FilterTopic {
    /// The words of the command `filter -add …` of a filter; not every filter can be added by a command.
    static func words(adding filter: Filter) -> [String] {
        let chosen = FilterOption.all.filter { filter.options.contains($0.option) }
        return ["filter"] + option("-add", filter.name) + words(of: filter.test) + chosen.map { "-" + $0.word }
    }

    private static func words(of test: Filter.Test) -> [String] {
        switch test {
        case .exact(let key, let value): option("-key", key) + option("-matchValue", value)
        case .regex(let key, let pattern): option("-key", key) + option("-matchValue", pattern.source) + ["-regex"]
        case .conjunction(let inputs): option("-conjunction", inputs.joined(separator: "+"))
        }
    }

    // A value that begins with `-` is joined to its option, or else it would be taken as an option itself.
    private static func option(_ name: String, _ value: String) -> [String] {
        value.utf8.first == UInt8(ascii: "-") ? ["\(name)=\(value)"] : [name, value]
    }
}
