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

    @Test("A stranger gets no answer", arguments: CaseFile.all(in: "Tables/explore", ending: "strangers.txt"))
    func noAnswer(_ file: CaseFile) throws {
        let path = Self.server.path
        let wrong = "/\(path.dropFirst().first == "0" ? "1" : "0")\(path.dropFirst(2))"
        try file.expectActual { example in
            let given = example.body.filter { !$0.hasPrefix("! ") }
            let line = given[0].replacing("PATH", with: path).replacing("WRONG", with: wrong)
                .replacing("PART", with: path.dropLast(3))
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            let own = given.dropFirst().map { $0.components(separatedBy: ": ") }.map { HTTPRequest.Field($0[0], $0[1]) }
            let headers = Self.ownHeaders.filter { header in !own.contains { $0.name == header.name } } + own
            let answer = Self.server.answer(
                Self.request(words[0], words[1], headers, body: words.count > 2 ? words[2] : ""))
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("changes"))
            return given + ["! \(answer.status)\(answer.body.isEmpty ? " and nothing" : "")"]
        }
    }

    @Test("A long body and a rebound name are refused") func faults() {
        var long = Self.request("POST", Self.server.path + "answer")
        long.isTooLong = true
        expect(Self.server.answer(long).status, equals: 413)
        let name = "attacker.example:8080"
        let headers = [HTTPRequest.Field("Host", name), .init("Content-Type", "application/json")]
        var other = Self.request("POST", Self.server.path + "answer", headers, body: "{}")
        other.fault = HostNames(address: "127.0.0.1", isPrivate: true, allowing: []).refusal(of: [name])
        expect(Self.server.answer(other).status, equals: 421)
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
