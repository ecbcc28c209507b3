internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// Replays and comparisons of a part of the devices, which `scenario merge` puts together.
enum PartialOptions {
    /// Keeps to a part of the devices.
    static let shard = Option(
        "--shard", "Evaluate the Kth of N parts of all devices only, counted from 1.", .text("K/N"), in: .records,
        relations: [.excludes([Options.sort.given], hint: "captures in the order of time need no sorting")])

    /// Leaves the report to `scenario merge`.
    static let partial = Option(
        "--partial", "Write what `scenario merge` makes a report of to FILE, and no report.", .file(.writes),
        in: .output,
        relations: [
            .excludes(
                [OptionUse("--format"), Options.output.given, Options.step.given]
                    + [Options.digests.given] + ChangeLimits.options.map(\.given),
                hint: "`scenario merge` takes it"),
            .excludes([CountingOptions.count.given], reason: ": its counts do not add up"),
        ])

    // The options that have no influence on the counts.
    private static let irrelevant: [any CommandOption] = [
        shard, partial, Options.jobs, Options.noProgress, Options.output, Options.decisions, Options.malformed,
    ]

    /// Reads `--shard`, and refuses `--partial` of what can be read once only.
    ///
    /// - Returns: The part, also if the captures are a file of one that `scenario split` wrote; `nil` for all devices.
    static func shard(_ arguments: ParsedArguments) throws(CommandFailure) -> DeviceShard? {
        if arguments.isSet(partial), arguments.operands.contains("-") {
            throw .usage(
                "`\(partial.name)` says which captures were read, and of standard input that cannot be said",
                hint: "`scenario split` takes standard input")
        }
        guard let text = arguments[shard] else {
            return arguments.operands.first.flatMap(SplitPart.known)?.shard
        }
        guard let part = DeviceShard(text) else {
            throw .usage(
                "`\(shard.name)` takes `K/N` with 1 ≤ K ≤ N ≤ \(DeviceShard.limit), not \(text.asTyped)",
                hint: "such as `3/8`")
        }
        return part
    }

    /// Writes a partial result to the file that `--partial` names.
    ///
    /// - Parameters:
    ///   - content: The counts.
    ///   - part: The devices that are counted; `nil` for all.
    ///   - account: The name of the account.
    ///   - accounts: The account, or the one before a change and the one after it.
    /// - Returns: The status to exit with.
    static func write(
        _ content: PartialResult.Content, of part: DeviceShard?, account: String, accounts: [Account],
        _ call: CommandCall
    ) throws(CommandFailure) -> ExitStatus {
        let arguments = call.arguments
        guard let path = arguments[partial], let shard = part ?? DeviceShard(number: 1, of: 1) else {
            throw .shown(.invalidInput)
        }
        let captures = arguments.operands.map { (path: $0, CaptureIdentity.all([$0], digestedUpTo: .max)) }
        // Split captures can be read again, wherever they came from.
        if let pipe = captures.first(where: { $0.1.contains { $0.bytes == nil } && SplitPart.known($0.path) == nil }) {
            throw call.failure("\(pipe.path.asTyped) can be read once only, so `\(partial.name)` cannot name it")
        }
        let origin = PartialResult.Origin(
            version: ToolVersion.current, shard: shard, account: account,
            accounts: accounts.map(AccountDigest.text),
            settings: captures.map { setting(of: $0, $1) } + settings(arguments),
            typed: PartialResult.TypedCommand {
                $0.captures = captures.flatMap(\.1)
                ($0.options, $0.files) = (options(arguments), files(arguments))
            })
        let bytes = PartialResult(origin: origin, content: content).bytes
        if path == "-" {
            call.console.output(String(decoding: bytes, as: UTF8.self))
        } else {
            try call.attempt(in: path) { () throws(FileFailure) in try OutputFile.write(bytes, to: path) }
        }
        return .success
    }

    // The setting that identifies a capture. The names of files with parts mean nothing.
    private static func setting(of path: String, _ captures: [CaptureIdentity]) -> PartialResult.Setting {
        if let part = SplitPart.known(path) {
            return PartialResult.Setting(
                name: "split capture", value: "sha256:" + FileDigest(of: Array(part.text.utf8)).text)
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return PartialResult.Setting(
            name: "capture", value: ([name] + captures.compactMap(\.text)).joined(separator: ", "))
    }

    // Files of options are named by what they hold; of a file that is compared between commits, the commits count.
    private static func settings(_ arguments: ParsedArguments) -> [PartialResult.Setting] {
        let all = options(arguments) { option, value in
            let isFile = arguments.files(of: option).contains(value)
            return isFile ? FileDigest(path: value).map { "sha256:" + $0.text } ?? value : value
        }
        let isCommitted = arguments.isSet(CommittedAccounts.base)
        return isCommitted ? all.filter { $0.name != Options.account.name } : all
    }

    private static func options(
        _ arguments: ParsedArguments, shown: (OptionDefinition, String) -> String = { $1 }
    ) -> [PartialResult.Setting] {
        arguments.command.options.filter { option in !irrelevant.contains { $0.name == option.name } }.flatMap {
            option in
            arguments.words(of: option).map { PartialResult.Setting(name: option.name, value: shown(option, $0)) }
        }
    }

    private static func files(_ arguments: ParsedArguments) -> [CaptureIdentity] {
        arguments.command.options.filter { $0.name != RedactionOptions.key.name }.flatMap(arguments.files)
            .map { CaptureIdentity(path: $0, digestedUpTo: .max) }
    }
}
