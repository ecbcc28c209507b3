internal import Documents
internal import PolicyEngine

extension KeySetCommand {
    /// The actions of the topic.
    static let actions = [
        CommandAction("-add", "algorithm, such as `RS256`", options: [name, CommandOption("-keyLength", .text)]),
        CommandAction("-list"), CommandAction("-remove", options: [name]),
        CommandAction("-getPEM", "file name", options: [name]), CommandAction("-getJWKS", "file name"),
        CommandAction("-import", "file name", options: [name, CommandOption("-alg", .text)]),
    ]

    private static let name = CommandOption("-kid", .text)

    /// Understands a command of the topic.
    init(_ call: CommandInvocation) throws(CommandError) {
        switch call.action.name {
        case "-add":
            let algorithm: TokenAlgorithm = try ManagementCommand.word(call.operand, "-add")
            let bits: Int? = try call.value("-keyLength").map { text throws(CommandError) in try Self.bits(text) }
            if let id = call.value("-kid"), !TokenLimits.isKeyID(id) {
                throw CommandError(TokenKeyError.invalidID.description)
            }
            self = .add(algorithm, id: call.value("-kid"), bits: bits)
        case "-list": self = .list
        case "-remove": self = .remove(id: try Self.id(call))
        case "-getPEM": self = .getPEM(file: call.operand, id: try Self.id(call))
        case "-getJWKS": self = .getJWKS(file: call.operand)
        default:
            let algorithm: TokenAlgorithm? = try call.value("-alg").map { text throws(CommandError) in
                try ManagementCommand.word(text, "-alg")
            }
            self = .importKeys(file: call.operand, id: call.value("-kid"), algorithm)
        }
    }

    private static func id(_ call: CommandInvocation) throws(CommandError) -> String {
        if let id = call.value("-kid") { return id }
        throw CommandError(
            "\(call.action.name.quoted) needs `-kid`", hint: "it says which key; `keyset -list` tells them")
    }

    private static func bits(_ text: String) throws(CommandError) -> Int {
        if let bits = Int(text), String(bits) == text, bits > 0 { return bits }
        throw CommandError("\(text.quoted) is no length in bits")
    }
}
