import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Probable mistakes in a capture that can be read: reported once for each kind, with how many records have it.
@Suite struct CaptureMistakeTests {
    struct Row: LabelledRow {
        let name: String
        let capture: String
        /// As ``Replayed/messages`` writes it.
        let messages: [String]
    }

    // Records of Bob, each with members of its own behind the time.
    private static func records(_ members: [String]) -> String {
        members.enumerated().map { number, members in
            #"{"time":"2020-07-23T10:00:0\#(number)Z","device-id":"h4gubfCFzJu81j/U2BJsdg==",\#(members)}"# + "\n"
        }.joined()
    }

    private static func key(_ count: String, _ name: String, _ meant: String) -> String {
        "\(count) the unknown key `\(name)`, which is not read as `\(meant)`; hint: did you mean `\(meant)`?"
    }

    private static let semicolons =
        " a list of flags with `;`, which is read as part of a flag's name; "
        + "hint: flags are joined by commas alone"
    private static let noFlags =
        " no list of flags, which counts as an empty list; "
        + "hint: `public-flags`, `flags-all` or `flags` holds it, empty where none is set"

    static let rows = [
        Row(
            name: "all as it should be",
            capture: records([
                #""public-flags":"rooted","archid":"x","note":"y""#, #""flags":[],"app-version":"1""#,
                #""flags-all":"","matched-filters":"a""#,
            ]), messages: []),
        Row(
            name: "keys that differ by case or separators",
            capture: records([
                #""flags":"","App_Version":"1""#, #""flags":"","appVersion":"1","archid":"x""#,
                #""flags":"","App_Version":"2","app-version":"1""#, #""flags":"","IP":"1.2.3.4""#,
            ]),
            messages: [
                "1:1: warning: " + key("2 records have", "App_Version", "app-version"),
                "1:2: warning: " + key("1 record has", "appVersion", "app-version"),
                "1:4: warning: " + key("1 record has", "IP", "ip"),
            ]),
        Row(
            name: "a key that says nothing", capture: records([#""flags":"","App_Version":null"#]), messages: []),
        Row(
            name: "a list of flags under another name",
            capture: records([#""Public-Flags":"rooted""#, #""public-flags":"""#]),
            messages: [
                "1:1: warning: " + key("1 record has", "Public-Flags", "public-flags"),
                "1:1: warning: 1 record has" + noFlags,
            ]),
        Row(
            name: "semicolons",
            capture: records([
                #""flags":"rooted""#, #""flags":"rooted;xposed""#, #""flags":"rooted;xposed""#,
                #""flags":"frida,a;b""#,
            ]), messages: ["1:2: warning: 3 records have" + semicolons]),
        Row(
            name: "no flags",
            capture: records([#""flags":"""#, #""ip":"1.2.3.4""#, #""flags":null"#]),
            messages: ["1:2: warning: 2 records have" + noFlags]),
        Row(
            name: "device information",
            capture: """
                --- h4gubfCFzJu81j/U2BJsdg== 2020-07-23 10:00:00 UTC ---
                public-flags: rooted;xposed
                --- h4gubfCFzJu81j/U2BJsdg== 2020-07-23 10:00:01 UTC ---
                Device: Android 7
                App Id: x

                """,
            messages: [
                "1:1: warning: 1 record has" + semicolons,
                "1:3: warning: " + key("1 record has", "Device", "device"),
                "1:3: warning: " + key("1 record has", "App Id", "appid"),
                "1:3: warning: 1 record has" + noFlags,
            ]),
    ]

    @Test("R2.2 formats: Captures: mistakes are messages once, with a count", arguments: rows)
    func tells(_ row: Row) throws {
        let replayed = try ReplayBench.replay(row.capture)
        #expect(replayed.messages.sorted() == row.messages.sorted())
        #expect(replayed.summary.figures != nil)
    }

    @Test(arguments: rows) func tellsTheSameForAnyJobsAndBlocks(_ row: Row) throws {
        let alone = try ReplayBench.replay(row.capture).messages
        for (jobs, blockBytes) in [(1, 1), (2, 90), (3, 1), (8, 200)] {
            let replayed = try ReplayBench.replay(row.capture) { ($0.jobs, $0.blockBytes) = (jobs, blockBytes) }
            #expect(replayed.messages == alone, "\(jobs) workers, blocks of \(blockBytes)")
        }
    }

    @Test(arguments: [1, 100_000]) func tellsOfTwentyKeysAndOfAllElse(blockBytes: Int) throws {
        let names = (0..<30).map { "app" + String(repeating: "_", count: $0 + 1) + "version" }
        let members = names.map { "\"\($0)\":\"1\"" }.joined(separator: ",")
        let capture = Self.records([#""flags":"a;b""#, #""flags":"",\#(members)"#, #""ip":"1""#])
        let messages = try ReplayBench.replay(capture) { $0.blockBytes = blockBytes }.messages
        #expect(messages.count(where: { $0.contains("list of flags") }) == 2)
        #expect(messages.count(where: { $0.contains("the unknown key") }) == MistakeLog.limit)
        #expect(
            messages.last
                == "scenario: warning: more than 20 unknown keys look like known ones; the others are not shown")
    }

    // Keys that nobody needs are forgotten after some thousands; what was seen, and what looks alike, is not.
    @Test func manyKeysMakeNothingForgotten() throws {
        let many = (0..<3000).map { #""key-\#($0)":"""# }.joined(separator: ",")
        let others = many.replacing("key-", with: "other-")
        let capture = Self.records([
            #""flags":"","shop":"x","App_Version":"1",\#(many)"#, #""flags":"",\#(others)"#,
            #""flags":"","App_Version":"1",\#(many)"#,
        ])
        let account = try AccountText.account("filters: [{name: lab, key: shop, match: y}]\n")
        let replayed = try ReplayBench.replay(capture, account: account)
        #expect(replayed.messages == ["1:1: warning: " + Self.key("2 records have", "App_Version", "app-version")])
        #expect(replayed.summary.attributes.contains("shop"))
    }
}
