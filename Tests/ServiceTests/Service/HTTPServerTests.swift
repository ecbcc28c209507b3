import Foundation
import Testing

@testable import HTTP
@testable import PolicyEngine
@testable import Service
@testable import TestSupport

/// Requests over a socket, well meant or not.
@Suite struct HTTPServerTests {
    private static func server(_ edit: (inout HTTPServer.Limits) -> Void = { _ in }) throws -> HTTPServer {
        var limits = HTTPServer.Limits()
        edit(&limits)
        let account = try AccountText.account("account: a\narc: on\napis: [{domain: my.api.io}]\n")
        let time = Instant(secondsSinceEpoch: 1_600_000_000)
        let service = try SharedService(StandIn.Settings(account: account), clock: .system, at: time)
        return try HTTPServer(address: "127.0.0.1", port: 0, hosts: ["x"], limits: limits) {
            service.answer($0, at: time)
        }
    }

    private static let end = "Connection: close\r\n\r\n"
    private static let record = ServiceBench.record()

    // The key of account `a`, which has no key file.
    private static let key = (try? AccountText.account("account: a\n").apiKey.text) ?? ""

    // The bytes of the lines of a case.
    private static func bytes(_ lines: [String]) -> [UInt8] {
        var (head, body) = (lines, "")
        if let last = lines.last, last.hasPrefix("body ") || last.hasPrefix("chunked ") {
            head.removeLast()
            body = String(last.drop { $0 != " " }.dropFirst()).replacing("RECORD", with: record)
            if last.hasPrefix("chunked ") {
                body = body.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
            } else if !lines.contains(where: { $0.hasPrefix("Content-Length") || $0.hasPrefix("Transfer-Encoding") }) {
                head.append("Content-Length: \(body.utf8.count)")
            }
        }
        let text = head.map { $0 + "\r\n" }.joined().replacing("KEY", with: key).replacing("NUL", with: "\0")
            .replacing("TAB", with: "\t").replacing("LINE", with: "\r\n")
        return Array((text + end + body).utf8.split(separator: Array("BAD".utf8)).joined(separator: [0xFF]))
    }

    // The status of the one answer to a request, after which the server continues to answer.
    private func status(of server: HTTPServer, for bytes: [UInt8]) throws -> String {
        let client = try RawClient(server.url)
        client.write(bytes)
        let answers = client.readAll().components(separatedBy: "HTTP/1.1 ")
        expect(answers.count, equals: 2, "\(answers)")
        try expectAnswer(of: server)
        return String(answers.last?.prefix(3) ?? "")
    }

    @Test("R23.6 every request has its status", arguments: CaseFile.all(in: "Tables/sockets", ending: "requests.txt"))
    func everyRequestHasItsStatus(_ file: CaseFile) throws {
        let server = try Self.server()
        try file.expectActual { example in
            let given = example.body.filter { !$0.hasPrefix("! ") }
            return given + ["! \(try status(of: server, for: Self.bytes(given)))"]
        }
    }

    private static func post(_ body: String) -> [String] { ["POST /attest HTTP/1.1", "Host: x", "body \(body)"] }

    private static let long: [(lines: [String], status: String)] = [
        (["GET /metrics HTTP/1.1", "Host: x", "X: \(String(repeating: "x", count: 1 << 20))"], "431"),
        (["GET /metrics HTTP/1.1", "Host: x"] + (0..<10_000).map { "X\($0): y" }, "431"),
        (["GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1", "Host: x"], "414"),
        (post(String(repeating: " ", count: 65_537)), "413"),
        (
            [
                "POST /attest HTTP/1.1", "Host: x", "Transfer-Encoding: chunked",
                "chunked \(String(repeating: " ", count: 70_000))",
            ], "413"
        ), (post(record + String(repeating: " ", count: 65_536 - record.utf8.count)), "200"),
    ]

    @Test("R23.6 heads, paths and bodies have a length", arguments: long.indices) func lengths(_ index: Int) throws {
        let (lines, expected) = Self.long[index]
        try expect(status(of: Self.server(), for: Self.bytes(lines)), equals: expected)
    }

    private func expectAnswer(of server: HTTPServer) throws {
        let other = try RawClient(server.url)
        other.write("GET /outage HTTP/1.1\r\nHost: x\r\n\(Self.end)")
        #expect(other.readAll().hasPrefix("HTTP/1.1 200 "))
    }

