import PolicyEngine
import Testing

@testable import Editor
@testable import TestSupport

/// The order of a conversation, by the codes of the protocol.
@Suite struct LanguageSessionTests {
    @Test func requestsAreRefusedBeforeTheBeginningAndBehindTheEnd() throws {
        var session = LanguageSession(version: "0")
        func code(_ method: String) throws -> Int? {
            let text = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"capabilities":{}}}"#
            let replies = session.accept(try RPCMessage(Array(text.utf8)))
            return try JSONParser.parse(try #require(replies.first).bytes)["error"]?["code"]?.integer
        }
        #expect(try code("textDocument/hover") == -32002, "not initialized")
        #expect(try code("initialize") == nil)
        #expect(try code("textDocument/formatting") == -32601, "no such method")
        #expect(try code("textDocument/hover") == -32602, "no document")
        #expect(try code("shutdown") == nil)
        #expect(try code("textDocument/hover") == -32600, "an invalid request")
        #expect(session.exitStatus == nil)
        _ = session.accept(try RPCMessage(Array(#"{"jsonrpc":"2.0","method":"exit"}"#.utf8)))
        #expect(session.exitStatus == 0)
    }
}
