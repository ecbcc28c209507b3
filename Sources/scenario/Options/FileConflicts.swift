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
    static func check(_ arguments: ParsedArguments) throws(CommandFailure) {
        guard arguments.command.options.contains(where: { $0.shape?.file == .writes && arguments.isSet($0) }) else {
            return
        }
        var conflicts = FileConflicts(arguments)
        // An output that does not exist yet overwrites nothing.
        if conflicts.outputs.contains(where: \.location.isRegularFile) { conflicts.addNamedFiles() }
        try conflicts.check()
    }

    private init(_ arguments: ParsedArguments) {
        self.arguments = arguments
        for path in arguments.operandFiles { addOperand(path) }
        if !arguments.isSet(Options.output) { outputs.append(Use(name: "the report", location: .standardOutput)) }
        for option in arguments.command.options {
            switch option.shape?.file {
            case .reads, .readsAccount: if !arguments.files(of: option).isEmpty { add(option, to: \.inputs) }
            case .writes: add(option, to: \.outputs)
            case nil: break
            }
        }
    }

    private mutating func addOperand(_ path: String) {
        let location = path == "-" ? .standardInput : FileLocation(path)
        inputs.append(Use(name: path.asTyped, location: location))
        var ignored = Diagnostics()
        for file in ScenarioFiles.find(at: path, includingAccounts: true, diagnostics: &ignored) where file != path {
            inputs.append(Use(name: file.asTyped, location: FileLocation(file)))
        }
    }

    // Adds the files that the inputs name in turn.
    private mutating func addNamedFiles() {
        let accounts = arguments.command.options.filter { $0.shape?.file == .readsAccount }.flatMap(arguments.files)
        var ignored = Diagnostics()
        let scenarios = arguments.operandFiles.filter { $0 != "-" }
            .flatMap { ScenarioFiles.find(at: $0, diagnostics: &ignored) }
            .filter(ScenarioFiles.isScenario)
        let files = accounts.flatMap(NamedFiles.ofAccount) + scenarios.flatMap(NamedFiles.ofScenario)
        for file in files { inputs.append(Use(name: file.asTyped, location: FileLocation(file))) }
    }

    private mutating func add(_ option: OptionDefinition, to uses: WritableKeyPath<Self, [Use]>) {
        let stream: FileLocation = uses == \.outputs ? .standardOutput : .standardInput
        for path in arguments.words(of: option) {
            let location = path == OutputFile.standardOutput ? stream : FileLocation(path)
            self[keyPath: uses].append(Use(name: "`\(option.name)`", location: location))
        }
    }

    private func check() throws(CommandFailure) {
        for (index, output) in outputs.enumerated() {
            if let input = inputs.first(where: { $0.location.isSame(as: output.location) }) {
                throw .usage("\(output.name) would overwrite \(input.name), which is read")
            }
            if let other = outputs[..<index].first(where: { $0.location.isSame(as: output.location) }) {
                throw .usage("\(output.name) and \(other.name) cannot go to the same file")
            }
        }
    }
}

/// Standard input, which `-` names among the files that are read.
enum StandardInput {
    /// Refuses a command line that names it more than once: whoever reads it second finds nothing.
    static func check(_ arguments: ParsedArguments) throws(CommandFailure) {
        let operands = arguments.command.operands?.kind == .files ? arguments.operands : []
        let options = arguments.command.options.filter { [.reads, .readsAccount].contains($0.shape?.file) }.flatMap(
            arguments.words)
        guard (operands + options).count(where: { $0 == "-" }) > 1 else { return }
        throw .usage("standard input can be read once only")
    }
}
