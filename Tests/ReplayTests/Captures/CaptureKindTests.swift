import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import TestSupport

/// The kind of a capture is found from its content, or given (formats: Captures).
@Suite struct CaptureKindTests {
    struct Row: LabelledRow {
        let name, text: String
        let format: CaptureFormat?

        init(_ name: String, _ text: String, _ format: CaptureFormat?) {
            (self.name, self.text, self.format) = (name, text, format)
        }
    }

    private static let id = SampleDevice.bob

    static let rows = [
        Row("header", "--- \(id) 2020-07-23 12:10:43 BST ---\n", .info),
        Row("captured", "captured: 2020-07-23 12:10:43 BST\n", .info),
        Row("what a script prints first", "getting new devices\n\n--- \(id) 2020-07-23 12:10:43 BST ---\n", .info),
        Row("a pair", "ip: 1.2.3.4\n", .info),
        Row("header cut short", "--- x", .info),
        Row("object", "{}\n", .jsonl),
        Row("object behind spaces and blank lines", "\n  \n \t {\"time\"", .jsonl),
        Row("object behind a mark", "\u{FEFF}{}\n", .jsonl),
        Row("untimed fetch", "\(id)\n", .fetches),
        Row("untimed fetch without newline", id, .fetches),
        Row("timed fetch", "\(id) 2020-07-23 12:10:43 BST\n", .fetches),
        Row("fetch with CR LF", "\(id)\r\n", .fetches),
        Row("fetches of a script", "getting latest fetches\n\(id)\n", .fetches),
        Row("ID with text behind it", "\(id)x\n", nil),
        Row("short ID", "h4gubfCFzJu81j==\n", nil),
        Row("an array", "[{}]\n", nil),
        Row("prose", "hello\n", nil),
    ]

