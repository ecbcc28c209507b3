import Testing

@testable import TestSupport
@testable import scenario

/// `run --min-mutants`: the share of changes of accounts that is noticed.
@Suite struct RunMutantsTests {
    struct Row: LabelledRow {
        let name: String
        let text: String
        var arguments = ["--min-mutants=100%"]
        let status: scenario.ExitStatus
        /// The end of standard error; empty for nothing at all.
        let error: String
    }

    private static let strings = """
        scenario: s
        account: {account: shop, features: [secure-strings], secure-strings: {k: v}}
        devices: {bob: {os: android, flags: [rooted]}, amy: {os: android}}
        steps:

        """

    private static func expecting(_ expectation: String) -> String {
        "  - {at: 0s, secure-string: {group: all, key: k}, expect: \(expectation)}\n"
    }

    // Without network no account bears on anything.
    private static let offline = """
        scenario: s
        account: {account: shop}
        devices: {bob: {os: android, flags: [rooted]}}
        steps:
          - {at: 0s, network: {group: bob, state: none}}
          - {at: 1s, fetch: bob, expect: {result: NO_NETWORK}}

        """

    private static let nothing =
        "scenario: error: nothing was exercised: no change of an account alters anything that a client gets, so "
        + "`--min-mutants` is about nothing\n"

    static let rows: [Row] = [
        Row(
            name: "R21.2 a rejected call that nobody expects",
            text: strings + expecting("{group: amy, value: v}"),
            status: .limitExceeded, error: " changes are noticed, less than `--min-mutants` asks for\n"),
        Row(
            name: "R21.2 every call is expected",
            text: strings + expecting("[{group: amy, value: v}, {group: bob, result: REJECTED}]"),
            arguments: ["--min-mutants=50%"], status: .success, error: ""),
        Row(name: "nothing that a change could alter", text: offline, status: .nothingRan, error: nothing),
        Row(
            name: "no share of nothing", text: offline, arguments: ["--min-mutants=0%"], status: .nothingRan,
            error: nothing),
        Row(
            name: "nothing, for those who mean it", text: offline,
            arguments: ["--min-mutants=100%", "--allow-empty"], status: .success, error: ""),
        Row(
            name: "nothing, without a limit", text: offline, arguments: ["--mutants"], status: .success, error: ""),
    ]

    @Test(arguments: rows) func endsAsTheShareSays(_ row: Row) throws {
        let run = try ToolRun(["run", "@s.yaml", "--no-progress"] + row.arguments, files: ["s.yaml": row.text])
        #expect(run.status == row.status, "\(run.output)")
        #expect(row.error.isEmpty ? run.error.isEmpty : run.error.hasSuffix(row.error), "\(run.error)")
    }
}
