import Testing

@testable import TestSupport
@testable import scenario

/// The words of a comparison's page that decide: limits, and numbers of devices.
@Suite struct DecidingWordsTests {
    private static let changed = "reject-flags: {add: [safetynet-unavailable]}\n"

    private static func page(_ limits: String...) throws -> String {
        let folder = try TemporaryFolder([
            "one.jsonl": DiffSample.capture(devices: 1, rooted: 1), "plain.yaml": "account: plain\n",
            "root.yaml": "account: plain\npolicy: default,allow-root,default\n",
        ])
        return ToolRun(
            ["diff", "@one.jsonl", "--account=@plain.yaml", "--candidate=@root.yaml", "--format=html"] + limits,
            in: folder
        ).output
    }

    @Test func oneDeviceIsNoPlural() throws {
        // A limit says `1 of 1 devices`, in one form for any number.
        let page = try Self.page("--max-newly-accepted=0").replacing("1 of 1 devices (100.0 %)", with: "")
        #expect(page.contains("1 device") && !page.contains("1 devices") && !page.contains("1 attestations"))
        let text = try ToolRun(
            "diff @one.jsonl --account=@plain.yaml --policy=default,allow-root,default",
            files: ["one.jsonl": DiffSample.capture(devices: 1, rooted: 1), "plain.yaml": "account: plain\n"])
        #expect(text.output.contains("1 attestation (100.0 %) of 1 device (100.0 %) would pass"))
    }
}