    @Test(arguments: rows) func isFoundFromTheContent(_ row: Row) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(row.text.utf8, to: "capture")
        guard let format = row.format else {
            let likely: OtherForm? = row.name == "an array" ? .array : nil
            #expect(throws: CaptureFailure.unknownFormat(path: path, likely: likely)) { try CaptureFile(path: path) }
            return
        }
        #expect(try CaptureFile(path: path).format == format)
    }

    @Test(arguments: rows, CaptureFormat.allCases) func isAsGiven(_ row: Row, format: CaptureFormat) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(row.text.utf8, to: "capture")
        #expect(try CaptureFile(path: path, format: format).format == format)
    }

    struct Table: LabelledRow {
        let text: String
        let isTable: Bool
    }

    // Values may have dividers, too, so that later lines have as many or more.
    static let tables = [
        Table(text: "a,b\n1,2\n", isTable: true), Table(text: "a;b\n1;2\n", isTable: true),
        Table(text: "a\tb\n1\t2\n", isTable: true), Table(text: "a,b\n1,\"x,y\"\n", isTable: true),
        Table(text: "a,b,c\n1,2\n3,4,5\n", isTable: false), Table(text: "a\n1,2\n", isTable: false),
        Table(text: "a,b\n", isTable: false), Table(text: "a b\n1 2\n", isTable: false),
    ]

    @Test("a table is known by the dividers of its first two lines", arguments: tables) func isTable(row: Table) throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.write(row.text.utf8, to: "capture")
        #expect(throws: CaptureFailure.unknownFormat(path: path, likely: row.isTable ? .table : nil)) {
            try CaptureFile(path: path)
        }
    }

    @Test(arguments: ["", "\n", "\n  \n\r\n", "getting new devices\n", "\u{FEFF}", "\u{FEFF}\n"])
    func nothingIsEmpty(text: String) throws {
        let replayed = try ReplayBench.replay(text)
        #expect(replayed.isRefused)
        #expect(replayed.messages == ["1: error: the capture is empty"])
    }

    @Test func unknownContentIsRefused() throws {
        let replayed = try ReplayBench.replay("hello\n")
        #expect(replayed.isRefused)
        #expect(
            replayed.messages == [
                "1: error: neither device information, nor fetches, nor JSON Lines, nor columns of Arrow; "
                    + "hint: --input-format names the form if the content does not show it"
            ])
    }

    @Test func aGivenKindMakesOtherContentMalformed() throws {
        let replayed = try ReplayBench.replay("hello\n") { $0.format = .jsonl }
        #expect(replayed.isRefused)
        #expect(replayed.messages.count == 1)
        #expect(replayed.messages.first?.hasPrefix("1:1: error: not a JSON object") == true)
    }

    @Test func aMissingFileIsAnError() throws {
        let folder = try TemporaryFolder()
        var replay = CaptureReplay(ReplayRequest(captures: [folder.path("none")], account: Account()))
        let outcome = replay.run()
        #expect(outcome.figures == nil)
        #expect(outcome.diagnostics.all.map { $0.message.lowercased() } == ["no such file or directory"])
    }

    @Test func aFolderIsAnError() throws {
        let folder = try TemporaryFolder()
        var replay = CaptureReplay(ReplayRequest(captures: [folder.path("")], account: Account()))
        let outcome = replay.run()
        #expect(outcome.figures == nil)
        #expect(
            outcome.diagnostics.all.map { $0.message.lowercased() } == ["is a folder, and no capture"])
    }

    @Test func fetchesAmongAttestationsAreRefused() throws {
        let info = "--- \(Self.id) 2020-07-23 12:10:43 BST ---\npublic-flags:\n"
        let replayed = try ReplayBench.replay([Array(info.utf8), Array("\(Self.id)\n".utf8)])
        #expect(replayed.isRefused)
        #expect(
            replayed.messages == [
                "2: error: a capture of fetches among captures of attestations; "
                    + "hint: --fetches takes it, to weigh the others"
            ])
        #expect(replayed.files == [])
    }
}

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
            #expect(replayed.messages == (key == " ip" ? [alike + "; hint: did you mean `ip`?"] : []))
            let figures = try #require(replayed.summary.figures)
            #expect(figures.metrics["pass"] == 1)
            #expect(figures.metrics["fail"] == 3)
        }
    }

    @Test("a comma with a mark behind it is a comma", arguments: ["\"rooted,\u{301}x\"", "[\"rooted\",\"\u{301}x\"]"])
    func commasAreBytes(flags: String) throws {
        let json = "{\"time\":\"2020-07-23T00:00:00Z\",\"device-id\":\"\(Self.id)\",\"flags\":\(flags)}\n"
        let replayed = try ReplayBench.replay(json)
        #expect(replayed.summary.figures?.metrics["rejection-flag-rooted"] == 1)
        #expect(replayed.summary.figures?.metrics["fail-flag-\u{301}x"] == 1)
    }

    @Test("an object without keys is one, wherever it is") func emptyObjects() throws {
        let told = "record without `device-id`"
        let sound = "{\"time\":\"2020-07-23T00:00:00Z\",\"device-id\":\"\(Self.id)\",\"flags\":\"\"}\n"
        #expect(try ReplayBench.replay("{}\n").messages == ["1:1: error: \(told)"])
        #expect(try ReplayBench.replay(sound + "{}\n").messages == ["1:2: error: \(told)"])
    }

    @Test("what a capture is is not looked for without end") func longFirstLine() throws {
        let folder = try TemporaryFolder()
        let count = CaptureLimits.recordBytes + 1
        let path = try folder.write([UInt8](repeating: UInt8(ascii: " "), count: count), to: "blank")
        #expect(throws: CaptureFailure.recordTooLong(path: path, line: 1)) { try CaptureFile(path: path) }
    }
}

