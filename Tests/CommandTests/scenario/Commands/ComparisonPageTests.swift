import Testing

@testable import TestSupport
@testable import scenario

/// Pages of `diff` and `compare` have what their other forms have, and threads change nothing in any.
@Suite struct ComparisonPageTests {
    // Of 60 devices on each day some are rooted, have a version, and have an address.
    private static func capture(_ start: Int, rooted: Int) -> String {
        (0..<60).map { number in
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DiffSample.device(start + number))","#
                + #""flags":"\#(number < rooted ? "rooted" : "")","app-version":"5.\#(number % 3)","#
                + #""device":"Android 10, Pixel \#(number % 2), google, flame, en","ip":"10.\#(number < 20 ? 1 : 2).0.\#(number)"}"#
                + "\n"
        }.joined()
    }

    private static let files = DiffSample.files.merging([
        "monday.jsonl": capture(0, rooted: 3), "friday.jsonl": capture(50, rooted: 20),
        "before.yaml": "account: shop\napis: [{domain: api.example.com, pins: ['key:LEAF']}]\n",
        "after.yaml": "account: shop\napis: [{domain: api.example.com, pins: ['key:OTHER']}]\n",
        "annotated.yaml": "policy: default,allow-root,rooted\n",
        "s.yaml": """
        scenario: s
        account: before.yaml
        backends: {api.example.com: {chain: [LEAF, CA]}}
        devices: {phones: {count: 100, os: android}}
        steps: [{at: 0s, request: phones, to: api.example.com, every: 1h, until: 2h, expect: {accepted: 300}}]

        """,
    ]) { $1 }

    private static let strict = "diff @friday.jsonl --account=@root.yaml --candidate=@plain.yaml"
    private static let compared = "compare @monday.jsonl @friday.jsonl --account=new"

    static let pages: [Case<String, [String]>] = [
        Case(compared, gives: ["verdict:fail", "<circle "]),
        Case(
            strict + " --confidence=95%",
            gives: [
                "33.3 % of this capture; 22.7–45.9 % of all devices (95 %)", "<circle ", "are a random sample of all",
            ]),
        Case(strict + " --who=ip/16 --no-redact", gives: [">Groups that are newly rejected more often</h2>"]),
        Case(strict + " --count=model --no-redact", gives: [">Newly rejected, by model</h3>"]),
        Case(
            "diff @friday.jsonl --account=@plain.yaml --candidate=@root.yaml --count=model --no-redact",
            gives: [">Newly accepted, by operating system<", ">Newly accepted, by model</h3>"]),
        Case(
            "diff @s.yaml --candidate=@after.yaml",
            gives: [
                "100 of 100 devices (100.0 %) would have requests no longer accepted (blocked: 100)",
                "Differences in what clients get",
            ]),
        Case(
            "diff @three.jsonl --account=@root.yaml --candidate=@annotated.yaml --max-annotations-changed=100%",
            gives: ["Annotations change on 3 of 3 tokens (100.0 %)", "--max-annotations-changed 100%"]),
    ]

    @Test("pages have what is found, in its order", arguments: pages) func showsIt(_ row: Case<String, [String]>) throws
    {
        let run = try ToolRun(row.input + " --format=html", files: Self.files).ending(.success)
        var rest = run.output.replacing(#/</?(b|span)[^>]*>/#, with: "")[...]
        for content in row.expected {
            let found = try #require(rest.firstRange(of: content), "\(content)\n\(rest.prefix(4000))")
            rest = rest[found.upperBound...]
        }
    }

    @Test(
        "threads do not matter",
        arguments: [compared, strict + " --count=model,locale", strict + " --who=app-version,flags"])
    func threadsDoNotMatter(_ command: String) throws {
        let all = try ["1", "2", "7"].map { try ToolRun("\(command) --jobs=\($0)", files: Self.files).output }
        #expect(Set(all).count == 1 && all[0].contains("60"))
    }
}
