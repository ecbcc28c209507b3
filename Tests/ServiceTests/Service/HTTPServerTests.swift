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

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        /// The statuses that may be answered; none where the connection may just be closed.
        let status: String

        init(_ name: String, _ text: String, _ status: Int) {
            (testDescription, bytes, self.status) = (name, Array(text.utf8), "HTTP/1.1 \(status) ")
        }

        init(_ name: String, bytes: [UInt8], _ status: Int) {
            (testDescription, self.bytes, self.status) = (name, bytes, "HTTP/1.1 \(status) ")
        }
    }

    private static func post(_ body: String, _ headers: String = "") -> String {
        "POST /attest HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\(end)\(body)"
    }

    private static func chunked(_ parts: [String]) -> String {
        let chunks = parts.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
        return "POST /attest HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\(end)\(chunks)0\r\n\r\n"
    }

    private static func lengths(_ headers: String...) -> String {
        "POST /attest HTTP/1.1\r\nHost: x\r\n\(headers.joined(separator: "\r\n"))\r\n\(end)abcde"
    }

    // The key of account `a`, which has no key file.
    private static let key = (try? AccountText.account("account: a\n").apiKey.text) ?? ""

    private static func arc(_ header: String) -> String {
        "GET /arc-info/ HTTP/1.1\r\nHost: x\r\nArc: XJEUXVAKZY\r\n\(header)\r\n\(end)"
    }

    static let rows = [
        Row("a record", post(record), 200),
        Row("in chunks", chunked(record.map(String.init)), 200),
        Row(
            "a head of one megabyte",
            "GET /metrics HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "x", count: 1 << 20))\r\n\(end)", 431),
        Row(
            "ten thousand headers",
            "GET /metrics HTTP/1.1\r\nHost: x\r\n" + (0..<10_000).map { "X\($0): y\r\n" }.joined() + end, 431),
        Row("a long path", "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: x\r\n\(end)", 414),
        Row("a body that is too long", post(String(repeating: " ", count: 65_537)), 413),
        Row(
            "a body that says it is too long",
            "POST /attest HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\(end)", 413),
        Row("chunks that are too long", chunked((0..<70).map { _ in String(repeating: " ", count: 1000) }), 413),
        Row("the longest body", post(record + String(repeating: " ", count: 65_536 - record.utf8.count)), 200),
        Row("a length that is none", "POST /attest HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\(end)", 400),
        Row("no host", "GET /metrics HTTP/1.1\r\n\(end)", 400),
        Row("two hosts", "GET /metrics HTTP/1.1\r\nHost: x\r\nHost: y\r\n\(end)", 400),
        Row("another host", "GET /metrics HTTP/1.1\r\nHost: y\r\n\(end)", 421),
        Row("this machine by its name", "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\(end)", 200),
        Row("the port of a tunnel", "GET /metrics HTTP/1.1\r\nHost: localhost:9\r\n\(end)", 200),
        Row("a port that is none", "GET /metrics HTTP/1.1\r\nHost: localhost:x\r\n\(end)", 421),
        // RFC 9112, 3.2.2.
        Row("a whole address", "GET http://x/metrics HTTP/1.1\r\nHost: x\r\n\(end)", 200),
        Row("a whole address counts", "GET http://x:9/metrics HTTP/1.1\r\nHost: y\r\n\(end)", 200),
        Row("an address with a parameter", post("[]").replacing("/attest", with: "http://x/approov?y=1"), 400),
        Row("the address of another host", "GET http://y/metrics HTTP/1.1\r\nHost: x\r\n\(end)", 421),
        Row("the address of another scheme", "GET https://x/metrics HTTP/1.1\r\nHost: x\r\n\(end)", 400),
        Row("no path", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\(end)", 400),
        // Two readers that take different lengths do not read the same request.
        Row("two lengths", lengths("Content-Length: 2", "Content-Length: 5"), 400),
        Row("two lengths, the longer one first", lengths("Content-Length: 5", "Content-Length: 2"), 400),
        Row("the same length twice", lengths("Content-Length: 5", "Content-Length: 5"), 400),
        Row("a length, and chunks", lengths("Content-Length: 5", "Transfer-Encoding: chunked"), 400),
        Row("chunks twice", lengths("Transfer-Encoding: chunked", "Transfer-Encoding: identity"), 400),
        Row("a coding of nobody", lengths("Transfer-Encoding: gzip"), 400),
        Row("a length with a space in its name", lengths("Content-Length : 5"), 400),
        // A zero ends nothing early.
        Row("a zero in a path", "GET /outage%00x HTTP/1.1\r\nHost: x\r\n\(end)", 400),
        Row("a zero in a parameter", post("[]").replacing("/attest", with: "/approov?confirm=YES%00no"), 400),
        Row("a zero behind a path", "GET /outage\0x HTTP/1.1\r\nHost: x\r\n\(end)", 400),
        Row("a zero behind a method", "GET\0 /outage HTTP/1.1\r\nHost: x\r\n\(end)", 400),
        Row("a zero in a key", arc("Authorization: Bearer \(key)\0x"), 400),
        Row("a zero behind a key", arc("Authorization: Bearer \(key)\0"), 400),
        Row("a zero for a space", arc("Authorization:Bearer \(key)\0"), 400),
        Row("a zero in front of a value", arc("Authorization:\0Bearer \(key)"), 400),
        Row("a zero in a name", arc("Author\0ization: Bearer \(key)"), 400),
        Row("a value on two lines", arc("Authorization: Bearer\r\n \(key)"), 400),
        Row("the key", arc("Authorization: Bearer \(key)"), 200),
        Row("the key without a space", arc("Authorization:Bearer \(key)"), 200),
        Row("the key behind spaces", arc("Authorization: \t Bearer \(key)"), 200),
        Row("another method", "DELETE /metrics HTTP/1.1\r\nHost: x\r\n\(end)", 405),
        Row("a method of nobody", "BREW /metrics HTTP/1.1\r\nHost: x\r\n\(end)", 405),
        Row("a path of nobody", "GET /etc/passwd HTTP/1.1\r\nHost: x\r\n\(end)", 404),
        Row("a way out of the path", "GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\(end)", 404),
        Row("a wrong key", "GET /arc-info/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\(end)", 401),
        Row(
            "a header that is not UTF-8",
            bytes: Array("GET /arc-info/ HTTP/1.1\r\nHost: x\r\nArc: ".utf8) + [0xFF, 0xFE] + Array("\r\n\(end)".utf8),
            400),
        Row("a path that is not UTF-8", "GET /%FF HTTP/1.1\r\nHost: x\r\n\(end)", 400),
        Row(
            "a parameter that is not UTF-8",
            "POST /attest?domain=%FF HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\(end)", 400),
    ]

    @Test("R23.6 every request has its status", arguments: rows) func everyRequestHasItsStatus(_ row: Row) throws {
        let server = try Self.server()
        let client = try RawClient(server.url)
        client.write(row.bytes)
        let answer = client.readAll()
        #expect(answer.hasPrefix(row.status), "\(answer.prefix(300))")
        expect(answer.split(separator: "HTTP/1.1 ").count, equals: 1, "\(answer)")
        // It continues to answer.
        try expectAnswer(of: server)
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
