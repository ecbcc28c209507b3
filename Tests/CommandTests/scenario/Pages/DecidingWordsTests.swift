import Testing

@testable import TestSupport
@testable import scenario

/// The words of a comparison's page that decide: limits, and numbers of devices.
@Suite struct DecidingWordsTests {
    // A device that is rooted, at an hour.
    private static func record(_ hour: Int) -> String {
        #"{"time":"2020-07-23T\#(hour):00:00Z","device-id":"\#(DiffSample.device(0))","flags":"rooted","app-version":"1"}"#
            + "\n"
    }

    static let files = [
        "one.jsonl": record(10), "twice.jsonl": record(10) + record(11),
        "labels.csv": "device-id,label\n\(DiffSample.device(0)),bad\n",
        "new.yaml": "filters: [{name: f, key: flags-all, regex: rooted, new-did-only: true, reject: true}]\n",
        "trial.yaml": "account: shop\nrules: [trial]\npolicy: default,allow-root,default\n",
        "s.yaml": """
        scenario: One
        account: {account: shop}
        devices: {bob: {os: android, flags: [rooted]}}
        steps: [{at: 0s, fetch: bob, expect: {verdict: fail}}]

        """,
    ]

    static let commands: [Words] = [
        "diff @one.jsonl --account=new --policy=allow-root --labels=@labels.csv",
        "diff @one.jsonl --account=new --policy=allow-root --who=app-version --confidence=95%",
        "diff @one.jsonl --account=@new.yaml --policy=default,allow-root,default",
        "replay @one.jsonl --account=new --labels=@labels.csv --count=app-version",
        "replay @one.jsonl --account=@new.yaml",
        "whatif @one.jsonl --account=new --labels=@labels.csv", "compare @one.jsonl @one.jsonl --account=@new.yaml",
        "rollout @twice.jsonl --account=@trial.yaml --policy=strict --steps=100% --labels=@labels.csv",
        "search @one.jsonl --account=new --keep=flag:rooted --labels=@labels.csv",
        "explain @one.jsonl --account=new --device=\(DiffSample.device(0))", "explain @s.yaml", "run @s.yaml",
        "diff @s.yaml --policy=default,allow-root,default",
        "diff @one.jsonl --account=new --policy=default,allow-root,default --max-newly-accepted=0",
    ]

    @Test(arguments: commands) func wordsAgreeWithOne(_ command: Words) throws {
        for form in ["text", "html"] {
            let run = try ToolRun(command.list + ["--format", form], files: Self.files)
            let text = run.output.replacing(#/<[^>]*>/#, with: "|")
            #expect(text.utf8.count > 100, "\(run.error)")
            let plurals = text.matches(
                of:
                    #/(?:^|[^0-9,.\-])1[| ]+(?:device|attestation|token|fetche|record|value|combination|label|edit|verdict|scenario)s\b/#
            )
            expect(plurals.map(\.output), equals: [], "\(form)")
            let verbs = text.matches(
                of: #/(?:^|[^0-9,.\-])1(?: (?:device|attestation|record|label))? (?:are|were|have)\b/#)
            expect(verbs.map(\.output), equals: [], "\(form)")
        }
    }
}
