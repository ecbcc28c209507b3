import Dispatch
import Foundation
import PolicyEngine
import Testing

@testable import Documents
@testable import Editor
@testable import TestSupport

/// The conversation with an agent, without a process: the order of calls, and requests that are refused.
@Suite struct ToolSessionTests {
    private static func session() -> ToolSession {
        let echo = AgentTool(name: "echo", summary: "Says it.", input: .ordered([("type", .string("object"))])) {
            AgentTool.Answer([$0["text"]?.text ?? "nothing"], isError: $0["text"] == nil)
        }
        let page = AgentResource(uri: "scenario:page", name: "A page", type: "text/markdown") { "# A page" }
        return ToolSession(version: "1.2.3", tools: [echo], resources: [page])
    }

    private static func ask(
        _ session: inout ToolSession, _ method: String, _ parameters: String = "{}", id: Int = 1
    ) throws -> JSONContent? {
        let text = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#
        let replies = session.accept(try RPCMessage(Array(text.utf8)))
        #expect(replies.count <= 1)
        return try replies.first.map { try JSONParser.parse($0.bytes) }
    }

    @Test(arguments: ["2025-06-18", "2025-03-26", "2024-11-05"]) func aKnownVersionIsTaken(version: String) throws {
        var session = Self.session()
        let reply = try Self.ask(&session, "initialize", #"{"protocolVersion":"\#(version)"}"#)
        expect(reply?["result"]?["protocolVersion"]?.text, equals: version)
        let other = try Self.ask(&session, "initialize", #"{"protocolVersion":"1999-01-01"}"#)
        expect(other?["result"]?["protocolVersion"]?.text, equals: "2025-06-18")
        expect(other?["result"]?["serverInfo"]?["version"]?.text, equals: "1.2.3")
    }

    @Test func callsAreCarriedOutInTheirOrderBesideOtherRequests() throws {
        var session = Self.session()
        let first = try Self.ask(&session, "tools/call", #"{"name":"echo","arguments":{"text":"a"}}"#, id: 1)
        let second = try Self.ask(&session, "tools/call", #"{"name":"echo","arguments":{}}"#, id: 2)
        #expect(first == nil && second == nil, "they are answered later")
        try expect(Self.ask(&session, "ping", id: 3)?["result"], equals: .object([]))
        var outcomes: [(RPCID, JSONContent)] = []
        while let work = session.nextWork() {
            let outcome = ToolSession.run(work, CancelledRequests())
            outcomes.append((outcome.id, try JSONParser.parse(outcome.result.bytes)))
        }
        expect(outcomes.map(\.0), equals: [.number(1), .number(2)])
        expect(EditorBench.items(outcomes[0].1["content"]).first?["text"]?.text, equals: "a")
        expect(outcomes.map { $0.1["isError"] }, equals: [.boolean(false), .boolean(true)])
    }

    @Test func aCallThatWasTakenBackHasNoAnswer() throws {
        var session = Self.session()
        _ = try Self.ask(&session, "tools/call", #"{"name":"echo","arguments":{"text":"a"}}"#, id: 7)
        let work = session.nextWork()
        let outcome = ToolSession.run(try #require(work), CancelledRequests())
        let cancelled = CancelledRequests()
        expect(session.accept(outcome, cancelled).count, equals: 1)
        cancelled.add(.number(7))
        #expect(session.accept(outcome, cancelled).isEmpty)
        #expect(!cancelled.take(.number(7)), "it counts once")
    }

    @Test("a call that is taken back ends, also one that has not begun") func aCallThatIsTakenBackEnds() throws {
        let began = DispatchSemaphore(value: 0)
        let tool = AgentTool(name: "wait", summary: "Waits.", input: .ordered([])) { _ in
            began.signal()
            for _ in 0..<60_000 where !Cancellation.isDue() { usleep(2000) }
            return AgentTool.Answer(["\(Cancellation.isDue())"], isError: false)
        }
        var session = ToolSession(version: "1", tools: [tool], resources: [])
        for id in 1...2 { _ = try Self.ask(&session, "tools/call", #"{"name":"wait"}"#, id: id) }
        let (next, last) = (session.nextWork(), session.nextWork())
        let (first, second) = (try #require(next), try #require(last))
        let (cancelled, done) = (CancelledRequests(), DispatchSemaphore(value: 0))
        let result = Lock(JSONValue.null)
        PlainThread.start {
            let outcome = ToolSession.run(first, cancelled)
            result.withLock { $0 = outcome.result }
            done.signal()
        }
        began.wait()
        for id in 1...2 { cancelled.add(.number(id)) }
        done.wait()
        #expect(String(decoding: result.withLock { $0.bytes }, as: UTF8.self).contains("true"))
        expect(ToolSession.run(second, cancelled).result.bytes, equals: JSONValue.null.bytes)
        expect(began.wait(timeout: .now()), equals: .timedOut)
    }

    @Test func whatIsNotThereIsRefused() throws {
        var session = Self.session()
        for (method, parameters, code) in [
            ("tools/call", #"{"name":"approov"}"#, -32602),
            ("resources/read", #"{"uri":"file:///etc/passwd"}"#, -32602),
            ("tools/delete", "{}", -32601),
        ] {
            try expect(Self.ask(&session, method, parameters)?["error"]?["code"]?.integer, equals: code)
        }
        let read = try Self.ask(&session, "resources/read", #"{"uri":"scenario:page"}"#)
        expect(EditorBench.items(read?["result"]?["contents"]).first?["text"]?.text, equals: "# A page")
        #expect(session.accept(try RPCMessage(Array(#"{"jsonrpc":"2.0","method":"x"}"#.utf8))).isEmpty)
    }

    @Test func manyCancelledRequestsTakeNoMemory() {
        let cancelled = CancelledRequests()
        for number in 0..<5000 { cancelled.add(.number(number)) }
        #expect(!cancelled.take(.number(0)) && cancelled.take(.number(4999)))
    }
}

/// The order of a conversation, by the codes of the protocol.
@Suite struct LanguageSessionTests {
    @Test func requestsAreRefusedBeforeTheBeginningAndBehindTheEnd() throws {
        var session = LanguageSession(version: "0")
        func code(_ method: String) throws -> Int? {
            let text = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"capabilities":{}}}"#
            let replies = session.accept(try RPCMessage(Array(text.utf8)))
            return try JSONParser.parse(try #require(replies.first).bytes)["error"]?["code"]?.integer
        }
        try expect(code("textDocument/hover"), equals: -32002, "not initialized")
        #expect(try code("initialize") == nil)
        try expect(code("textDocument/formatting"), equals: -32601, "no such method")
        try expect(code("textDocument/hover"), equals: -32602, "no document")
        #expect(try code("shutdown") == nil)
        try expect(code("textDocument/hover"), equals: -32600, "an invalid request")
        #expect(session.exitStatus == nil)
        _ = session.accept(try RPCMessage(Array(#"{"jsonrpc":"2.0","method":"exit"}"#.utf8)))
        expect(session.exitStatus, equals: 0)
    }
}
