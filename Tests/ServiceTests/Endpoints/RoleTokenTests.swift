import Foundation
import Testing

@testable import Accounts
@testable import PolicyEngine
@testable import Scenarios
@testable import Service
@testable import TestSupport

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
        #expect(answer.status == row.status, "\(answer.text)")
        #expect(!answer.text.contains(token.suffix(20)))
        if row.words.contains("-add") { #expect(bench.service.account.latest.devices.map(\.user) == ["bob"]) }
    }

    @Test("R24.2 a revoked role is refused from 30 s after") func revocation() throws {
        var bench = try ServiceBench(Self.account)
        let (dev, admin) = (try Self.token(of: "dev-0001", in: bench), try Self.token(of: "admin-0001", in: bench))
        #expect(try Self.send(["users", "-revoke", "dev-0001"], with: admin, to: &bench).status == 200)
        bench.time = bench.time + 29
        #expect(try Self.send(["device", "-list"], with: dev, to: &bench).status == 200)
        bench.time = bench.time + 1
        let answer = try Self.send(["device", "-list"], with: dev, to: &bench)
        #expect(answer.status == 401)
        #expect(answer.text.contains("Forbidden, while getting management token status"))
    }

    @Test("R24.2 a role that has expired is refused at that second") func expiry() throws {
        var bench = try ServiceBench(Self.account, at: "2020-12-31T23:59:59Z")
        let dev = try Self.token(of: "dev-0001", in: bench)
        #expect(try Self.send(["device", "-list"], with: dev, to: &bench).status == 200)
        bench.time = bench.time + 1
        #expect(try Self.send(["device", "-list"], with: dev, to: &bench).status == 401)
    }

    @Test(
        "R24.2 what is no token of the account gives no access",
        arguments: ["", "x", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])
    func noToken(text: String) throws {
        var bench = try ServiceBench(Self.account)
        let answer = try Self.send(["device", "-list"], with: text, to: &bench)
        #expect(answer.status == 401)
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
            #expect(try Self.send(["users", "-add", "al@a.com"], with: admin, to: &bench).status == 200)
            added = bench.service.account.latest.users
        }
        #expect(added?.count == 4 && added?.last?.expiry == added?.first?.expiry)
        #expect(try bench(at: "2020-12-09T15:32:02Z").service.account.latest.users == added)
    }
}
