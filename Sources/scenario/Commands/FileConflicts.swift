internal import Accounts
internal import Documents
internal import Scenarios

/// Finds files that a command would write and read, or write twice; told before anything is read or written.
struct FileConflicts {
    private var inputs: [Use] = []
    private var outputs: [Use] = []

    private struct Use {
        /// What messages call it: `--output`, or the path of an operand.
        let name: String
        let location: FileLocation
    }

    private static let inputOptions = [
        ReplayCommand.accountOption, ReplayCommand.fetchesOption, DiffCommand.changesOption,
        DiffCommand.candidateOption,
    ]
    private static let outputOptions: [OptionDefinition] = [
        .output, .decisions, ReplayCommand.malformedOption, ReplayCommand.tokensOption, RunCommand.printedOption,
    ]

    /// Checks what was typed.
    ///
    /// - Parameter arguments: Those of a command whose operands, if it can write files, are files and folders.
    /// - Throws: For the first output that is an input, or another output.
    static func check(_ arguments: ParsedArguments) throws(UsageError) {
        guard outputOptions.contains(where: arguments.isSet) else { return }
        var conflicts = FileConflicts()
        // Only `run` can do without operands.
        let operands = arguments.operands.isEmpty ? [RunCommand.defaultPath] : arguments.operands
        for path in operands { conflicts.addOperand(path) }
        for option in inputOptions { conflicts.add(arguments, option, to: \.inputs) }
        if !arguments.isSet(.output) {
            conflicts.outputs.append(Use(name: "the report", location: .standardOutput))
        }
        for option in outputOptions { conflicts.add(arguments, option, to: \.outputs) }
        // What is not there yet overwrites nothing.
        if conflicts.outputs.contains(where: \.location.isRegularFile) {
            conflicts.addNamedFiles(arguments, operands: operands)
        }
        try conflicts.check()
    }

    private mutating func addOperand(_ path: String) {
        let location = path == "-" ? .standardInput : FileLocation(path)
        inputs.append(Use(name: UsageError.quote(path), location: location))
        var ignored = Diagnostics()
        for file in ScenarioFiles.find(at: path, diagnostics: &ignored) where file != path {
            inputs.append(Use(name: UsageError.quote(file), location: FileLocation(file)))
        }
    }

    // What the inputs name in turn.
    private mutating func addNamedFiles(_ arguments: ParsedArguments, operands: [String]) {
        let accounts = [ReplayCommand.accountOption, DiffCommand.candidateOption].compactMap(arguments.value(of:))
        var ignored = Diagnostics()
        let scenarios = operands.filter { $0 != "-" }.flatMap { ScenarioFiles.find(at: $0, diagnostics: &ignored) }
            .filter(ScenarioFiles.isScenario)
        let files = accounts.flatMap(NamedFiles.ofAccount) + scenarios.flatMap(NamedFiles.ofScenario)
        for file in files { inputs.append(Use(name: UsageError.quote(file), location: FileLocation(file))) }
    }

    private mutating func add(
        _ arguments: ParsedArguments, _ option: OptionDefinition, to uses: WritableKeyPath<Self, [Use]>
    ) {
        guard let path = arguments.value(of: option) else { return }
        let location = path == OutputFile.standardOutput ? .standardOutput : FileLocation(path)
        self[keyPath: uses].append(Use(name: "`\(option.name)`", location: location))
    }

    private func check() throws(UsageError) {
        for (place, output) in outputs.enumerated() {
            if let input = inputs.first(where: { $0.location.isSame(as: output.location) }) {
                throw UsageError("\(output.name) would overwrite \(input.name), which is read")
            }
            if let other = outputs[..<place].first(where: { $0.location.isSame(as: output.location) }) {
                throw UsageError("\(output.name) and \(other.name) cannot go to the same file")
            }
        }
    }
}
