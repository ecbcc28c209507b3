import PolicyEngine
import Testing

@testable import Editor
@testable import TestSupport

/// Messages are the same however their bytes are cut, and what is no message ends the stream.
@Suite struct MessageStreamTests {
    private func read(_ bytes: [UInt8], _ framing: MessageFraming, step: Int) throws -> [String] {
        var stream = MessageStream(framing)
        var messages: [String] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            stream.take(bytes[start..<min(bytes.count, start + step)])
            while let message = try stream.next() { messages.append(String(decoding: message, as: UTF8.self)) }
        }
        return messages
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func headerAndLengthInAnyPieces(step: Int) throws {
        let bytes = Array(
            "Content-Length: 4\r\n\r\n{\"a\"content-length:2\ncontent-type: x\n\n{}Content-Length: 0\r\n\r\n".utf8)
        try expect(read(bytes, .header, step: step), equals: ["{\"a\"", "{}", ""])
    }

    @Test(arguments: [1, 2, 3, 7, 1000]) func linesInAnyPieces(step: Int) throws {
        try expect(read(Array("{}\n\n \r\n[1]\r\nrest".utf8), .line, step: step), equals: ["{}", "[1]\r"])
    }

    @Test func whatHasNoLengthEndsTheStream() {
        #expect(throws: FramingFailure.noLength) { try read(Array("Content-Type: x\r\n\r\n{}".utf8), .header, step: 5) }
        #expect(throws: FramingFailure.noLength) {
            try read(Array("Content-Length: -1\r\n\r\n".utf8), .header, step: 5)
        }
        #expect(throws: FramingFailure.noLength) {
            try read([UInt8](repeating: 0x41, count: MessageStream.longestHeader), .header, step: 100)
        }
    }

    @Test func aLengthThatNobodyKeepsIsRefused() {
        #expect(throws: FramingFailure.tooLong) {
            try read(Array("Content-Length: \(MessageStream.longestMessage + 1)\r\n\r\n".utf8), .header, step: 100)
        }
        #expect(throws: FramingFailure.noLength) {
            try read(Array("Content-Length: 99999999999999999999\r\n\r\n".utf8), .header, step: 100)
        }
    }

    @Test func messagesAreReadStrictly() throws {
        func code(_ text: String) -> RPCFailure.Code? {
            do throws(RPCFailure) {
                _ = try RPCMessage(Array(text.utf8))
                return nil
            } catch {
                return error.code
            }
        }
        expect(code("{"), equals: .parseError)
        expect(code("[]"), equals: .invalidRequest)
        expect(code(#"{"id":1,"method":"x"}"#), equals: .invalidRequest)
        expect(code(#"{"jsonrpc":"2.0","id":{},"method":"x"}"#), equals: .invalidRequest)
        expect(code(#"{"jsonrpc":"2.0","id":1}"#), equals: .invalidRequest)
        #expect(code(#"{"jsonrpc":"2.0","id":1,"method":"x"}"#) == nil)
        expect(code(String(repeating: "[", count: 100_000)), equals: .parseError)
        guard
            case .request(.text("a"), "m", let parameters) = try RPCMessage(
                Array(#"{"jsonrpc":"2.0","id":"a","method":"m","params":{"k":3}}"#.utf8))
        else {
            Issue.record("no request")
            return
        }
        expect(parameters["k"]?.integer, equals: 3)
    }
}
