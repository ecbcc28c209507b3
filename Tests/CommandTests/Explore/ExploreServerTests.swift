import Dispatch
import Foundation
import Testing

@testable import Documents
@testable import Explore
@testable import HTTP
@testable import TestSupport

/// Requests to a session, its own page's and others.
@Suite struct ExploreServerTests {
    private static let server = ExploreServer(style: "") { question throws(Refusal) in
        HTTPAnswer(json: "\(question.subject) \(try question.changes)")
    }

    private static let ownHeaders = [
        HTTPRequest.Field("Host", "127.0.0.1:8080"), .init("Content-Type", "application/json"),
    ]

    private static func request(
        _ method: String, _ path: String, _ headers: [HTTPRequest.Field] = ownHeaders, body: String = ""
    ) -> HTTPRequest {
        var request = HTTPRequest(method: method, path: path)
        (request.headers, request.body) = (headers, Array(body.utf8))
        return request
    }

    @Test("The page is answered with its own files, and its questions by evaluations") func answersOwn() {
        let path = Self.server.path
        let page = Self.server.answer(Self.request("GET", path))
        expect(page.status, equals: 200)
        expect(page.mediaType, equals: "text/html; charset=utf-8")
        expect(page, equals: Self.server.answer(Self.request("GET", path + "index.html")))
        let body = #"{"changes":["policy -set default,strict,risk"]}"#
        let answer = Self.server.answer(Self.request("POST", path + "answer", body: body))
        expect(answer.status, equals: 200)
        expect(String(decoding: answer.body, as: UTF8.self), equals: #"answer ["policy -set default,strict,risk"]"#)
        expect(Self.server.answer(Self.request("GET", path + "captures")).status, equals: 200)
        let headers =
            Self.ownHeaders + [.init("Origin", "http://127.0.0.1:8080"), .init("Sec-Fetch-Site", "same-origin")]
        expect(Self.server.answer(Self.request("POST", path + "answer", headers, body: "{}")).status, equals: 200)
    }

    @Test("An exploration that ends waits for no evaluation, and begins no other") func ending() {
        let server = ExploreServer(style: "") { _ in
            for _ in 0..<60_000 where !Cancellation.isDue() { usleep(2000) }
            return HTTPAnswer(json: "\(Cancellation.isDue())")
        }
        let request = Self.request("POST", server.path + "answer", body: "{}")
        let status = Lock(0)
        let (began, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        PlainThread.start {
            began.signal()
            let answer = server.answer(request)
            status.withLock { $0 = answer.status }
            done.signal()
        }
        began.wait()
        server.end()
        done.wait()
        #expect(status.withLock { $0 } == 409 && server.answer(request).status == 409)
    }

    @Test("Every answer forbids all but the page's own files, also that of an error") func headers() {
        for path in [Self.server.path, Self.server.path + "nothing", "/", "/nothing"] {
            let answer = Self.server.answer(Self.request("GET", path))
            let values = Dictionary(uniqueKeysWithValues: answer.headers.map { ($0.name, $0.value) })
            expect(values["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self';"), equals: true)
            expect(values["Content-Security-Policy"]?.contains("unsafe"), equals: false)
            expect(values["X-Content-Type-Options"], equals: "nosniff")
            expect(values["Referrer-Policy"], equals: "no-referrer")
        }
    }

    struct Stranger: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: HTTPRequest
        let status: Int
        // True if not even a message is answered.
        var isSilent = true
    }

    private static func with(_ name: String, _ value: String) -> [HTTPRequest.Field] {
        ownHeaders.filter { $0.name != name } + [.init(name, value)]
    }

    private static var wrongSecret: String {
        let first = server.path.dropFirst().first == "0" ? "1" : "0"
        return "/\(first)\(server.path.dropFirst(2))"
    }

    private static var tooLong: HTTPRequest {
        var request = request("POST", server.path + "answer")
        request.isTooLong = true
        return request
    }

    private static var otherHost: HTTPRequest {
        var request = request("POST", server.path + "answer", with("Host", "attacker.example:8080"), body: "{}")
        request.fault = HostNames(address: "127.0.0.1", isPrivate: true, allowing: [])
            .refusal(of: ["attacker.example:8080"])
        return request
    }

    static let strangers: [Stranger] = [
        Stranger(testDescription: "no secret", request: request("GET", "/"), status: 404),
        Stranger(
            testDescription: "no secret of a question", request: request("POST", "/answer", body: "{}"), status: 404),
        Stranger(
            testDescription: "a wrong secret", request: request("POST", wrongSecret + "answer", body: "{}"), status: 404
        ),
        Stranger(
            testDescription: "a part of the secret", request: request("GET", String(server.path.dropLast(3))),
            status: 404),
        Stranger(
            testDescription: "another origin",
            request: request(
                "POST", server.path + "answer", ownHeaders + [.init("Origin", "http://attacker.example")], body: "{}"),
            status: 403),
        Stranger(
            testDescription: "an origin without a name",
            request: request("POST", server.path + "answer", ownHeaders + [.init("Origin", "null")], body: "{}"),
            status: 403),
        Stranger(
            testDescription: "the same machine at another port",
            request: request(
                "POST", server.path + "answer", ownHeaders + [.init("Origin", "http://127.0.0.1:1")], body: "{}"),
            status: 403),
        Stranger(
            testDescription: "a page elsewhere that frames or fetches",
            request: request("GET", server.path, ownHeaders + [.init("Sec-Fetch-Site", "cross-site")]), status: 403),
        Stranger(
            testDescription: "a form",
            request: request(
                "POST", server.path + "answer", with("Content-Type", "application/x-www-form-urlencoded"), body: "a=b"),
            status: 415, isSilent: false),
        Stranger(
            testDescription: "a form of plain text",
            request: request("POST", server.path + "answer", with("Content-Type", "text/plain"), body: "{}"),
            status: 415,
            isSilent: false),
        Stranger(
            testDescription: "a WebSocket",
            request: request("GET", server.path + "answer", ownHeaders + [.init("Upgrade", "websocket")]), status: 426,
            isSilent: false),
        Stranger(testDescription: "a long body", request: tooLong, status: 413, isSilent: false),
        Stranger(testDescription: "a rebound name", request: otherHost, status: 421, isSilent: false),
        Stranger(
            testDescription: "another method", request: request("PUT", server.path + "answer", body: "{}"), status: 405,
            isSilent: false),
        Stranger(
            testDescription: "a question by its address", request: request("GET", server.path + "answer"), status: 405,
            isSilent: false),
    ]

    @Test("A stranger gets no answer", arguments: strangers) func noAnswer(_ stranger: Stranger) {
        let answer = Self.server.answer(stranger.request)
        expect(answer.status, equals: stranger.status)
        #expect(!stranger.isSilent || answer.body.isEmpty)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("changes"))
    }

    static let bodies: [(body: String, field: String)] = [
        ("", "body"), ("[]", "body"), (#"{"changes":"a"}"#, "changes"), (#"{"changes":[1]}"#, "changes"),
        (#"{"other":1}"#, "other"), (#"{"changes":[],"changes":[]}"#, "body"), (#"{"session":1}"#, "session"),
        (#"{"session":"\#(String(repeating: "a", count: 65))"}"#, "session"),
    ]

    @Test("A question that is none names the member that is wrong", arguments: bodies)
    func malformed(row: (body: String, field: String)) {
        let answer = Self.server.answer(Self.request("POST", Self.server.path + "answer", body: row.body))
        expect(answer.status, equals: 400)
        #expect(String(decoding: answer.body, as: UTF8.self).contains(#""field":"\#(row.field)""#))
    }

    @Test("Secrets are 128 bits, and no two are the same") func secrets() {
        let secrets = (0..<100).map { _ in SessionSecret().text }
        expect(Set(secrets).count, equals: 100)
        #expect(secrets.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }
}
