internal import Documents
internal import Replay

/// Replays and comparisons of a part of the devices, which `scenario merge` puts together.
enum PartialOptions {
    /// Keeps to a part of the devices.
    static let shard = OptionDefinition(
        name: "--shard",
        value: .text(placeholder: "K/N"),
        summary: "Evaluate the Kth of N parts of all devices only, counted from 1."
    )

    /// Leaves the report to `scenario merge`.
    static let partial = OptionDefinition(
        name: "--partial",
        value: .file(.writes),
        summary: "Write what `scenario merge` makes a report of to FILE, and no report."
    )

    // What has no influence on what is counted.
    private static let irrelevant: [OptionDefinition] = [
        shard, partial, .jobs, .noProgress, .output, .decisions, .malformed,
    ]

    /// Reads `--shard`, and checks what goes with it and with `--partial`.
    ///
    /// - Parameters:
    ///   - reporting: Options that say something of the report, or check it.
    ///   - counting: Options whose counts do not add up.
    /// - Returns: The part; `nil` for all devices.
    static func shard(
        _ arguments: ParsedArguments, reporting: [OptionDefinition], counting: [OptionDefinition] = []
    ) throws(UsageError) -> DeviceShard? {
        if arguments.isSet(partial), let other = reporting.first(where: arguments.isSet) {
            throw UsageError(
                "`\(other.name)` cannot go with `\(partial.name)`", hint: "`scenario merge` takes it")
        }
        if arguments.isSet(partial), let other = counting.first(where: arguments.isSet) {
            throw UsageError("`\(other.name)` cannot go with `\(partial.name)`: its counts do not add up")
        }
        guard let text = arguments.value(of: shard) else { return nil }
        guard let part = DeviceShard(text) else {
            throw UsageError(
                "`\(shard.name)` takes `K/N` with 1 ≤ K ≤ N ≤ \(DeviceShard.limit), not \(UsageError.quote(text))",
                hint: "such as `3/8`")
        }
        if arguments.isSet(.sort) {
            throw UsageError(
                "`\(OptionDefinition.sort.name)` cannot go with `\(shard.name)`",
                hint: "captures in the order of time need no sorting")
        }
        return part
    }

    /// Writes a partial result to the file that `--partial` names.
    ///
    /// - Parameters:
    ///   - content: What was counted.
    ///   - part: Of which devices; `nil` for all.
    ///   - account: The name of the account.
    ///   - command: The command.
    /// - Returns: Whether it could be written.
    static func write(
        _ content: PartialResult.Content, of part: DeviceShard?, account: String, _ arguments: ParsedArguments,
        _ command: CommandDefinition, _ console: Console
    ) -> Bool {
        guard let path = arguments.value(of: partial), let shard = part ?? DeviceShard(number: 1, of: 1) else {
            return false
        }
        let origin = PartialResult.Origin(
            version: ToolVersion.current, shard: shard, account: account,
            settings: settings(arguments, of: command))
        let bytes = PartialResult(origin: origin, content: content).bytes
        if path == "-" {
            console.output(String(decoding: bytes, as: UTF8.self))
            return true
        }
        return console.attempt(in: path) { () throws(FileFailure) in try OutputFile.write(bytes, to: path) } != nil
    }

    // Files of options are named by what they hold, and captures by name and length: they are long.
    private static func settings(
        _ arguments: ParsedArguments, of command: CommandDefinition
    ) -> [PartialResult.Setting] {
        var settings = arguments.operands.map { path in
            let size = path == "-" ? nil : FileDigest.size(of: path)
            let name = path.split(separator: "/").last.map(String.init) ?? path
            // What was split lies in folders, whose names mean nothing.
            if FileLocation(path).isFolder, let digest = FileDigest(path: path + "/" + SplitManifest.name) {
                return PartialResult.Setting(name: "split capture", value: "sha256:" + digest.text)
            }
            return PartialResult.Setting(
                name: "capture", value: size.map { "\(name), \($0.grouped) bytes" } ?? name)
        }
        for option in command.options where !irrelevant.contains(where: { $0.name == option.name }) {
            for value in arguments.values(of: option) {
                let isFile = option.value == .file(.reads) || option.value == .file(.readsAccount)
                let digest = isFile ? FileDigest(path: value)?.text : nil
                settings.append(
                    PartialResult.Setting(name: option.name, value: digest.map { "sha256:" + $0 } ?? value))
            }
        }
        return settings
    }
}
