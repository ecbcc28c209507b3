import Foundation
import Testing

@testable import HTTP
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
        Row("an unknown path", "GET /nothing", 404), Row("a path of nobody", "GET /attest/x", 404),
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
        Row("a flag that nearly is one", attest, body: ServiceBench.record("rotted"), 400, "public-flags"),
        Row("a flag in capital letters", attest, body: ServiceBench.record("ROOTED"), 400, "public-flags"),
        Row(
            "a key that nearly is one", attest, body: #"{"device-id":"\#(device)","flags":"","app_version":"1"}"#, 400,
            "app_version"),
        Row(
            "a list whose key nearly is one", attest, body: #"{"device-id":"\#(device)","public_flags":"rooted"}"#, 400,
            "public_flags"),
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
        expect(answer.status, equals: row.status, "\(answer.text)")
        expect(answer.member("error")?.isEmpty, equals: false)
        expect(answer.member("field"), equals: row.field, "\(answer.text)")
        expect(bench.service.account.deviceCount, equals: 0)
    }

    @Test("R23.6 a body has at most a thousand members") func aBodyHasAtMostAThousandMembers() throws {
        for path in ["PUT /outage", "PUT /backends", "POST /clock", "POST /attest"] {
            var bench = try ServiceBench(clock: .virtual(Instant(secondsSinceEpoch: 0)))
            expect(bench.send(path, Self.many(1001)).member("error"), equals: "the body has more than 1000 members")
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
        expect(answer.status, equals: row.status)
        expect(answer.member("field"), equals: row.field)
        expect(bench.service.now(bench.time), equals: start)
    }

    @Test("R23.6 the clock ends with its years") func theClockEndsWithItsYears() throws {
        var bench = try ServiceBench(clock: .virtual(ServiceClock.end + -60))
        expect(bench.send("POST /clock", #"{"advance":"60s"}"#).status, equals: 200)
        expect(bench.send("POST /clock", #"{"advance":"1s"}"#).status, equals: 400)
        expect(bench.send("POST /attest", ServiceBench.record()).status, equals: 200)
    }

    @Test("R23.6 a method that is not allowed says which are") func aMethodThatIsNotAllowedSaysWhichAre() throws {
        var bench = try ServiceBench()
        expect(bench.send("DELETE /outage").headers, equals: [.init("Allow", "GET, PUT")])
        expect(bench.send("HEAD /metrics").status, equals: 200)
        expect(bench.send("GET /arc-info", headers: ["Arc": "XJEUXVAKZY"]).status, equals: 200)
    }
}

/// `POST /approov` with management tokens (R24).
@Suite struct RoleTokenTests {
    private static let account = """
        account: my-account
        apis: [{domain: my.api.io}]
        user-roles:
          - {id: admin-0001, email: me@a.com, expires: 2021-01-01T00:00:00Z}
          - {id: dev-0001, email: bob@a.com, expires: 2021-01-01T00:00:00Z}
          - {id: automation-0001, email: me@a.com, name: CI Machine, expires: 2021-01-01T00:00:00Z}

        """

    private static func token(of id: String, in bench: ServiceBench) throws -> String {
        let account = bench.service.account.latest
        return ManagementToken.text(of: try account.user(id), account: account)
    }

    private static func send(_ words: [String], with token: String, to bench: inout ServiceBench) throws -> HTTPAnswer {
        let body = String(decoding: try JSONSerialization.data(withJSONObject: words), as: UTF8.self)
        return bench.send(
            "POST /approov?confirm=YES", body, headers: ["Authorization": "Bearer \(token)"], isAuthorized: false)
    }

    private static let device = "h4gubfCFzJu81j/U2BJsdg=="

    /// Commands of roles, and the status of the answer.
    static let commands: [(id: String, words: [String], status: Int)] = [
        ("dev-0001", ["device", "-add", device], 200), ("dev-0001", ["policy", "-setARC", "off"], 403),
        ("dev-0001", ["users", "-list"], 403), ("admin-0001", ["policy", "-setARC", "off"], 200),
        ("admin-0001", ["users", "-list"], 200), ("automation-0001", ["api", "-list"], 200),
        ("automation-0001", ["device", "-list"], 403),
    ]

    @Test("R24.1 a management token gives the rights of its role", arguments: commands)
    func rights(row: (id: String, words: [String], status: Int)) throws {
        var bench = try ServiceBench(Self.account)
        let token = try Self.token(of: row.id, in: bench)
        let answer = try Self.send(row.words, with: token, to: &bench)
        expect(answer.status, equals: row.status, "\(answer.text)")
        #expect(!answer.text.contains(token.suffix(20)))
        if row.words.contains("-add") { expect(bench.service.account.latest.devices.map(\.user), equals: ["bob"]) }
    }

    @Test("R24.2 a revoked role is refused from 30 s after") func revocation() throws {
        var bench = try ServiceBench(Self.account)
        let (dev, admin) = (try Self.token(of: "dev-0001", in: bench), try Self.token(of: "admin-0001", in: bench))
        try expect(Self.send(["users", "-revoke", "dev-0001"], with: admin, to: &bench).status, equals: 200)
        bench.time = bench.time + 29
        try expect(Self.send(["device", "-list"], with: dev, to: &bench).status, equals: 200)
        bench.time = bench.time + 1
        let answer = try Self.send(["device", "-list"], with: dev, to: &bench)
        expect(answer.status, equals: 401)
        #expect(answer.text.contains("Forbidden, while getting management token status"))
    }

    @Test("R24.2 a role that has expired is refused at that second") func expiry() throws {
        var bench = try ServiceBench(Self.account, at: "2020-12-31T23:59:59Z")
        let dev = try Self.token(of: "dev-0001", in: bench)
        try expect(Self.send(["device", "-list"], with: dev, to: &bench).status, equals: 200)
        bench.time = bench.time + 1
        try expect(Self.send(["device", "-list"], with: dev, to: &bench).status, equals: 401)
    }

    @Test(
        "R24.2 what is no token of the account gives no access",
        arguments: ["", "x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
    func noToken(text: String) throws {
        var bench = try ServiceBench(Self.account)
        let answer = try Self.send(["device", "-list"], with: text, to: &bench)
        expect(answer.status, equals: 401)
        #expect(text.utf8.count < 3 || !answer.text.contains(text))
    }

    @Test("R24.2 a role that was added is the same after a restart") func restart() throws {
        let folder = try TemporaryFolder()
        func bench(at time: String) throws -> ServiceBench {
            var bench = try ServiceBench(Self.account, at: time)
            let state = try StateFile(path: folder.path("state"), origin: "a")
            bench.service = try StandIn(bench.service.settings, clock: .system, at: bench.time, state: state)
            return bench
        }
        var added: [UserRole]?
        do {
            var bench = try bench(at: "2020-12-09T15:31:02Z")
            let admin = try Self.token(of: "admin-0001", in: bench)
            try expect(Self.send(["users", "-add", "al@a.com"], with: admin, to: &bench).status, equals: 200)
            added = bench.service.account.latest.users
        }
        #expect(added?.count == 4 && added?.last?.expiry == added?.first?.expiry)
        try expect(bench(at: "2020-12-09T15:32:02Z").service.account.latest.users, equals: added)
    }
}
