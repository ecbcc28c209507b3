internal import Documents
internal import Replay

/// `scenario pack`: captures as columns.
extension Command {
    static let pack = Command(
        "pack", "Write captures as columns, which are read several times as fast, and by data tools.",
        .files("CAPTURE", "A capture, plain, .gz or .zst; - is standard input. Several must be in the order of time."),
        options: [output, levelOption, plainOption, Options.jobs] + reading + [Options.noProgress],
        discussion: """
            The file is in the Arrow IPC form (Feather): a column for each key of the records, one for the time, one
            for the device, and two that say at which line of which capture the record stood. polars, pandas,
            pyarrow and DuckDB read it. A file whose name ends in .arrows, and standard output, is a stream instead.

            With an ending .jsonl, .jsonl.gz or .jsonl.zst, the records are written as JSON Lines: this unpacks a
            packed capture.
            """,
        examples: [
            "scenario pack monday.jsonl tuesday.txt.gz --output week.arrow": "Both days in one file.",
            "scenario pack day.txt --sort --output day.jsonl.zst": "The records as JSON Lines, in the order of time.",
        ],
        answer: answer)

    // Malformed records are in no figures.
    private static let reading: [any CommandOption] = [
        Options.skipMalformed.described(as: "Pack the other records, and count malformed ones."), Options.malformed,
        Options.sort, Options.timezone, Options.rename, Options.inputFormat,
    ]

    private static let output = Options.output.described(
        as: "Write the packed capture to FILE; - is standard output. The ending of its name decides the form.")
    private static let levelOption = Option(
        "--level", "Compress the columns by level N of zstd, by default 1; a higher one takes longer.",
        .integer("N", in: 1...19), relations: [.excludes([plainOption.given])])
    private static let plainOption = Option(
        "--plain", "Do not compress the columns: the file is larger, and read faster.")

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        guard let path = call[output] else {
            throw .usage("option `\(output.name)` is missing", hint: "the file to write; `-` is standard output")
        }
        var reading = try CaptureOptions.request(call.arguments)
        reading.attestationOption = call.arguments.command.name
        let request = PackRequest(
            reading: reading, output: path, form: try form(of: path, call.arguments), version: ToolVersion.current)
        let (summary, diagnostics) = call.following { CapturePacker(request, progress: $0).run() }
        call.console.show(diagnostics)
        guard let summary else { return .invalidInput }
        guard summary.records > 0 else {
            call.console.show(error: "nothing to pack: the captures contain no valid record")
            return .nothingRan
        }
        guard path != OutputFile.standardOutput else { return .success }
        let others = summary.malformed == 0 ? "" : "; \(summary.malformed.counting("malformed record")) left out"
        call.console.output(
            "\(path.showingControls()): \(summary.records.counting("record")) of \(summary.devices.counting("device"))"
                + "\(others)\n")
        return .success
    }

    /// Endings of forms that other programs would expect in the file.
    private static let foreignEndings: Set<String> = ["parquet", "csv", "json", "ndjson", "txt"]

    private static func form(of path: String, _ arguments: ParsedArguments) throws(CommandFailure) -> GatheredForm {
        let level = arguments[plainOption] ? nil : arguments[levelOption] ?? 1
        var parts = path.lowercased().split(separator: ".")
        let isCompressed = parts.last.map { OutputCompression(rawValue: String($0)) != nil } ?? false
        if isCompressed { parts.removeLast() }
        guard parts.last != "jsonl" else {
            guard let option = [levelOption, plainOption].first(where: arguments.isSet) else { return .lines }
            throw .usage("`\(option.name)` is of columns, and \(path.asTyped) stands for JSON Lines")
        }
        guard !isCompressed else {
            throw .usage(
                "\(path.asTyped) stands for a compressed file, and columns are compressed within the file",
                hint: "an ending .arrow for columns, .jsonl.gz or .jsonl.zst for JSON Lines")
        }
        if parts.count > 1, let ending = parts.last.map(String.init), foreignEndings.contains(ending) {
            throw .usage(
                "no file of the form `.\(ending)` is written",
                hint: "an ending .arrow for columns, .jsonl, .jsonl.gz or .jsonl.zst for JSON Lines")
        }
        let isStream = path == OutputFile.standardOutput || parts.last == "arrows"
        return isStream ? .stream(level: level) : .columns(level: level)
    }
}
