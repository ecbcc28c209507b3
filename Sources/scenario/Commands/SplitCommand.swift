internal import Documents
internal import Figures
internal import Replay

/// `scenario split`: captures parted by device, for several machines.
extension Command {
    static let split = Command(
        "split", "Split captures by device, so that each machine reads only its part.",
        .files("CAPTURE", "A capture, plain, .gz or .zst; - is standard input. Several must be in the order of time."),
        options: [
            shardsOption, folderOption, rangeOption, Options.jobs, Options.timezone, Options.rename,
            Options.inputFormat,
            Options.noProgress,
        ],
        discussion: """
            The folder contains a file for each part of the devices: a capture as columns, as `scenario pack` writes
            it, that also says where each record was. `replay` and `diff` take the file in place of the captures.
            Messages and merged reports are the same as for the captures, byte for byte.

            With `--range`, only the records that start in these bytes of one capture are split. The files of one
            part from all ranges, in their order, replace the capture. So several machines can split it.
            """,
        examples: [
            "scenario split monday.jsonl tuesday.jsonl.gz --shards 8 --output parts": "A folder with eight files.",
            "scenario replay parts/shard-3.arrow --account prod.yaml --partial part-3.json":
                "The partial result of the third part; `scenario merge` takes all eight.",
            "scenario split day.jsonl --range 0-1000000000 --shards 8 --output first":
                "The records that start in the first thousand million bytes.",
        ],
        answer: answer)

    private static let shardsOption = Option(
        "--shards", "Split the devices into N parts.", .integer("N", in: 1...DeviceShard.limit))
    private static let folderOption = Option(
        "--output", letter: "o", "Write the parts into the folder DIR, which must not exist yet.", .text("DIR"),
        in: .output)
    private static let rangeOption = Option(
        "--range", "Split the records that start at byte FROM or later, and before byte TO, of one capture.",
        .text("FROM-TO"))

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        guard let shards = call[shardsOption] else {
            throw .usage("option `\(shardsOption.name)` is missing", hint: "it gives the number of parts")
        }
        guard let folder = call[folderOption] else {
            throw .usage("option `\(folderOption.name)` is missing", hint: "the folder to write")
        }
        var reading = try CaptureOptions.request(call.arguments)
        reading.attestationOption = call.arguments.command.name
        let request = SplitRequest(
            reading: reading, range: try range(call.arguments), shards: shards, output: folder,
            version: ToolVersion.current)
        let (origin, diagnostics) = call.following { CaptureSplitter(request, progress: $0).run() }
        call.console.show(diagnostics)
        guard let origin else { return .invalidInput }
        let records = origin.captures.reduce(0) { $0 + $1.records }
        let malformed = origin.captures.reduce(0) { $0 + $1.malformed }
        let others = malformed == 0 ? "" : ", and \(malformed.grouped) malformed"
        let parts = shards.counting("part")
        call.console.output("\(folder.showingControls()): \(records.counting("record")) in \(parts)\(others)\n")
        return .success
    }

    private static func range(_ arguments: ParsedArguments) throws(CommandFailure) -> Range<Int>? {
        guard let text = arguments[rangeOption] else { return nil }
        guard arguments.operands.count == 1, arguments.operands[0] != "-" else {
            throw .usage("`\(rangeOption.name)` is of one file", hint: "each capture has ranges of its own")
        }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        let isPlain = ends.count == 2 && ends.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
        guard isPlain, let from = Int(ends[0]), let end = Int(ends[1]), from < end else {
            throw .usage(
                "`\(rangeOption.name)` takes `FROM-TO`, two numbers of bytes, not \(text.asTyped)",
                hint: "such as `0-1000000`")
        }
        return from..<end
    }
}
