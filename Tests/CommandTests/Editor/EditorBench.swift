import Documents
import PolicyEngine
import Testing

@testable import Editor
@testable import TestSupport

/// A session with a client that keeps its files in a folder.
struct EditorBench {
    let folder: TemporaryFolder
    var session: LanguageSession
    private var lastID = 0
    /// By name of the file: the messages of the problems that the client was last given.
    private(set) var problems: [String: [JSONContent]] = [:]
    /// The number of times that the client was asked to ask for lenses again.
    private(set) var refreshes = 0

    /// - Parameters:
    ///   - captures: The names of the files that the settings name as captures.
    ///   - options: The options of the client at its beginning, in JSON.
    init(
        _ files: [String: String] = [:], encodings: [String] = [], captures: [String] = [], options: String = "null"
    ) throws {
        folder = try TemporaryFolder(files)
        let paths = captures.map(folder.path)
        session = LanguageSession(version: "test") { _ in paths }
        let names = encodings.map { "\"\($0)\"" }.joined(separator: ",")
        _ = try request(
            "initialize",
            #"{"initializationOptions":\#(options),"capabilities":{"workspace":{"codeLens":{"refreshSupport":true}},"#
                + #""general":{"positionEncodings":[\#(names)]}},"#
                + #""workspaceFolders":[{"uri":"\#(FileURI.uri(of: folder.path))","name":"w"}]}"#)
    }

    func uri(_ name: String) -> String { FileURI.uri(of: folder.path(name)) }

    // MARK: Messages

    /// Sends a request with parameters in JSON; its result.
    mutating func request(_ method: String, _ parameters: String) throws -> JSONContent {
        lastID += 1
        let text = #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(parameters)}"#
        let replies = session.accept(try RPCMessage(Array(text.utf8)))
        let reply = try JSONParser.parse(try #require(replies.first).bytes, maximumNesting: 64)
        if let error = reply["error"] { throw TestFailure(error["message"]?.text ?? "") }
        return try #require(reply["result"])
    }

    /// Sends a notification, and checks what has changed.
    mutating func notify(_ method: String, _ parameters: String) throws {
        let text = #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters)}"#
        try note(session.accept(try RPCMessage(Array(text.utf8))))
        try finishWork()
    }

    /// Does all work that waits.
    mutating func finishWork() throws {
        while let work = session.nextWork(.quick) ?? session.nextWork(.slow) { try note(session.accept(work.run())) }
    }

    private mutating func note(_ messages: [JSONValue]) throws {
        for message in messages {
            let content = try JSONParser.parse(message.bytes, maximumNesting: 64)
            if content["method"]?.text == "workspace/codeLens/refresh" { refreshes += 1 }
            guard content["method"]?.text == "textDocument/publishDiagnostics",
                let uri = content["params"]?["uri"]?.text, case .array(let items)? = content["params"]?["diagnostics"]
            else { continue }
            problems[folder.relative(FileURI.path(of: uri))] = items
        }
    }

    static func quoted(_ text: String) -> String { String(decoding: JSONValue.string(text).bytes, as: UTF8.self) }

    // MARK: Documents

    /// The lenses of a document: the line, counted from 0, and the words.
    mutating func lenses(_ name: String) throws -> [String] {
        let result = try request("textDocument/codeLens", #"{"textDocument":{"uri":"\#(uri(name))"}}"#)
        return Self.items(result).map { lens in
            "\(lens["range"]?["start"]?["line"]?.integer ?? -1) \(lens["command"]?["title"]?.text ?? "")"
        }
    }

    mutating func open(_ name: String, _ text: String) throws {
        try notify(
            "textDocument/didOpen",
            #"{"textDocument":{"uri":"\#(uri(name))","languageId":"yaml","version":1,"text":\#(Self.quoted(text))}}"#)
    }

    mutating func replace(_ name: String, _ text: String, version: Int = 2) throws {
        try notify(
            "textDocument/didChange",
            #"{"textDocument":{"uri":"\#(uri(name))","version":\#(version)},"contentChanges":[{"text":\#(Self.quoted(text))}]}"#
        )
    }

    /// Opens a text in which `‸` marks the cursor, and asks there.
    mutating func ask(
        _ method: String, _ name: String = "s.yaml", at marked: String, _ more: String = ""
    ) throws -> JSONContent {
        let parts = marked.split(separator: "‸", omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        try open(name, parts.joined())
        let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
        let (line, character) = (lines.count - 1, lines.last?.utf16.count ?? 0)
        return try request(
            "textDocument/\(method)",
            #"{"textDocument":{"uri":"\#(uri(name))"},"position":{"line":\#(line),"character":\#(character)}\#(more)}"#)
    }

    /// The problems of a file: `line:character message`, both counted from 0.
    func shown(_ name: String) -> [String] {
        (problems[name] ?? []).map { problem in
            let start = problem["range"]?["start"]
            return
                "\(start?["line"]?.integer ?? -1):\(start?["character"]?.integer ?? -1) \(problem["message"]?.text ?? "")"
        }
    }

    /// The texts of files after a workspace edit of a result, by name.
    func edited(_ result: JSONContent) throws -> [String: String] {
        guard case .object(let members)? = result["changes"] else { throw TestFailure("no changes") }
        var texts: [String: String] = [:]
        for member in members {
            let path = FileURI.path(of: member.name.text)
            let positions = TextPositions(try session.workspace.overlay.bytes(path: path))
            guard case .array(let edits) = member.value else { throw TestFailure("no edits") }
            let read = try edits.map { edit in
                let start = positions.byte(at: try #require(TextPosition(edit["range"]?["start"])), session.encoding)
                let end = positions.byte(at: try #require(TextPosition(edit["range"]?["end"])), session.encoding)
                return TextEdit(path: path, range: start..<end, text: try #require(edit["newText"]?.text))
            }
            texts[folder.relative(path)] = String(decoding: read.applied(to: positions.bytes, of: path), as: UTF8.self)
        }
        return texts
    }

    /// The items of a list.
    static func items(_ content: JSONContent?) -> [JSONContent] {
        if case .array(let items)? = content { items } else { [] }
    }
}

/// The files of the tests: an account, and scenarios that name it.
enum Samples {
    static let account = """
        account: prod
        policy: default,allow-root,risk
        flags:
          - {name: odd, description: Something odd}
        filters:
          - {name: vpn, key: ip, regex: "^10\\\\.", reject: true}
          - {name: lab, key: appid, match: com.example.lab}
          - {name: both, conjunction: [vpn, lab], risky: true}
        apis:
          - {domain: api.example.com}

        """

    static let scenario = """
        scenario: Uses them
        account: prod.yaml
        devices:
          bob: {os: android, attributes: {ip: 10.0.0.1}}
          amy: {os: ios}
        steps:
          - {at: 0s, fetch: [bob, amy], expect: [{group: bob, rejections: ["filter:vpn"]}, {group: amy, verdict: pass}]}
          - {at: 1h30m, approov: filter -remove both}
          - {at: 2h, set: {group: bob, flags: [rooted, odd]}}
        expect: {metrics: {rejection-filter-vpn: 1, filter-vpn: 1}}

        """

    /// One attestation, from an address that the filter rejects.
    static let capture =
        #"{"time":"2020-07-23T10:00:00Z","device-id":"h4gubfCFzJu81j/U2BJsdg==","public-flags":"rooted","ip":"10.1.2.3"}"#
        + "\n"

    static let files = ["prod.yaml": account, "s.yaml": scenario]
}
