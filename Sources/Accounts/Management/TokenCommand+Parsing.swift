internal import Documents
internal import PolicyEngine

extension TokenCommand {
    /// The actions of the topic.
    static let actions = [
        CommandAction("-check", "token"),
        CommandAction(
            "-genExample", "domain",
            options: [CommandOption("-type", .text), CommandOption("-setDataHashInToken", .anyText)]),
        CommandAction("-genLongLived", "name and age, such as `server-token,90d`"),
    ]

    /// Understands a command of the topic.
    init(_ call: CommandInvocation) throws(CommandError) {
        switch call.action.name {
        case "-check": self = .check(call.operand)
        case "-genExample":
            let type: ExampleType? = try call.value("-type").map { text throws(CommandError) in
                try ManagementCommand.word(text, "-type")
            }
            self = .example(domain: call.operand, type ?? .valid, data: call.value("-setDataHashInToken"))
        default: self = try Self.longLived(call.operand)
        }
    }

    // Manual, Long Lived Approov Tokens: in days, and not less than one.
    private static let days = 1...36_500

    private static func longLived(_ text: String) throws(CommandError) -> TokenCommand {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw CommandError("\(text.quoted) is not a name and an age", hint: "such as server-token,90d")
        }
        let number = parts[1].hasSuffix("d") ? String(parts[1].dropLast()) : ""
        guard let days = Int(number), String(days) == number, Self.days.contains(days) else {
            throw CommandError(
                "\(parts[1].quoted) is no number of days from \(Self.days.lowerBound)d to \(Self.days.upperBound)d")
        }
        return .longLived(name: parts[0], days: days)
    }
}
