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

    @Test("R24.2 a role is named, and lasts as long as the admin's") func addition() throws {
        let (account, effects) = try CommandBench.carryOut(
            ["users -add bob@a.com"], on: Self.account, in: try Self.context())
        let user = try #require(account.users?.last)
        #expect(user.id.firstMatch(of: /^dev-[0-9]{4}$/) != nil)
        #expect((user.email, user.name, user.kind) == ("bob@a.com", "bob", .dev))
        #expect(user.expiry == (try #require(Instant(rfc3339: "2021-01-01T00:00:00Z"))))
        #expect(user.isPasswordProtected && user.added == Instant(rfc3339: "2020-01-01T00:00:00Z"))
        #expect(
            effects.last?.confirmation?.question
                == "WARNING: you are adding dev role access to account myaccount for bob@a.com (bob)\n"
                + "If you wish to continue then please enter YES and return: ")
    }

    struct Addition: LabelledRow {
        let options: String
        let expiry: String
        var kind = UserRole.Kind.dev
        var isProtected = true
        var asks = true
    }

    // 2020 is a leap year, and a year here has 365 days.
    static let additions = [
        Addition(options: "-expireAfter 7d", expiry: "2020-01-08T00:00:00Z"),
        Addition(options: "-expireAfter 5h", expiry: "2020-01-01T05:00:00Z"),
        Addition(options: "-expireAfter 1y", expiry: "2020-12-31T00:00:00Z"),
        Addition(options: "-noPassword", expiry: "2021-01-01T00:00:00Z", isProtected: false),
        Addition(options: "-admin -expireAfter 7d", expiry: "2020-01-08T00:00:00Z", kind: .admin),
        Addition(options: "-delegate", expiry: "2021-01-01T00:00:00Z", kind: .delegate, asks: false),
    ]

    @Test("R24.2 options of a role", arguments: additions) func options(row: Addition) throws {
        let (account, effects) = try CommandBench.carryOut(
            ["users -add bob@a.com \(row.options)"], on: Self.account, in: try Self.context())
        let user = try #require(account.users?.last)
        #expect((user.kind, user.expiry) == (row.kind, try #require(Instant(rfc3339: row.expiry))))
        #expect(user.isPasswordProtected == row.isProtected)
        #expect((effects.last?.confirmation != nil) == row.asks)
        #expect(effects.last?.reported == ["onboarding email has been sent to bob@a.com"])
        #expect(effects.last?.mail.map(\.recipients) == [["bob@a.com"]])
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let lines: [String]
        let message: String
        var account = UserCommandTests.account
        var testDescription: String { lines.last ?? "" }
    }

    static let refusals = [
        Refusal(lines: ["users -add bob"], message: "`bob` is not an email address"),
        Refusal(lines: ["users -add 'b c@d'"], message: "`b c@d` is not an email address"),
        Refusal(lines: ["users -add a@b@c"], message: "`a@b@c` is not an email address"),
        Refusal(lines: ["users -add a@b -admin -delegate"], message: "`-delegate` cannot be combined with `-admin`"),
        Refusal(
            lines: ["users -add a@b -userName 'a\nb'"], message: "the name of a user has 1 to 64 characters on one line"
        ),
        Refusal(
            lines: ["users -add a@b -expireAfter 0d"], message: "a user role that expires after `0d` has ended already"),
        Refusal(
            lines: ["users -add a@b -expireAfter 367d"],
            message: "the role would end after the one that it is added with, at 2021-01-01 00:00:00"),
        Refusal(lines: ["users -revoke dev-0000"], message: "there is no user role `dev-0000`"),
        Refusal(
            lines: ["users -revoke eyJhbGciOiJIUzI1NiJ9.e30.x"],
            message: "that is not the ID of a user role, such as `dev-1234`; hint: `users -list` lists them"),
        Refusal(
            lines: ["users -revoke admin-5794", "users -revoke admin-5794"],
            message: "user role `admin-5794` is revoked or expired"),
        Refusal(
            lines: ["users -revoke admin-5794"],
            message: "user role `admin-5794` came with the account, and no command revokes it",
            account: "user-roles: [{id: admin-5794, email: a@b, expires: 2021-01-01T00:00:00Z, primary: true}]"),
        Refusal(
            lines: ["users -add a@b -automation"],
            message: "the command writes a file, which only `scenario approov` can do"),
    ]

    @Test("R24.2 what is refused", arguments: refusals) func refused(row: Refusal) throws {
        #expect(try CommandBench.refusal(of: row.lines, on: row.account, in: try Self.context()) == row.message)
    }

    @Test("R24.2 25 roles are live, and revoked or expired ones do not count") func limit() throws {
        let live = (1...24).map { "{id: dev-\(1000 + $0), email: a@b, expires: 2021-01-01T00:00:00Z}" }
        let ended = [
            "{id: dev-0001, email: a@b, expires: 2019-01-01T00:00:00Z}",
            "{id: dev-0002, email: a@b, expires: 2021-01-01T00:00:00Z, revoked: 2019-01-01T00:00:00Z}",
        ]
        let text = "user-roles: [\((ended + live).joined(separator: ", "))]"
        let lines = ["users -add a@b -expireAfter 1d", "users -add c@d -expireAfter 1d"]
        #expect(try CommandBench.refusal(of: Array(lines.prefix(1)), on: text, in: try Self.context()) == nil)
        #expect(
            try CommandBench.refusal(of: lines, on: text, in: try Self.context())
                == "there are 25 live user roles, and an account has at most 25")
        #expect(try CommandBench.refusal(of: lines, on: text, in: try Self.context("2021-01-01T00:00:00Z")) == nil)
    }

    @Test("R24.2 an ID is given once, though the same digits are drawn") func numbers() throws {
        let lines = (0..<20).map { "users -add u\($0)@a.com" }
        let (account, _) = try CommandBench.carryOut(lines, on: "{}", in: try Self.context())
        let ids = (account.users ?? []).map(\.id)
        #expect(Set(ids).count == 20)
        let (again, _) = try CommandBench.carryOut(lines, on: "{}", in: try Self.context())
        #expect((again.users ?? []).map(\.id) == ids)
    }

    @Test("R24.2 a role given by a token cannot outlive it") func adder() throws {
        var context = try Self.context()
        context.act(
            as: try UserRole(
                id: "admin-0001", email: "a@b", name: "boss",
                expiry: try #require(Instant(rfc3339: "2020-02-01T00:00:00Z"))))
        let (account, _) = try CommandBench.carryOut(["users -add bob@a.com"], on: Self.account, in: context)
        #expect(account.users?.last?.expiry == Instant(rfc3339: "2020-02-01T00:00:00Z"))
        #expect(
            try CommandBench.refusal(of: ["users -add bob@a.com -expireAfter 32d"], on: Self.account, in: context)
                == "the role would end after the one that it is added with, at 2020-02-01 00:00:00")
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
        #expect(account.devices.map(\.user) == ["jo"])
        #expect(account.registrations?.map(\.addedBy) == ["jo"])
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
        #expect(user.revoked == Instant(rfc3339: "2020-06-01T00:00:00Z"))
        let names = UserFields.fields(of: user).map(\.key)
        #expect(names == ["id", "email", "name", "added", "expires", "password-protected", "primary", "revoked"])
        for (wrong, message) in [
            ("dev-99", "that is not the ID of a user role"), ("boss-1234", "that is not the ID of a user role"),
            ("dev-12a4", "that is not the ID of a user role"),
        ] {
            let (_, diagnostics) = AccountText.read(text.replacing("dev-1234", with: wrong))
            #expect(diagnostics.all.contains { $0.message.hasPrefix(message) && !$0.message.contains(wrong) })
        }
    }
}

