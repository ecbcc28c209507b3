import Testing

@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// Keys of attributes at the Tab key.
@Suite struct CaptureKeyTests {
    private static let files = [
        "day.jsonl": #"{"time":"x","device-id":"y","shop":1}"# + "\nnothing\n" + #"{"user-tier":"z"}"# + "\n",
        "day.txt": "--- id 2020-07-23 10:00:00 UTC ---\ndevice: x\nloyalty-number: 12\nnot a key: z\n",
    ]

    private static func offers(_ words: [String]) -> [String] {
        Completer(.scenario, words: words).completion.offers.map(\.word)
    }

    @Test("keys of the captures on the line are offered, and those that the service collects") func keys() throws {
        let folder = try TemporaryFolder(Self.files)
        let offered = Self.offers(["replay", folder.path("day.jsonl"), folder.path("day.txt"), "--count", ""])
        #expect(Set(["shop", "user-tier", "loyalty-number", "time", "ip", "app-version"]).isSubset(of: offered))
        #expect(!offered.contains("not a key") && offered == offered.sorted() && Set(offered).count == offered.count)
        let behind = Self.offers(["replay", folder.path("day.jsonl"), "--count", "ip,sh"])
        #expect(behind.contains("ip,shop"))
    }

    @Test("without a capture, those that the service collects are offered") func noCapture() {
        #expect(Self.offers(["replay", "none.jsonl", "--count", ""]) == Set(InformationKeys.all).sorted())
    }
}
