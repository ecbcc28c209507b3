import PolicyEngine
import Testing

@testable import Editor
@testable import TestSupport

/// Beside an account are the devices of captures that match its parts, counted beside the conversation.
@Suite struct MatchCountTests {
    // Four devices: two in 10.0.0.0/8, one of which is rooted later on; one that is rooted and has an entry.
    private static let capture = [
        ("h4gubfCFzJu81j/U2BJsdg==", "", "10.1.2.3", 1), ("Q0FmMy4kGYSjbvDZlpGbRw==", "", "10.1.2.4", 2),
        ("AAAAAAAAAAAAAAAAAAAAAA==", "rooted", "192.0.2.1", 3), ("BAAAAAAAAAAAAAAAAAAAAA==", "", "192.0.2.2", 4),
        ("Q0FmMy4kGYSjbvDZlpGbRw==", "rooted,xposed", "10.1.2.3", 5), ("h4gubfCFzJu81j/U2BJsdg==", "", "10.1.2.3", 6),
    ]
    .map { id, flags, ip, minute in
        #"{"time":"2020-07-23T10:0\#(minute):00Z","device-id":"\#(id)","public-flags":"\#(flags)","ip":"\#(ip)"}"#
            + "\n"
    }
    .joined()

    private static let account = """
        account: prod
        filters:
          - {name: vpn, key: ip, regex: "^10\\\\.", reject: true}
          - {name: lab, key: ip, match: 192.0.2.9}
          - {name: both, conjunction: [vpn, lab]}
        reject-flags: {add: [rooted], remove: [frida]}
        devices:
          - {id: AAAAAAAAAAAAAAAAAAAAAA==, policy: "default,whitelist,risk"}
          - {id: CAAAAAAAAAAAAAAAAAAAAA==, policy: "default,whitelist,risk"}

        """

    private static let shown = [
        "0 4 devices in day.jsonl", "2 matches 2 devices (50.0 %)", "3 matches 0 devices (0.0 %)",
        "4 matches 0 devices (0.0 %)", "5 matches 2 devices (50.0 %)", "5 matches 0 devices (0.0 %)",
        "7 matches 1 device (25.0 %)", "8 matches 0 devices (0.0 %)",
    ]

    @Test func eachPartOfAnAccountHasItsDevices() throws {
        var bench = try EditorBench(["day.jsonl": Self.capture], captures: ["day.jsonl"])
        try bench.open("a.yaml", Self.account)
        try expect(bench.lenses("a.yaml"), equals: [], "nothing waits for the count")
        try bench.finishWork()
        expect(bench.refreshes, equals: 1)
        try expect(bench.lenses("a.yaml"), equals: Self.shown)
        // A comment changes no count; another value of a filter does, and is counted anew.
        try bench.replace("a.yaml", "# mine\n" + Self.account)
        try expect(bench.lenses("a.yaml").first, equals: "1 4 devices in day.jsonl")
        try bench.replace("a.yaml", Self.account.replacing("192.0.2.9", with: "192.0.2.2"), version: 3)
        try expect(bench.lenses("a.yaml"), equals: [], "nothing is shown of another text")
        try bench.finishWork()
        try expect(bench.lenses("a.yaml")[2], equals: "3 matches 1 device (25.0 %)")
    }

    @Test func aRegexShowsTheValuesInWhichItIsFound() throws {
        var bench = try EditorBench(["day.jsonl": Self.capture], captures: ["day.jsonl"])
        let words = "It matches 2 of 4 devices (50.0 %) in day.jsonl, such as `10.1.2.3`, `10.1.2.4`."
        for place in ["name: vp‸n", #"regex: "^1‸0"#] {
            let marked = Self.account.replacing(place.replacing("‸", with: ""), with: place)
            _ = try bench.ask("hover", "a.yaml", at: marked)
            try bench.finishWork()
            let hover = try bench.ask("hover", "a.yaml", at: marked)
            expect(hover["contents"]?["value"]?.text?.contains("**filter `vpn`** (R7)"), equals: true, "\(place)")
            expect(hover["contents"]?["value"]?.text?.hasSuffix(words), equals: true, "\(place)")
        }
    }

    @Test func theClientMayNameOtherCaptures() throws {
        let second = String(Self.capture.split(separator: "\n")[2]) + "\n"
        var bench = try EditorBench(
            ["day.jsonl": Self.capture, "one.jsonl": second], captures: ["day.jsonl"],
            options: #"{"captures":["one.jsonl"]}"#)
        try bench.open("a.yaml", Self.account)
        _ = try bench.lenses("a.yaml")
        try bench.finishWork()
        try expect(bench.lenses("a.yaml").first, equals: "0 1 device in one.jsonl")
        try bench.notify(
            "workspace/didChangeConfiguration", #"{"settings":{"scenario":{"captures":["day.jsonl","gone.jsonl"]}}}"#)
        expect(bench.refreshes, equals: 2)
        _ = try bench.lenses("a.yaml")
        try bench.finishWork()
        let path = bench.folder.path("gone.jsonl")
        try expect(
            bench.lenses("a.yaml"),
            equals: [
                "0 day.jsonl, gone.jsonl: not counted: \(path) is not a file that can be read again"
            ])
    }

    @Test func aCountNeverKeepsAClientFromProblems() throws {
        var bench = try EditorBench(["day.jsonl": Self.capture], captures: ["day.jsonl"])
        try bench.open("a.yaml", Self.account)
        _ = try bench.lenses("a.yaml")
        let first = bench.session.nextWork(.slow)
        let count = try #require(first)
        _ = try bench.lenses("a.yaml")
        let second = bench.session.nextWork(.slow)
        #expect(second == nil, "it is being made")
        // While it is being made, a change is checked in the other lane.
        try bench.replace("a.yaml", "acount: x\npolicy: default,default,risk\n")
        expect(bench.shown("a.yaml").first?.hasPrefix("0:0 unknown key `acount`"), equals: true)
        _ = bench.session.accept(count.run())
        try expect(bench.lenses("a.yaml"), equals: [], "it was of another text")
    }

    @Test func otherFilesHaveNoCounts() throws {
        var bench = try EditorBench(["day.jsonl": Self.capture], captures: ["day.jsonl"])
        try bench.open("s.yaml", "scenario: x\naccount: {filters: [{name: vpn, key: ip, regex: a}]}\n")
        try expect(bench.lenses("s.yaml"), equals: ["0 run"])
        let work = bench.session.nextWork(.slow)
        #expect(work == nil)
    }
}
