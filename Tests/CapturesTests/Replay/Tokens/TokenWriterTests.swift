import Documents
import PolicyEngine
import Testing

@testable import Replay
@testable import TestSupport

/// The tokens that a replay writes.
@Suite struct TokenWriterTests {
    private static let devices = ["h4gubfCFzJu81j/U2BJsdg==", "DoYouReadThisText01234=="]

    private static func record(_ second: Int, _ device: Int, _ flags: String) -> String {
        #"{"time":"2020-07-23T10:00:0\#(second)Z","device-id":"\#(devices[device])","flags":"\#(flags)","ip":"1.2.3.\#(device)"}"#
            + "\n"
    }

    /// Each token is of its record, is valid where the device passes alone, and names the annotated flags, of new sets as of
    /// known ones.
    @Test(arguments: [1, 3]) func everyRecordHasItsToken(jobs: Int) throws {
        let records = [(0, "rooted"), (1, ""), (0, "rooted"), (1, "debug"), (0, "")]
        let folder = try TemporaryFolder([
            "capture": records.enumerated().map { Self.record($0, $1.0, $1.1) }.joined()
        ])
        var account = Account(name: "prod")
        account.policy = try account.securityPolicy("default,default,all")
        var request = ReplayRequest(captures: [folder.path("capture")], account: account)
        (request.tokensPath, request.tokenDomain, request.jobs) = (folder.path("tokens"), "a.com", jobs)
        #expect(!request.run().diagnostics.hasErrors)
        let checks = try #require(folder["tokens"]).split(separator: "\n").map {
            try TokenCheck(String($0), account: account, at: nil)
        }
        expect(checks.map(\.passed), equals: records.map { $0.1 == "" })
        expect(checks.map { $0.claims?.device?.description }, equals: records.map { Self.devices[$0.0] })
        expect(checks.map { $0.claims?.text(of: "ip") }, equals: records.map { "1.2.3.\($0.0)" })
        for (check, record) in zip(checks, records) {
            let names = try #require(check.claims?.annotations)
            expect(["rooted", "debug"].filter(names.contains), equals: (record.1 == "" ? [] : [record.1]))
        }
    }
}
