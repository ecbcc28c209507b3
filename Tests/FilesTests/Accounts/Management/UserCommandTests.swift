import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport

/// The commands `users` (manual, Adding New User Roles and the sections behind it).
@Suite struct UserCommandTests {
    private static func context(_ time: String = "2020-01-01T00:00:00Z", seed: String = "a") throws -> CommandContext {
        var context = try CommandBench.context(at: time)
        context.chance = .seeded(seed)
        return context
    }

    private static let me = "{id: admin-5794, email: me@a.com, name: A N Other, expires: 2021-01-01T00:00:00Z}"
    private static let account = "account: myaccount\nuser-roles: [\(me)]"

    @Test("R24.2 an ID is given once, though the same digits are drawn") func numbers() throws {
        let lines = (0..<20).map { "users -add u\($0)@a.com" }
        let (account, _) = try CommandBench.carryOut(lines, on: "{}", in: try Self.context())
        let ids = (account.users ?? []).map(\.id)
        expect(Set(ids).count, equals: 20)
        let (again, _) = try CommandBench.carryOut(lines, on: "{}", in: try Self.context())
        expect((again.users ?? []).map(\.id), equals: ids)
    }

    @Test("R24.2 a role given by a token cannot outlive it") func adder() throws {
        var context = try Self.context()
        context.act(
            as: try UserRole(
                id: "admin-0001", email: "a@b", name: "boss",
                expiry: try #require(Instant(rfc3339: "2020-02-01T00:00:00Z"))))
        let (account, _) = try CommandBench.carryOut(["users -add bob@a.com"], on: Self.account, in: context)
        expect(account.users?.last?.expiry, equals: Instant(rfc3339: "2020-02-01T00:00:00Z"))
        try expect(
            CommandBench.refusal(of: ["users -add bob@a.com -expireAfter 32d"], on: Self.account, in: context),
            equals: "the role would end after the one that it is added with, at 2020-02-01 00:00:00")
    }

    @Test("R24.3 devices and registrations carry the name of a token's user") func names() throws {
        var context = try Self.context()
        context.act(
            as: try UserRole(
                id: "dev-0001", email: "a@b", name: "jo", expiry: try #require(Instant(rfc3339: "2020-02-01T00:00:00Z"))
            ))
        let (account, _) = try CommandBench.carryOut(
            [
                "device -add h4gubfCFzJu81j/U2BJsdg==",
                "registration -add a -signature s -appID p -appVersion 1 -libraryID 1",
            ], on: "{}", in: context)
        expect(account.devices.map(\.user), equals: ["jo"])
        expect(account.registrations?.map(\.addedBy), equals: ["jo"])
    }

    @Test("R24.2 what an account file says of user roles comes back") func file() throws {
        let text = """
            user-roles:
              - id: dev-1234
                email: bob@a.com
                name: A N Other
                added: 2020-01-01T00:00:00Z
                expires: 2021-01-01T00:00:00Z
                password-protected: true
                primary: true
                revoked: 2020-06-01T00:00:00Z

            """
        let user = try #require(try AccountText.account(text).users?.first)
        #expect((user.id, user.email, user.name) == ("dev-1234", "bob@a.com", "A N Other"))
        #expect(user.isPasswordProtected && user.isPrimary)
        expect(user.revoked, equals: Instant(rfc3339: "2020-06-01T00:00:00Z"))
        let names = UserFields.all.values(of: user).map(\.key)
        expect(names, equals: ["id", "email", "name", "added", "expires", "password-protected", "primary", "revoked"])
    }
}