/// The user who added a device entry, and the URL that devices probe for pins (R6.1; manual, Listing Your Devices, Removing
/// Multiple Devices, Certificate Pins From a Device).
@Suite struct DeviceUserTests {
    private static let (bob, amy) = ("h4gubfCFzJu81j/U2BJsdg==", "VI2c+UugQ6L7v0wkovXOSg==")

    static let users: [(CommandRole, String?, String)] = [
        (.admin, nil, "admin"), (.dev, nil, "dev"), (.dev, "A N Other", "A N Other"), (.admin, "Me", "Me"),
    ]

    @Test("R6.1 an entry keeps the user who added it", arguments: users)
    func user(role: CommandRole, name: String?, listed: String) throws {
        var context = CommandContext(role: role)
        context.user = name
        let (account, effects) = try CommandBench.carryOut(
            ["device -add \(Self.bob) -policy default,whitelist,all -pinMode unpin", "device -list"], on: "{}",
            in: context)
        #expect(effects.last?.printed == ["1 device:", " \(Self.bob) default,whitelist,all  unpin  \(listed)"])
        #expect(account.devices.map(\.user) == [listed])
        let (left, removals) = try CommandBench.carryOut(
            ["device -add \(Self.bob)", "device -removeMatching '\(listed)'"],
            on: "devices: [{id: \(Self.amy), user: somebody}]", in: context)
        #expect(left.devices.map(\.id.description) == [Self.amy])
        #expect(removals.last?.reported == ["removed \(Self.bob)"])
    }

    @Test("R6.1 whoever changes an entry does not take it over") func keepsItsUser() throws {
        let (account, _) = try CommandBench.carryOut(
            ["device -add \(Self.bob) -label x", "device -add \(Self.amy) -label y"],
            on: "devices: [{id: \(Self.bob), user: Me}, {id: \(Self.amy)}]")
        #expect(account.devices.map(\.user) == ["Me", nil])
        #expect(account.devices.map(\.label) == ["x", "y"])
    }

    static let soundURLs = [
        "https://shapes.approov.io:443", "https://a", "HTTPS://a.b", "https://a.b:65535/", "https://a.b/c?d#e",
    ]
    static let unsoundURLs = [
        "http://a.b", "a.b", "ftp://a.b", "https://", "https:a.b", "https://a.b:", "https://a.b:0", "https://a.b:65536",
        "https://a.b:x", "https://me@a.b", "https://a b", "https://ä.b", "httpss://a.b", "https://:443",
    ]

    @Test("R6.1 a probe URL has https", arguments: soundURLs) func soundURL(url: String) throws {
        let (account, _) = try CommandBench.carryOut(["device -add \(Self.bob) -probeURL \(url)"], on: "{}")
        #expect(account.devices.map(\.probeURL) == [url])
        #expect(
            try AccountText.account("devices: [{id: \(Self.bob), probe-url: '\(url)'}]").devices == [
                DeviceEntry(id: account.devices[0].id, probeURL: url)
            ])
    }

    @Test("R6.1 another probe URL is refused, in files and commands alike", arguments: unsoundURLs)
    func unsoundURL(url: String) throws {
        let message = "`\(url)` is not a probe URL; it has `https`, such as `https://shapes.approov.io:443`"
        let error = #expect(throws: CommandError.self) {
            try ManagementCommand("device -add \(Self.bob) -probeURL '\(url)'")
        }
        #expect(error?.description == message)
        let marked = MarkedText("devices: [{id: \(Self.bob), probe-url: ①'\(url)'}]\n")
        let (account, diagnostics) = AccountText.read(marked.text)
        #expect(account == nil)
        #expect(MarkedText.found(diagnostics) == marked.expected(["① \(message)"]))
    }
}