    static let noise = [
        "", "\r\n\r\n\r\n\r\n", "\u{16}\u{03}\u{01}\u{02}", "GET",
        "POST /attest HTTP/1.1\r\nContent-Length: 10\r\n\r\n{",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0\0\0\0\0\0\0\0", "GET /metrics HTTP/9.9\r\n\r\n",
        "POST /attest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ]

    // The bytes behind a request that is refused are no request of their own.
    @Test("R23.6 a request has one answer") func aRequestHasOneAnswer() throws {
        let server = try Self.server()
        for head in ["Content-Length: 2\r\nContent-Length: 38", "Content-Length: 99999", "Transfer-Encoding: x"] {
            let client = try RawClient(server.url)
            client.write("POST /attest HTTP/1.1\r\nHost: x\r\n\(head)\r\n\r\n{}GET /outage HTTP/1.1\r\nHost: x\r\n\r\n")
            client.finish()
            let answer = client.readAll()
            expect(answer.split(separator: "HTTP/1.1 ").count, equals: 1, "\(answer)")
            #expect(!answer.contains("HTTP/1.1 200 "))
        }
    }

    // Half requests and slow ones are ended, and nobody else waits for them.
    @Test("R23.6 half and slow requests are closed") func halfAndSlowRequestsAreClosed() throws {
        let server = try Self.server { ($0.idleSeconds, $0.requestSeconds) = (1, 1) }
        let clients = try Self.noise.map { text in
            let client = try RawClient(server.url)
            client.write(text)
            return client
        }
        let slow = try RawClient(server.url)
        for byte in "GET /metrics HTTP/1.1\r\nX: a header that takes its time" {
            slow.write(String(byte))
            usleep(20_000)
        }
        try expectAnswer(of: server)
        for client in [slow] + clients {
            #expect(!client.readAll().hasPrefix("HTTP/1.1 200"))
            #expect(client.isEnded)
        }
    }

    @Test("R23.6 an answer may take longer than a request") func slowAnswers() throws {
        var limits = HTTPServer.Limits()
        (limits.idleSeconds, limits.requestSeconds) = (1, 1)
        let server = try HTTPServer(address: "127.0.0.1", port: 0, limits: limits) { _ in
            sleep(4)
            return HTTPAnswer(json: String(repeating: "x", count: 3_000_000))
        }
        let client = try RawClient(server.url)
        client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\(Self.end)")
        #expect(client.readAll().utf8.count > 3_000_000)
    }

    @Test("R23.6 a thousand connections are answered") func aThousandConnectionsAreAnswered() throws {
        let server = try Self.server()
        let clients = try (0..<1000).map { _ in try RawClient(server.url) }
        for client in clients { client.write("GET /outage HTTP/1.1\r\nHost: x\r\n\r\n") }
        var answered = 0
        for client in clients where client.readSome().hasPrefix("HTTP/1.1 200 ") { answered += 1 }
        expect(answered, equals: 1000)
        try expectAnswer(of: server)
    }

    @Test("R23.6 a connection serves many requests") func aConnectionServesManyRequests() throws {
        let server = try Self.server()
        let client = try RawClient(server.url)
        for number in 0..<20 {
            let body = Self.record
            client.write("POST /attest HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            let answer = client.readSome()
            #expect(answer.contains("\"index\":\(number),"), "\(answer)")
        }
    }

    @Test("R23 an address that is taken or none is refused") func anAddressThatIsTakenOrNoneIsRefused() throws {
        let server = try Self.server()
        let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
        #expect(throws: ListeningFailure.self) {
            try HTTPServer(address: "127.0.0.1", port: port) { _ in HTTPAnswer(json: "") }
        }
        #expect(throws: ListeningFailure.noAddress("here")) {
            try HTTPServer(address: "here", port: 0) { _ in HTTPAnswer(json: "") }
        }
        let other = try HTTPServer(address: "::1", port: 0) { _ in HTTPAnswer(json: "") }
        #expect(other.url.hasPrefix("http://[::1]:"))
        #expect(!other.url.hasSuffix(":0"))
        for (address, isPrivate) in [("127.0.0.1", true), ("::1", true), ("0.0.0.0", false), ("::", false)] {
            expect(HTTPServer.isPrivate(address), equals: isPrivate)
        }
    }
}
