import Analysis
import Proofs
import Reports
import Testing

@testable import TestSupport
@testable import scenario

/// `prove`: what is so of every device, and what the command says of it. The answers are worked out by hand.
@Suite struct ProveCommandTests {
    private static let files = Sample.files.merging([
        "shop.yaml": "account: shop\npolicy: default,allow-root,default\n",
        "strict.yaml": "account: shop\npolicy: default,default,default\n",
        "tested.yaml": "account: shop\nfilters: [{name: f, key: ip, match: 1.2.3.4, reject: true}]\n",
        "changes.txt": "# nothing\npolicy -set default,default,default\n",
    ]) { $1 }

    private static let device = "AAAAAAAAAAAAAAAAAAAAAA=="
    private static let record =
        #"{"time":"2020-01-01T00:00:00Z","device-id":"\#(device)","public-flags":"rooted,new-did"}"# + "\n"

    @Test func textHasTheSmallestDevice() throws {
        let run = try ToolRun("prove --timeout=5m --account=@shop.yaml --candidate=@strict.yaml", files: Self.files)
        #expect(run.status == .limitExceeded, "\(run.error)")
        #expect(
            run.output == """
                a device would newly be rejected
                  the smallest one is \(Self.device)
                  before  pass  under default,allow-root,default
                  after   fail  under default,default,default     rooted
                      its record:
                        \(Self.record)
                proved: no device would newly be accepted

                  this answer rests on R14.3, which the manual leaves open

                """)
    }

    @Test func jsonHasTheSame() throws {
        let run = try ToolRun(
            "prove --timeout=5m --account=@shop.yaml --changes=@changes.txt --format=json", files: Self.files)
        #expect(run.status == .limitExceeded, "\(run.error)")
        let lines = [
            #"{"version":1,"newly-rejected":{"answer":"found","reasons":[],"device":"\#(Self.device)","#,
            #""before":{"verdict":"pass","policy":"default,allow-root,default","rejections":[]},"#,
            #""after":{"verdict":"fail","policy":"default,default,default","rejections":["rooted"]},"#,
            #""records":[{"time":"2020-01-01T00:00:00Z","flags":["rooted","new-did"],"attributes":{},"service":"primary"}]},"#,
            #""newly-accepted":{"answer":"proved","reasons":[]},"#,
            #""decided-rules":[{"rule":"R14.3","#,
            #""sentence":"the failover decides without `cloned`, SafetyNet flags, filters and sampling"}]}"#, "\n",
        ]
        #expect(run.output == lines.joined())
    }

    // A ban shows at the second record, and `explain` follows it.
    @Test func theDeviceIsACaptureForOtherCommands() throws {
        let folder = try TemporaryFolder(Self.files)
        let change = "--change=filter -add f -key ip -matchValue 1.2.3.4 -ban"
        let found = ToolRun(
            [
                "prove", "--timeout=5m", "--account=@tested.yaml", change, "--newly=rejected", "--format=jsonl",
                "--output=@found.jsonl",
            ],
            in: folder)
        #expect(found.status == .limitExceeded, "\(found.error)")
        #expect(found.output == "")
        let explained = ToolRun(
            ["explain", "@found.jsonl", "--account=@tested.yaml", change, "--device=\(Self.device)"], in: folder)
        #expect(explained.output.contains("fail: did-ban"), "\(explained.output)\(explained.error)")
        let compared = ToolRun(["diff", "@found.jsonl", "--account=@tested.yaml", change], in: folder)
        #expect(compared.output.contains("1 of 1 device (100.0 %) would stop getting valid tokens"))
    }

    // Of every proof that needs the flag `cloned`, or a filter.
    private static let failover = "  this answer rests on R14.3, which the manual leaves open\n"

    static let answers: [(name: String, arguments: [String], status: scenario.ExitStatus, output: String)] = [
        (
            "proved", ["--account=@shop.yaml", "--change=policy -addRejectFlag frida"], .success,
            "proved: no device would newly be rejected\n\nproved: no device would newly be accepted\n\n" + failover
        ),
        (
            "one question", ["--account=new", "--policy=default,strict,default", "--newly=accepted"], .success,
            "proved: no device would newly be accepted\n\n" + failover
        ),
        (
            "no regular expression",
            ["--account=new", "--change=filter -add f -key k -matchValue (?=qq)q -regex -reject", "--newly=rejected"],
            .notDecided,
            """
            it cannot be excluded that a device would newly be rejected
              filter `f` has a pattern that is not a regular expression; the proof assumes that it can match or not match any device

            \(failover)
            """
        ),
        (
            "flags that nobody declares",
            [
                "--account=new", "--change=filter -add f -key flags-all -matchValue frida -regex -reject",
                "--newly=rejected",
            ], .notDecided,
            """
            it cannot be excluded that a device would newly be rejected
              filter `f` looks at a list of flags, and flags that no account declares can change its result, such as \
            `afrida`; the proof assumes that it can match or not match any device

            \(failover)
            """
        ),
        (
            "R6.6 a pin mode", ["--account=@shop.yaml", "--change=device -add \(device) -pinMode blockAll"],
            .notDecided,
            """
            it cannot be excluded that a device would newly be rejected
              pin modes of devices change, and a capture shows no connections

            it cannot be excluded that a device would newly be accepted
              pin modes of devices change, and a capture shows no connections

            \(failover)
            """
        ),
        (
            "a change without effect", ["--account=@shop.yaml", "--change=device -add \(device) -label bob"], .success,
            "proved: no device would newly be rejected\n\nproved: no device would newly be accepted\n\n" + failover
        ),
        (
            "too long",
            [
                "--account=new", "--change=filter -add f -key k -matchValue a.{60}b -regex -reject",
                "--change=filter -add g -key k "
                    + "-matchValue b.{60}a -regex -risky", "--newly=accepted", "--timeout=1s",
            ], .notDecided,
            "not decided"
        ),
        (
            "what no record shows",
            ["--account=@strict.yaml", "--change=safetynet -set k", "--newly=rejected"], .notDecided,
            """
            it cannot be excluded that a device would newly be rejected
              SafetyNet changes, and a capture shows only what the old settings found

            \(failover)
            """
        ),
    ]

    @Test(arguments: answers.indices) func answersHaveStatuses(_ index: Int) throws {
        let row = Self.answers[index]
        // If an answer is expected, a slow machine has the time for it.
        let limit = row.arguments.contains { $0.hasPrefix("--timeout") } ? [] : ["--timeout=5m"]
        let run = try ToolRun(["prove"] + row.arguments + limit, files: Self.files)
        #expect(run.status == row.status, "\(row.name): \(run.error)")
        // The progress before the limit depends on the machine.
        let output = row.output == "not decided" ? String(run.output.prefix(row.output.count)) : run.output
        #expect(output == row.output, "\(row.name)")
    }

    @Test func anAnswerThatTakesTooLongSaysSo() {
        let proof = ChangeProof([(.rejected, .notDecided(.time(.devices)))], beyondCaptures: [], limit: 10)
        #expect(
            String(decoding: ProofFormat.text.bytes(of: proof), as: UTF8.self)
                == "not decided in 10 s whether a device would newly be rejected\n"
                + "  the time ended while Z3 searched for a device\n")
    }

    static let reasons: [(Undecided, String)] = [
        (.time(.values), "the time ended while the values that the filters distinguish were computed"),
        (.time(.lists), "the time ended while the lists of flags that the filters distinguish were computed"),
        (
            .time(.samples),
            "the time ended while a device and a day were searched for on which both accounts sample as required"
        ),
        (.size(.values), "the filters distinguish too many values"),
        (.size(.lists), "the filters distinguish too many lists of flags"),
        (.solver("incomplete"), "Z3 gave up: incomplete"), (.solver(""), "Z3 gave up"),
    ]

    @Test(arguments: reasons.indices) func everyReasonIsNamed(_ index: Int) {
        let proof = ChangeProof([(.rejected, .notDecided(Self.reasons[index].0))], beyondCaptures: [], limit: 10)
        let text = String(decoding: ProofFormat.text.bytes(of: proof), as: UTF8.self)
        #expect(text.hasSuffix("whether a device would newly be rejected\n  \(Self.reasons[index].1)\n"), "\(text)")
    }

    static let refused: [ToolRow] = [
        .usage(
            "no change", "--account=@shop.yaml",
            "there is no change; give one of `--change`, `--changes`, `--policy`, `--candidate`"),
        .usage(
            "two changes", "--policy=default,strict,default --candidate=@shop.yaml",
            "`--candidate` cannot be combined with `--policy`; give one of `--change`, `--changes`, "
                + "`--policy`, `--candidate`"),
        .usage(
            "no time", "--policy=default,strict,default --timeout=0s",
            "`--timeout` takes a duration above 0, not `0s`; such as `30s` or `5m`"),
        .usage(
            "records of two questions", "--policy=default,strict,default --format=jsonl",
            "`--format jsonl` needs `--newly`; the devices of two questions may be the same"),
        ToolRow(
            name: "a wrong command", arguments: ["--account=new", "--change=policy -sett x"], status: .invalidInput,
            error: "--change: error: unknown option `-sett` of `policy`\n  hint: did you mean `-set`?\n"),
    ]

    @Test(arguments: refused) func isRefused(_ row: ToolRow) throws {
        try row.expectNoOutput(command: ["prove"], files: Self.files)
    }
}
