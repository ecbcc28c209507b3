internal import Analysis
internal import Documents
internal import Figures
internal import Replay
internal import Reports

/// The origin that the reports of a call name: the command line, and the files that were read.
struct ReportSource {
    /// The files that the operands led to; `nil` for the operands.
    var files: [String]?
    /// The files that parts were made from, according to them; `nil` looks at the files.
    var carried: PartialResult.TypedCommand?
    /// True if `explain` explains the devices of the report.
    var isExplained = false
    /// True if forms that point at lines point at those of the change.
    var hasChange = false
    /// True if people see every step of a scenario.
    var isVerbose = false
    /// True if nobody but its owner may read a file with the report.
    var isSecret = false

    /// The origin of the report that a call asks for; if its form does not show it, nothing is read.
    func origin(in call: CommandCall) -> ReportOrigin {
        let (arguments, form) = (call.arguments, call.arguments.form)
        var origin = ReportOrigin()
        origin.part = arguments.captures?.part
        if isExplained { origin.explanation = ExplanationLine.beginning(arguments, call.console.redaction) }
        if hasChange, form == .sarif || form == .github { origin.change = .find(arguments, redactor: call.redactor) }
        guard form == .html || form == .sarif else { return origin }
        origin.command = ReportOrigins.line(arguments, call.redactor)
        origin.version = ToolVersion.current
        // A digest of a key would help to guess it.
        let named =
            arguments.command.options.filter { $0.name != RedactionOptions.key.name }.flatMap(arguments.files)
            + [arguments.defaults?.path].compactMap(\.self)
        let budget = ReportOrigins.budget(arguments)
        if let carried {
            let known = named.map { path in
                carried.files.first { $0.path == path } ?? CaptureIdentity(path: path, digestedUpTo: .max)
            }
            origin.inputs = CaptureIdentity.limiting(carried.captures + known, to: budget).map(ReportOrigins.input)
        } else {
            // Captures that were read before may have changed since.
            let read = arguments.captures?.image.captures.map(ReportOrigins.input)
            let files = read == nil ? files ?? call.operands : []
            origin.inputs = (read ?? []) + ReportOrigins.inputs(files + named, budget: budget)
        }
        return origin
    }
}

/// The parts of the origin of a report.
enum ReportOrigins {
    // The options that have no influence on the report.
    private static let irrelevant = Set([Options.jobs.name, Options.output.name, Options.noProgress.name])

    /// The number of bytes of inputs that are read again for digests.
    static func budget(_ arguments: ParsedArguments) -> Int {
        arguments[Options.digests] ? .max : CaptureIdentity.digestBytes
    }

    fileprivate static func input(_ file: CaptureIdentity) -> ReportOrigin.Input {
        ReportOrigin.Input(path: file.path, size: file.bytes, digest: file.digest)
    }

    /// Sizes and digests of the files: the small ones, which people write, get their digests before the large ones.
    ///
    /// - Parameters:
    ///   - paths: As they were named; `-` is standard input.
    ///   - budget: The number of bytes that are read again for digests.
    static func inputs(_ paths: [String], budget: Int) -> [ReportOrigin.Input] {
        let sizes = paths.map { $0 == "-" ? nil : FileDigest.size(of: $0) }
        var (digests, left) = ([Int: String](), budget)
        for index in paths.indices.sorted(by: { (sizes[$0] ?? 0, $0) < (sizes[$1] ?? 0, $1) }) {
            guard let size = sizes[index], size <= left, let digest = FileDigest(path: paths[index]) else { continue }
            digests[index] = digest.text
            left -= size
        }
        return paths.indices.map {
            ReportOrigin.Input(path: paths[$0], size: sizes[$0], digest: digests[$0])
        }
    }

    /// The command line as a shell takes it: operands first, then options in the order of the help.
    static func line(_ arguments: ParsedArguments, _ redactor: Redactor? = nil) -> String {
        let options = arguments.command.options.filter { !irrelevant.contains($0.name) }
        return
            (["scenario", arguments.command.name] + arguments.operands.map(Escape.shell(operand:))
            + words(arguments, of: options, redactor)).joined(separator: " ")
    }

    private static func hidden(_ value: String, of option: any CommandOption, by redactor: Redactor) -> String {
        switch option.name {
        case Options.change.name: RedactedCommand.text(value, by: redactor)
        case NarrowingOptions.only.name: RedactedExpression.text(value, by: redactor)
        case AssumptionOptions.assume.name:
            (try? SignalAssumption(value) { _ in [] })?.redacted(by: redactor) ?? redactor.text(value)
        default: value
        }
    }

    /// Options with their values as a shell takes them, without what these say of people.
    static func words(
        _ arguments: ParsedArguments, of options: [any CommandOption], _ redactor: Redactor?
    ) -> [String] {
        options.flatMap { option in
            arguments.words(of: option).map { value in
                guard !option.definition.isSwitch else { return option.name }
                return Escape.shell(option: option.name, redactor.map { hidden(value, of: option, by: $0) } ?? value)
            }
        }
    }
}
