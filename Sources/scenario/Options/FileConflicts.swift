internal import Accounts
internal import Documents
internal import Scenarios

/// Finds files that a command would write and read, or write twice; reports them before anything is read or written.
///
/// The definition of the command says which options and operands name files, and the use of each file.
struct FileConflicts {
    private let arguments: ParsedArguments
    private var inputs: [Use] = []
    private var outputs: [Use] = []

    private struct Use {
        /// Its name in messages: `--output`, or the path of an operand.
        let name: String
        let location: FileLocation
    }

    /// Checks the typed arguments.
    ///
    /// - Throws: For the first output that is an input, or another output.
    static func check(_ arguments: ParsedArguments, of command: CommandDefinition) throws(UsageError) {
        guard command.options.contains(where: { $0.shape?.file == .writes && arguments.isSet($0) }) else { return }
        var conflicts = FileConflicts(arguments, of: command)
        // An output that does not exist yet overwrites nothing.
        if conflicts.outputs.contains(where: \.location.isRegularFile) { conflicts.addNamedFiles(of: command) }
        try conflicts.check()
    }

    private init(_ arguments: ParsedArguments, of command: CommandDefinition) {
        self.arguments = arguments
        for path in operands(of: command) { addOperand(path) }
        if !arguments.isSet(Options.output) { outputs.append(Use(name: "the report", location: .standardOutput)) }
        for option in command.options {
            switch option.shape?.file {
            case .reads, .readsAccount: if !arguments.files(of: option).isEmpty { add(option, to: \.inputs) }
            case .writes: add(option, to: \.outputs)
            case nil: break
            }
        }
    }

    // The operands that name files.
    private func operands(of command: CommandDefinition) -> [String] {
        guard let definition = command.operands, definition.kind == .files else { return [] }
        return arguments.operands.isEmpty ? [definition.fallback].compactMap(\.self) : arguments.operands
    }

    private mutating func addOperand(_ path: String) {
        let location = path == "-" ? .standardInput : FileLocation(path)
        inputs.append(Use(name: UsageError.quote(path), location: location))
        var ignored = Diagnostics()
        for file in ScenarioFiles.find(at: path, diagnostics: &ignored) where file != path {
            inputs.append(Use(name: UsageError.quote(file), location: FileLocation(file)))
        }
    }

    // Adds the files that the inputs name in turn.
    private mutating func addNamedFiles(of command: CommandDefinition) {
        let accounts = command.options.filter { $0.shape?.file == .readsAccount }.flatMap(arguments.files)
        var ignored = Diagnostics()
        let scenarios = operands(of: command).filter { $0 != "-" }
            .flatMap { ScenarioFiles.find(at: $0, diagnostics: &ignored) }
            .filter(ScenarioFiles.isScenario)
        let files = accounts.flatMap(NamedFiles.ofAccount) + scenarios.flatMap(NamedFiles.ofScenario)
        for file in files { inputs.append(Use(name: UsageError.quote(file), location: FileLocation(file))) }
    }

    private mutating func add(_ option: OptionDefinition, to uses: WritableKeyPath<Self, [Use]>) {
        let stream: FileLocation = uses == \.outputs ? .standardOutput : .standardInput
        for path in arguments.words(of: option) {
            let location = path == OutputFile.standardOutput ? stream : FileLocation(path)
            self[keyPath: uses].append(Use(name: "`\(option.name)`", location: location))
        }
    }

    private func check() throws(UsageError) {
        for (index, output) in outputs.enumerated() {
            if let input = inputs.first(where: { $0.location.isSame(as: output.location) }) {
                throw UsageError("\(output.name) would overwrite \(input.name), which is read")
            }
            if let other = outputs[..<index].first(where: { $0.location.isSame(as: output.location) }) {
                throw UsageError("\(output.name) and \(other.name) cannot go to the same file")
            }
        }
    }
}

/// Standard input, which `-` names among the files that are read.
enum StandardInput {
    /// Refuses a command line that names it more than once: whoever reads it second finds nothing.
    static func check(_ arguments: ParsedArguments, of command: CommandDefinition) throws(UsageError) {
        let operands = command.operands?.kind == .files ? arguments.operands : []
        let options = command.options.filter { [.reads, .readsAccount].contains($0.shape?.file) }.flatMap(
            arguments.words)
        guard (operands + options).count(where: { $0 == "-" }) > 1 else { return }
        throw UsageError("standard input can be read once only")
    }
}
