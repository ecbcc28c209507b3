import Testing

@testable import TestSupport
@testable import scenario

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Files that a command would write although it reads them, or writes them already.
@Suite struct FileConflictTests {
    struct Row: LabelledRow {
        let name: String
        let arguments: [String]
        /// The error; `nil` if there is none.
        let problem: String?
    }

    private static func overwriting(_ output: String, _ input: String) -> String {
        "\(output) would overwrite \(input), which is read"
    }

    private static func both(_ output: String, _ other: String) -> String {
        "\(output) and \(other) cannot go to the same file"
    }

    static let inputs = [
        Row(
            name: "the capture", arguments: ["replay", "@day.jsonl", "--output", "@day.jsonl"],
            problem: overwriting("`--output`", "`day.jsonl`")),
        Row(
            name: "a later capture", arguments: ["replay", "@day.txt", "@day.jsonl", "--decisions", "@day.jsonl"],
            problem: overwriting("`--decisions`", "`day.jsonl`")),
        Row(
            name: "the capture by a link", arguments: ["replay", "@day.jsonl", "--malformed", "@link"],
            problem: overwriting("`--malformed`", "`day.jsonl`")),
        Row(
            name: "the capture by another path",
            arguments: ["replay", "@folder/../day.jsonl", "--malformed", "@day.jsonl"],
            problem: overwriting("`--malformed`", "`folder/../day.jsonl`")),
        Row(
            name: "the capture by a second name", arguments: ["replay", "@day.jsonl", "--malformed", "@twin"],
            problem: overwriting("`--malformed`", "`day.jsonl`")),
        Row(
            name: "the account",
            arguments: ["replay", "@day.jsonl", "--account=@account.yaml", "--output=@account.yaml"],
            problem: overwriting("`--output`", "`--account`")),
        Row(
            name: "the keys of the account",
            arguments: ["replay", "@day.jsonl", "--account=@keyed.yaml", "--decisions=@prod.keys"],
            problem: overwriting("`--decisions`", "`prod.keys`")),
        Row(
            name: "the keys of the candidate",
            arguments: ["diff", "@day.jsonl", "--candidate=@keyed.yaml", "--output=@prod.keys"],
            problem: overwriting("`--output`", "`prod.keys`")),
        Row(
            name: "the account of a scenario", arguments: ["run", "@named.yaml", "--output=@keyed.yaml"],
            problem: overwriting("`--output`", "`keyed.yaml`")),
        Row(
            name: "the keys of the account of a scenario",
            arguments: ["generate", "@named.yaml", "--output=@prod.keys"],
            problem: overwriting("`--output`", "`prod.keys`")),
        Row(
            name: "the fetches",
            arguments: ["replay", "@day.jsonl", "--fetches=@fetches.txt", "--malformed=@fetches.txt"],
            problem: overwriting("`--malformed`", "`--fetches`")),
        Row(
            name: "the candidate",
            arguments: ["diff", "@day.jsonl", "--candidate=@account.yaml", "--output=@account.yaml"],
            problem: overwriting("`--output`", "`--candidate`")),
        Row(
            name: "the changes", arguments: ["diff", "@day.jsonl", "--changes=@good.yaml", "--output=@good.yaml"],
            problem: overwriting("`--output`", "`--changes`")),
        Row(
            name: "what is explained",
            arguments: ["explain", "@day.jsonl", "--device", Sample.bob, "--output=@day.jsonl"],
            problem: overwriting("`--output`", "`day.jsonl`")),
        Row(
            name: "a scenario", arguments: ["run", "@good.yaml", "--printed", "@good.yaml"],
            problem: overwriting("`--printed`", "`good.yaml`")),
        Row(
            name: "a scenario of a folder", arguments: ["run", "@folder", "--decisions", "@folder/inner.yaml"],
            problem: overwriting("`--decisions`", "`folder/inner.yaml`")),
    ]

    static let outputs = [
        Row(
            name: "one file twice", arguments: ["replay", "@day.jsonl", "--output=@new", "--decisions=@new"],
            problem: both("`--decisions`", "`--output`")),
        Row(
            name: "one file by a link to it",
            arguments: ["replay", "@day.jsonl", "--malformed=@new", "--output=@dangling"],
            problem: both("`--malformed`", "`--output`")),
        Row(
            name: "one file by another path",
            arguments: ["run", "@good.yaml", "--printed=@folder/../new", "--decisions=@new"],
            problem: both("`--printed`", "`--decisions`")),
        Row(
            name: "standard output beside the report", arguments: ["run", "@good.yaml", "--decisions", "-"],
            problem: both("`--decisions`", "the report")),
        Row(
            name: "standard output beside the report that is sent there",
            arguments: ["run", "@good.yaml", "--printed", "-", "--output", "-"],
            problem: both("`--printed`", "`--output`")),
        Row(
            name: "standard output by its path", arguments: ["run", "@good.yaml", "--decisions", "/dev/stdout"],
            problem: both("`--decisions`", "the report")),
        Row(
            name: "standard output twice",
            arguments: ["run", "@good.yaml", "--decisions", "-", "--printed", "-", "--output", "@new"],
            problem: both("`--printed`", "`--decisions`")),
    ]

    static let sound = [
        Row(
            name: "different files", arguments: ["run", "@good.yaml", "--decisions=@new", "--output=@newer"],
            problem: nil),
        Row(
            name: "nowhere, twice", arguments: ["run", "@good.yaml", "--decisions=/dev/null", "--output=/dev/null"],
            problem: nil),
        Row(
            name: "a capture twice", arguments: ["replay", "@day.jsonl", "@day.jsonl", "--sort", "--output=@new"],
            problem: nil),
        Row(
            name: "like a scenario, but none", arguments: ["run", "@folder", "--output", "@folder/report.json"],
            problem: nil),
    ]

    private static func folder() throws -> TemporaryFolder {
        var files = Sample.files
        files["folder/"] = nil
        files["folder/inner.yaml"] = Sample.good
        files["keyed.yaml"] = "account: keyed\nkeys: prod.keys\n"
        files["prod.keys"] = "key-id: a\n"
        files["named.yaml"] = "scenario: named\naccount: keyed.yaml\n"
        let folder = try TemporaryFolder(files)
        #expect(unsafe symlink("day.jsonl", folder.path + "/link") == 0)
        #expect(unsafe symlink("new", folder.path + "/dangling") == 0)
        #expect(unsafe link(folder.path + "/day.jsonl", folder.path + "/twin") == 0)
        return folder
    }

    @Test(arguments: inputs + outputs) func isReportedBeforeAnythingIsWritten(_ row: Row) throws {
        let folder = try Self.folder()
        let before = folder.names.map { folder[$0] }
        let run = ToolRun(row.arguments, in: folder)
        #expect(run.status == .usage)
        #expect(run.error == "scenario: error: \(row.problem ?? "")\n")
        #expect(run.output == "")
        #expect(folder.names.map { folder[$0] } == before)
    }

    @Test(arguments: sound) func isNoMistake(_ row: Row) throws {
        let run = ToolRun(row.arguments, in: try Self.folder())
        #expect(run.status == .success)
        #expect(run.error == "")
    }
}
