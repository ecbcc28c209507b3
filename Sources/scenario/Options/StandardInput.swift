/// Standard input, which `-` names among the files that are read.
enum StandardInput {
    /// Refuses a command line that names it more than once: whoever reads it second finds nothing.
    static func check(_ arguments: ParsedArguments, of command: CommandDefinition) throws(UsageError) {
        let operands = command.operands?.kind == .files ? arguments.operands : []
        let options = command.options.filter(\.readsFile).flatMap(arguments.values)
        guard (operands + options).count(where: { $0 == "-" }) > 1 else { return }
        throw UsageError("standard input can be read once only")
    }
}

extension OptionDefinition {
    // True if its value is a file that is read.
    fileprivate var readsFile: Bool { value == .file(.reads) || value == .file(.readsAccount) }
}
