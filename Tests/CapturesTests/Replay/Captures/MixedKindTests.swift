import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import TestSupport

/// Captures of several kinds, and lists of flags, that must not lend one another their meaning.
@Suite struct MixedKindTests {
    private static let id = "h4gubfCFzJu81j/U2BJsdg=="

    // Keys of JSON that device information would read as something else.
    static let keys = ["ip: 1", "captured", " ip", "--- x", "getting x", "ip:"]

    @Test("a key of JSON means nothing in device information", arguments: keys)
    func keysOfJSONStayThere(key: String) throws {
        let json = "{\"time\":\"2020-07-23T00:00:00Z\",\"device-id\":\"\(Self.id)\",\"flags\":\"\",\"\(key)\":\"x\"}\n"
        let info = (1...3).map { number in
            "captured: 2020-07-23 00:00:0\(number) UTC\ndevice-id: \(Self.id)\npublic-flags:\nip: 1: 2\n"
        }.joined()
        let account = try AccountText.account("filters: [{name: f, key: ip, match: \"1: 2\", reject: true}]\n")
        for jobs in 1...3 {
            let replayed = try ReplayBench.replay([Array(json.utf8), Array(info.utf8)], account: account) {
                ($0.jobs, $0.blockBytes) = (jobs, 100)
            }
            let alike = "1:1: warning: 1 record has the unknown key ` ip`, which is not read as `ip`"
            expect(replayed.messages, equals: (key == " ip" ? [alike + "; hint: did you mean `ip`?"] : []))
            let figures = try #require(replayed.summary.figures)
            expect(figures.metrics["pass"], equals: 1)
            expect(figures.metrics["fail"], equals: 3)
        }
    }

    @Test("what a capture is is not looked for without end") func longFirstLine() throws {
        let folder = try TemporaryFolder()
        let count = CaptureLimits.recordBytes + 1
        let path = try folder.write([UInt8](repeating: UInt8(ascii: " "), count: count), to: "blank")
        #expect(throws: CaptureFailure.recordTooLong(path: path, line: 1)) { try CaptureFile(path: path) }
    }
}
