import Testing

@testable import Accounts
@testable import PolicyEngine
@testable import Scenarios
@testable import Service
@testable import TestSupport

/// Requests that make no sense: the status, and the field that is wrong.
@Suite struct RefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let line: String
        var body: [UInt8] = []
        var headers: [String: String] = [:]
        let status: Int
        let field: String?
        let testDescription: String

        init(
            _ name: String, _ line: String, body: String = "", headers: [String: String] = [:], _ status: Int,
            _ field: String? = nil
        ) {
            (testDescription, self.line, self.body) = (name, line, Array(body.utf8))
            (self.headers, self.status, self.field) = (headers, status, field)
        }

        init(_ name: String, _ line: String, bytes: [UInt8], _ status: Int, _ field: String? = nil) {
            (testDescription, self.line, body) = (name, line, bytes)
            (self.status, self.field) = (status, field)
        }
    }

    private static let attest = "POST /attest"
    private static let device = ServiceBench.device

    // As many members, with nothing else that were wrong at once.
    private static func many(_ count: Int) -> String {
        "{" + (0..<count).map { "\"k\($0)\":true" }.joined(separator: ",") + "}"
    }

    static let rows = [
        Row("an unknown path", "GET /", 404), Row("a path of nobody", "GET /attest/x", 404),
        Row("another method", "GET /attest", 405), Row("an odd method", "BREW /metrics", 405),
        Row("no body", attest, 400, "body"), Row("no JSON", attest, body: "x", 400, "body"),
        Row("no object", attest, body: "[]", 400, "body"), Row("JSON behind JSON", attest, body: "{}{}", 400, "body"),
        Row("a member twice", attest, body: #"{"ip":"1","ip":"2"}"#, 400, "body"),
        Row("deep", attest, body: String(repeating: "[", count: 60_000), 400, "body"),
        Row("no device", attest, body: "{}", 400, "device-id"),
        Row("a device that is none", attest, body: #"{"device-id":"zZ"}"#, 400, "device-id"),
        Row("a device of a number", attest, body: #"{"device-id":1}"#, 400, "device-id"),
        Row("the filtered policy", attest, body: #"{"device-id":"++FilteredSecPolicy++w=="}"#, 400, "device-id"),
        Row("a time", attest, body: #"{"device-id":"\#(device)","time":"2020-07-23T00:00:00Z"}"#, 400, "time"),
        Row("an empty flag", attest, body: #"{"device-id":"\#(device)","flags":"a,,b"}"#, 400, "flags"),
        Row("a nested value", attest, body: #"{"device-id":"\#(device)","ip":{}}"#, 400, "ip"),
        Row("a group of nobody", attest, body: #"{"group":"x"}"#, 400, "group"),
        Row("no domain of the account", "\(attest)?domain=x.io", body: ServiceBench.record(), 400, "domain"),
        Row("a parameter of nobody", "\(attest)?dom=x", body: ServiceBench.record(), 400, "dom"),
        Row("a parameter twice", "\(attest)?domain=a&domain=b", body: ServiceBench.record(), 400, "domain"),
        Row("not UTF-8", attest, bytes: Array(#"{"device-id":""#.utf8) + [0xFF, 0x22, 0x7D], 400, "body"),
        Row("zeros", attest, bytes: [UInt8](repeating: 0, count: 1000), 400, "body"),
        Row("many members", attest, body: "{" + String(repeating: ",", count: 2000) + "}", 400, "body"),
        Row("many members of a member", attest, body: many(1001), 400, "body"),
        Row("many outages", "PUT /outage", body: many(1001), 400, "body"),
        Row("many backends", "PUT /backends", body: many(1001), 400, "body"),
        Row("many words", "POST /approov", body: "[" + many(1001) + "]", 400, "body"),
        Row("no code", "GET /arc-info/", 400, "Arc"), Row("no token", "PUT /token-info/", 400, "Approov-Token"),
        Row(
            "a token that is none", "PUT /token-info/", headers: ["Approov-Token": "a.b.c"], 400, "Approov-Token"),
        Row("a body for a question", "GET /metrics", body: "x", 400, "body"),
        Row("an outage of something", "PUT /outage", body: #"{"secondary":true}"#, 400, "secondary"),
        Row("an outage of a number", "PUT /outage", body: #"{"primary":1}"#, 400, "primary"),
        Row("a clock of the system", "POST /clock", body: #"{"advance":"5m"}"#, 409),
        Row("a page in a browser", attest, body: ServiceBench.record(), headers: ["Origin": "http://x"], 403, "Origin"),
        Row("two keys", "GET /arc-info/", headers: ["Authorization": "Bearer x"], 400, "Authorization"),
    ]

    @Test("R23.6 it is refused", arguments: rows) func itIsRefused(_ row: Row) throws {
        var bench = try ServiceBench()
        let answer = bench.service.answer(bench.request(row.line, row.body, headers: row.headers), at: bench.time)
        #expect(answer.status == row.status, "\(answer.text)")
        #expect(answer.member("error")?.isEmpty == false)
        #expect(answer.member("field") == row.field, "\(answer.text)")
        #expect(bench.service.account.deviceCount == 0)
    }

    @Test("R23.6 a body has at most a thousand members") func aBodyHasAtMostAThousandMembers() throws {
        for path in ["PUT /outage", "PUT /backends", "POST /clock", "POST /attest"] {
            var bench = try ServiceBench(clock: .virtual(Instant(secondsSinceEpoch: 0)))
            #expect(bench.send(path, Self.many(1001)).member("error") == "the body has more than 1000 members")
            #expect(bench.send(path, Self.many(1000)).member("error") != "the body has more than 1000 members")
            // Commas of a text part no members.
            let text = #"{"\",,"# + String(repeating: ",", count: 2000) + #"":true}"#
            #expect(bench.send(path, text).member("error") != "the body has more than 1000 members")
        }
    }

    static let clocks = [
        Row("nothing", "POST /clock", body: "{}", 400, "advance"),
        Row("a number", "POST /clock", body: #"{"advance":5}"#, 400, "advance"),
        Row("no unit", "POST /clock", body: #"{"advance":"5"}"#, 400, "advance"),
        Row("backwards", "POST /clock", body: #"{"advance":"-5m"}"#, 400, "advance"),
        Row("another member", "POST /clock", body: #"{"advance":"5m","by":1}"#, 400, "by"),
    ]

    @Test("R23.6 the clock is not moved", arguments: clocks) func theClockIsNotMoved(_ row: Row) throws {
        let start = Instant(secondsSinceEpoch: 0)
        var bench = try ServiceBench(clock: .virtual(start))
        let answer = bench.service.answer(bench.request(row.line, row.body, headers: [:]), at: bench.time)
        #expect(answer.status == row.status)
        #expect(answer.member("field") == row.field)
        #expect(bench.service.now(bench.time) == start)
    }

    @Test("R23.6 the clock ends with its years") func theClockEndsWithItsYears() throws {
        var bench = try ServiceBench(clock: .virtual(ServiceClock.end + -60))
        #expect(bench.send("POST /clock", #"{"advance":"60s"}"#).status == 200)
        #expect(bench.send("POST /clock", #"{"advance":"1s"}"#).status == 400)
        #expect(bench.send("POST /attest", ServiceBench.record()).status == 200)
    }

    @Test("R23.6 a method that is not allowed says which are") func aMethodThatIsNotAllowedSaysWhichAre() throws {
        var bench = try ServiceBench()
        #expect(bench.send("DELETE /outage").headers == [.init("Allow", "GET, PUT")])
        #expect(bench.send("HEAD /metrics").status == 200)
        #expect(bench.send("GET /arc-info", headers: ["Arc": "XJEUXVAKZY"]).status == 200)
    }
}
