import Figures
import PolicyEngine
import Testing

@testable import Documents
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