/// Text and JSON Lines of the same events give the same decisions (formats: Captures).
@Suite struct SameEventsTests {
    private static let text = """
        --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 12:10:43 BST ---
        rejection-flags: app-not-registered,jailbroken
        public-flags: app-not-registered,jailbroken,strange
        ip: 1.2.3.4
        device-id: w4mmGFZkpz5oPz6w6gl1Cw==
        device: iOS, 12.1.2, iPhone7,2, en_ES
        app-version: 1.0
        appid: ios.app

        getting new devices
        captured: 2020-07-23 04:10:44 PDT
        device-id: qZka0yfv+ExvOq3PRh6pGw==
        rejection-flags:
        flags-all:
        device: Android 8.1.0, Nexus 5X
        appid: com.app
        sdkid: 4000
        note: a
         b
        --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 20:10:44 JST ---
        public-flags: new-did,did-unban
        ip:

        """
    private static let jsonl = #"""
        {"time":"2020-07-23T12:10:43.5+01:00","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","ip":"1.2.3.4",
        "rejection-flags":"app-not-registered,jailbroken","flags":["app-not-registered","jailbroken","strange"],
        "device":"iOS, 12.1.2, iPhone7,2, en_ES","app-version":"1.0","appid":"ios.app"}
        {"device-id":"qZka0yfv+ExvOq3PRh6pGw==","time":"2020-07-23T11:10:44Z","rejection-flags":"","public-flags":"",
        "device":"Android 8.1.0, Nexus 5X","appid":"com.app","app-version":null,"sdkid":4000,"note":"a\n b"}
        {"flags-all":"new-did,did-unban","time":"2020-07-23T11:10:44Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","ip":""}

        """#.replacing(",\n", with: ",")

    private static let rules = """
        policy: default,allow-root,all
        filters:
          - {name: myip, key: ip, match: 1.2.3.4, ban: true}
          - {name: no-ip, key: ip, match: ''}
          - {name: sdk, key: sdkid, regex: '^4', risky: true}
          - {name: lines, key: note, match: "a\\n b"}
          - {name: flags, key: public-flags, regex: strange, reject: true}
          - {name: id, key: device-id, regex: '^w4mm'}
        """

    @Test func decisionsAreEqual() throws {
        let account = try AccountText.account(Self.rules)
        let fromText = try ReplayBench.replay(Self.text, account: account)
        let fromJSON = try ReplayBench.replay(Self.jsonl, account: account)
        #expect(fromText.messages == [])
        #expect(fromJSON.messages == [])
        #expect(fromText.decisions == fromJSON.decisions)
        #expect(fromText.summary.figures?.metrics == fromJSON.summary.figures?.metrics)
        #expect(fromText.summary.figures?.reproduced == fromJSON.summary.figures?.reproduced)
        #expect(fromText.decisions == Self.decisions)
    }

    // The iPhone is banned by `myip`; its observed `did-unban` lifts that for its record (R6.4, R10).
    private static let decisions = [
        #"{"index":0,"time":"2020-07-23T11:10:43Z","device":"w4mmGFZkpz5oPz6w6gl1Cw==","verdict":"fail","#
            + #""policy":"default,allow-root,all","#
            + #""rejections":["app-not-registered","jailbroken","did-ban","filter:flags"],"#
            + #""flags":["app-not-registered","jailbroken","did-ban","new-did","risky-device","strange"],"#
            + #""annotations":["app-not-registered","did-ban","jailbroken","new-did","risky-device","strange"],"#
            + #""filters":["myip","flags","id"],"lifetime":120,"expires":"2020-07-23T11:12:53Z","arc":"M3R4P73IEW"}"#,
        #"{"index":1,"time":"2020-07-23T11:10:44Z","device":"qZka0yfv+ExvOq3PRh6pGw==","verdict":"pass","#
            + #""policy":"default,allow-root,all","rejections":[],"flags":["new-did","risky-device"],"#
            + #""annotations":["new-did","risky-device"],"filters":["sdk","lines"],"lifetime":120,"#
            + #""expires":"2020-07-23T11:12:54Z","arc":"NYNTQBN6BU"}"#,
        #"{"index":2,"time":"2020-07-23T11:10:44Z","device":"w4mmGFZkpz5oPz6w6gl1Cw==","verdict":"pass","#
            + #""policy":"default,allow-root,all","rejections":[],"flags":["did-unban","new-did"],"#
            + #""annotations":["did-unban","new-did"],"filters":["no-ip","id"],"lifetime":300,"#
            + #""expires":"2020-07-23T11:15:54Z","arc":"WPNNHDJVQI"}"#,
    ]
}
