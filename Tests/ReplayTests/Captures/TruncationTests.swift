import Figures
import Replay
import Testing

@testable import Documents
@testable import TestSupport

/// Captures cut at any byte: every result is a valid replay or says what is wrong.
@Suite struct TruncationTests {
    private static let info = """
        getting new devices
        --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 12:10:43 BST ---
        rejection-flags: jailbroken
        public-flags: jailbroken,init-config-outdated
        device: iOS, 12.1.2, iPhone7,2, Ünï
        probe-result:
          probe result for https://a.b:443:
           xyz=: CN=x

        --- qZka0yfv+ExvOq3PRh6pGw== 2020-07-23 12:10:44 BST ---
        device-id: qZka0yfv+ExvOq3PRh6pGw==
        flags-all:
        captured: 2020-07-23 12:10:45 BST
        device-id: h4gubfCFzJu81j/U2BJsdg==

        """
    private static let jsonl = #"""
        {"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":["jailbroken","a\u0041"]}
        {"time":"2020-07-23T12:10:44+01:00","device-id":"qZka0yfv+ExvOq3PRh6pGw==","rejection-flags":"","n":-1.5e3}
        {"time":"2020-07-23T11:10:45Z","device-id":"h4gubfCFzJu81j/U2BJsdg==","x":null,"y":"Ü🚗","z":true}

        """#
    private static let cut = "1: warning: the last line has no newline; the capture may have been cut"

    @Test func deviceInformationCutAnywhere() throws {
        let bytes = Array(Self.info.utf8)
        let whole = try #require(try ReplayBench.replay([bytes]).decisions)
        for count in 0..<bytes.count {
            let replayed = try ReplayBench.replay([Array(bytes.prefix(count))]) { $0.format = .info }
            guard let decisions = replayed.decisions else {
                #expect(replayed.isRefused, "\(count) bytes")
                continue
            }
            // The records before the one that was cut are decided as before.
            #expect(Array(decisions.dropLast()) == Array(whole.prefix(max(0, decisions.count - 1))), "\(count) bytes")
            let endsLine = count == 0 || bytes[count - 1] == UInt8(ascii: "\n")
            // A record may end before its list of flags.
            let told = replayed.messages.filter { !$0.contains("no list of flags") }
            #expect(told == (endsLine ? [] : [Self.cut]), "\(count) bytes")
        }
    }

    @Test func jsonLinesCutAnywhere() throws {
        let bytes = Array(Self.jsonl.utf8)
        let whole = try #require(try ReplayBench.replay([bytes]).decisions)
        for count in 0..<bytes.count {
            let part = Array(bytes.prefix(count))
            let replayed = try ReplayBench.replay([part]) { $0.format = .jsonl }
            let lineCount = part.count { $0 == UInt8(ascii: "\n") }
            // A line is valid without its newline, and with nothing of the next one.
            let isSound = count == 0 || part.last == UInt8(ascii: "\n") || part.last == UInt8(ascii: "}")
            #expect(replayed.isRefused == !isSound, "\(count) bytes")
            let records = part.last == UInt8(ascii: "}") ? lineCount + 1 : lineCount
            #expect(replayed.decisions == (isSound ? Array(whole.prefix(records)) : nil), "\(count) bytes")
        }
    }

    @Test(arguments: [("info", info), ("jsonl", jsonl)])
    func whatIsSoundIsKeptWhenMalformedRecordsAreSkipped(kind: String, text: String) throws {
        let bytes = Array(text.utf8)
        for count in stride(from: 0, to: bytes.count, by: 5) {
            let replayed = try ReplayBench.replay([Array(bytes.prefix(count))]) {
                $0.format = CaptureFormat(rawValue: kind)
                $0.skipsMalformed = true
            }
            let figures = try #require(replayed.summary.figures, "\(count) bytes")
            #expect(!replayed.summary.diagnostics.hasErrors, "\(count) bytes")
            #expect(figures.attestations + figures.malformed <= 3, "\(count) bytes")
            #expect(replayed.decisions?.count == figures.attestations, "\(count) bytes")
            #expect(figures.malformed <= 1, "\(count) bytes")
        }
    }

    @Test(arguments: [("info", info), ("jsonl", jsonl)])
    func anyByteMayBeWrong(kind: String, text: String) throws {
        let bytes = Array(text.utf8)
        for position in stride(from: 0, to: bytes.count, by: 5) {
            var damaged = bytes
            damaged[position] ^= 0x80
            let replayed = try ReplayBench.replay([damaged]) { $0.format = CaptureFormat(rawValue: kind) }
            #expect(replayed.isRefused == (replayed.decisions == nil), "byte \(position)")
        }
    }
}
