import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// Registrations by command (R15; manual, Listing Registrations, Removing Registrations, Removing Multiple
/// Registrations).
@Suite struct RegistrationCommandTests {
    private static let android = "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc="
    private static let swift = "P6nTmI3fhftxUr740ZnUMGKuAyTYjxP5dxKzJGd9yOk="

    private static func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    // The three of the manual's list.
    private static func manual() throws -> [Registration] {
        [
            Registration(
                signature: android, package: "com.criticalblue.demo", version: "2.0(3)", libraryID: "2974",
                sdk: "Android(2.5.0)", added: try instant("2019-05-15T18:03:17Z")),
            Registration(
                signature: swift, package: "approov.io.client.swift.shapes-client", version: "1.0(1)",
                libraryID: "4803", sdk: "iOS(2.5.0)", added: try instant("2019-05-15T18:03:31Z")),
            Registration(
                signature: android, package: "com.criticalblue.demo", version: "2.0(3)", libraryID: "2974",
                sdk: "Android(2.5.0)", added: try instant("2019-05-29T14:49:36Z"),
                expiry: try instant("2019-06-01T14:49:36Z")),
        ]
    }

    // As wide as the longest of the list.
    private static let short =
        "\(android)com.criticalblue.demo-2.0[3]-2974" + String(repeating: " ", count: 16)
    private static let line1 = " \(short)   SDK:Android(2.5.0)  registered:2019-05-15 18:03:17"
    private static let line2 =
        " \(swift)approov.io.client.swift.shapes-client-1.0[1]-4803   SDK:iOS(2.5.0)  registered:2019-05-15 18:03:31"
    private static let line3 =
        " \(short)   SDK:Android(2.5.0)  registered:2019-05-29 14:49:36 expiry:2019-06-01 14:49:36"

    @Test("Listing Registrations: the words of the manual") func manualList() throws {
        let (all, time) = (try Self.manual(), try Self.instant("2019-05-30T00:00:00Z"))
        #expect(
            RegistrationText.list(all, at: time) == ["3 app registrations:", Self.line1, Self.line2, Self.line3])
        #expect(RegistrationText.list([all[1]], at: time) == ["1 app registration:", Self.line2])
        #expect(RegistrationText.list([], at: time) == ["0 app registrations:"])
    }

    @Test(
        "Listing Registrations: one that ended is no longer there",
        arguments: [("2019-06-01T14:49:35Z", true), ("2019-06-01T14:49:36Z", false), ("2030-01-01T00:00:00Z", false)])
    func endedOnes(time: String, isListed: Bool) throws {
        let lines = RegistrationText.list(try Self.manual(), at: try Self.instant(time))
        #expect(lines.contains(Self.line3) == isListed)
        #expect(lines.first == (isListed ? "3 app registrations:" : "2 app registrations:"))
        #expect(lines.count == (isListed ? 4 : 3))
    }

    static let signatures: [Case<String, String>] = [
        Case("app-sig: S=, appid: my.app.com, app-version: 2.0(3), sdk: '2974'", gives: "S=my.app.com-2.0[3]-2974"),
        Case("app-sig: S=, appid: my.app.com, app-version: '2.0[3]', sdk: '2974'", gives: "S=my.app.com-2.0[3]-2974"),
        Case("app-sig: S=, appid: my.app.com, sdk: '5647'", gives: "S=my.app.com-*-5647"),
        Case("app-sig: S=, appid: my.app.com, app-version: '*', sdk: '5647'", gives: "S=my.app.com-*-5647"),
        Case("app-sig: S=, appid: my.app.com, app-version: special, sdk: '1041'", gives: "S=my.app.com-special-1041"),
        Case("app-sig: S=, appid: my.app.com, app-version: special", gives: "S=my.app.com-special"),
        Case("app-sig: S=, appid: my.app.com", gives: "S=my.app.com-*"),
    ]

    @Test("Listing Registrations: the overall signature lists and removes", arguments: signatures)
    func overallSignature(_ row: Case<String, String>) throws {
        let account = "registrations: [{\(row.input)}, {app-sig: other=, appid: b}]"
        let context = try CommandBench.context(at: "2020-01-01T00:00:00Z")
        let (before, listed) = try CommandBench.carryOut(["registration -list"], on: account, in: context)
        #expect(listed.map(\.printed) == [["2 app registrations:", " \(row.expected)", " other=b-*"]])
        #expect(before.registrations?.count == 2)
        let (after, _) = try CommandBench.carryOut(["registration -remove '\(row.expected)'"], on: account, in: context)
        #expect(after.registrations?.map(\.signature) == ["other="])
    }

    @Test("Listing Registrations: the SDK, when it was registered, and when it ends") func sdkAndTimes() throws {
        let (_, effects) = try CommandBench.carryOut(
            ["registration -list"],
            on: """
                registrations:
                  - {app-sig: A=, appid: a, app-version: 1.0(1), sdk: iOS(2.6.0), added: 2019-05-15T20:03:17+02:00}
                  - {app-sig: B=, appid: b, added: 2019-05-15T18:03:17Z, expiry: 2019-06-01T00:00:00Z}
                  - {app-sig: C=, appid: c, sdk: "2974", expiry: 2019-06-01T00:00:00Z, label: special}
                """, in: try CommandBench.context(at: "2019-05-20T00:00:00Z"))
        #expect(
            effects.map(\.printed) == [
                [
                    "3 app registrations:", " A=a-1.0[1]   SDK:iOS(2.6.0)  registered:2019-05-15 18:03:17",
                    " B=b-*        registered:2019-05-15 18:03:17 expiry:2019-06-01 00:00:00",
                    " C=c-*-2974   expiry:2019-06-01 00:00:00",
                ]
            ])
    }

    @Test("Removing Registrations: what has the same overall signature goes together") func duplicates() throws {
        let account = """
            registrations:
              - {app-sig: A=, appid: a, app-version: "1", added: 2019-01-01T00:00:00Z}
              - {app-sig: A=, appid: a, app-version: "1", expiry: 2021-01-01T00:00:00Z}
              - {app-sig: A=, appid: a, app-version: "2"}
              - {app-sig: A=, appid: a}
            """
        let (after, _) = try CommandBench.carryOut(["registration -remove A=a-1"], on: account)
        #expect(after.registrations?.map(\.overallSignature) == ["A=a-2", "A=a-*"])
        let again = try CommandBench.refusal(
            of: ["registration -remove A=a-1", "registration -remove A=a-1"], on: account)
        #expect(again == "there is no registration `A=a-1`; hint: did you mean `A=a-2`?")
    }

    // Now is 2020-03-01T00:00:00Z, 30 days after 2020-01-31T00:00:00Z.
    private static let dated = """
        registrations:
          - {app-sig: A=, appid: com.demo, app-version: "1", added: 2020-01-30T23:59:59Z}
          - {app-sig: B=, appid: com.demo, app-version: "2", added: 2020-01-31T00:00:01Z}
          - {app-sig: C=, appid: com.demo, app-version: "3", added: 2020-02-29T23:59:00Z}
          - {app-sig: D=, appid: com.demo2, app-version: "1", added: 2010-01-01T00:00:00Z}
          - {app-sig: E=, appid: com.dem, app-version: "1", added: 2010-01-01T00:00:00Z}
          - {app-sig: F=, appid: COM.DEMO, app-version: "1", added: 2010-01-01T00:00:00Z}
          - {app-sig: G=, appid: com.demo, app-version: "1", added: 2010-01-01T00:00:00Z}
        """

    static let ages: [Case<String, [String]>] = [
        Case("30 days to the second", "com.demo,30d", gives: ["B=", "C=", "D=", "E=", "F="]),
        Case("a second less", "com.demo,29d23h59m58s", gives: ["C=", "D=", "E=", "F="]),
        Case("a year", "com.demo,1y", gives: ["A=", "B=", "C=", "D=", "E=", "F="]),
        Case("half a minute", "com.demo,30s", gives: ["D=", "E=", "F="]),
        Case("a longer name", "com.demo2,30d", gives: ["A=", "B=", "C=", "E=", "F=", "G="]),
    ]

    @Test("Removing Multiple Registrations: the exact package, registered more than the age ago", arguments: ages)
    func removeMatching(_ row: Case<String, [String]>) throws {
        let (account, _) = try CommandBench.carryOut(
            ["registration -removeMatching \(row.input)"], on: Self.dated,
            in: try CommandBench.context(at: "2020-03-01T00:00:00Z"))
        #expect(account.registrations?.map(\.signature) == row.expected)
    }

    // "The command will only remove apps last registered more than 30 days ago."
    @Test("Removing Multiple Registrations: one that is exactly as old stays") func exactAge() throws {
        let refusal = try CommandBench.refusal(
            of: ["registration -removeMatching a,30d"],
            on: "registrations: [{app-sig: A=, appid: a, added: 2020-01-31T00:00:00Z}]",
            in: try CommandBench.context(at: "2020-03-01T00:00:00Z"))
        #expect(refusal == "no registration of `a` is 30d old")
    }

    @Test("Removing Multiple Registrations: the words of the manual") func removalWords() throws {
        let (_, effects) = try CommandBench.carryOut(
            ["registration -removeMatching com.criticalblue.demo,30d"],
            on: """
                registrations:
                  - {app-sig: \(Self.android), appid: com.criticalblue.demo, app-version: 2.0(3), sdk: "2974",
                     added: 2019-05-05T16:01:46Z}
                  - {app-sig: A4rcdXpfEOg0wse4snbAURnjRZidPvY63EULzUrZeFE=, appid: com.criticalblue.demo,
                     app-version: 3.0(4), sdk: "2974", added: 2019-05-15T18:02:08Z}
                  - {app-sig: x=, appid: com.criticalblue.demo, added: 2019-06-29T00:00:00Z}
                """, in: try CommandBench.context(at: "2019-06-30T00:00:00Z"))
        #expect(
            effects.map { $0.confirmation?.matches } == [
                [
                    "2 matched registrations:",
                    " Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=com.criticalblue.demo-2.0[3]-2974  "
                        + "registered:2019-05-05 16:01:46",
                    " A4rcdXpfEOg0wse4snbAURnjRZidPvY63EULzUrZeFE=com.criticalblue.demo-3.0[4]-2974  "
                        + "registered:2019-05-15 18:02:08",
                ]
            ])
        #expect(
            effects.map(\.reported) == [
                [
                    "removing Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=com.criticalblue.demo-2.0[3]-2974",
                    "removing A4rcdXpfEOg0wse4snbAURnjRZidPvY63EULzUrZeFE=com.criticalblue.demo-3.0[4]-2974",
                ]
            ])
    }

    struct Refusal: LabelledRow {
        let name: String
        var account = "registrations: [{app-sig: Abc=, appid: a, app-version: 1.0(1), added: 2020-01-01T00:00:00Z}]"
        let line, message: String
        var hasTime = true
    }

    static let refusals = [
        Refusal(
            name: "one that is not there", line: "registration -remove 'Abc=a-1.0[2]'",
            message: "there is no registration `Abc=a-1.0[2]`; hint: did you mean `Abc=a-1.0[1]`?"),
        Refusal(
            name: "round brackets", line: "registration -remove 'Abc=a-1.0(1)'",
            message: "there is no registration `Abc=a-1.0(1)`; hint: did you mean `Abc=a-1.0[1]`?"),
        Refusal(
            name: "no list at all", account: "{}", line: "registration -remove Abc=a",
            message: "there is no registration `Abc=a`"),
        Refusal(
            name: "an empty list", account: "registrations: []", line: "registration -remove Abc=a",
            message: "there is no registration `Abc=a`"),
        Refusal(
            name: "nothing that old", line: "registration -removeMatching a,30d",
            message: "no registration of `a` is 30d old"),
        Refusal(
            name: "nothing of that name", line: "registration -removeMatching b,1s",
            message: "no registration of `b` is 1s old"),
        Refusal(
            name: "nobody knows the time", line: "registration -removeMatching a,1s",
            message:
                "`-removeMatching` needs the time; hint: a scenario has a time; `scenario approov` takes it from `--at`, such as `--at now`",
            hasTime: false),
    ]

    @Test("R15 is refused", arguments: refusals) func refuses(_ row: Refusal) throws {
        let context = row.hasTime ? try CommandBench.context(at: "2020-01-15T00:00:00Z") : CommandContext()
        #expect(try CommandBench.refusal(of: [row.line], on: row.account, in: context) == row.message)
    }

    @Test("R15.1 an account whose last registration is removed lists none, and so has no app registered")
    func theLastOne() throws {
        let (account, _) = try CommandBench.carryOut(
            ["registration -remove A=a-*"], on: "registrations: [{app-sig: A=, appid: a}]")
        #expect(account.registrations == [])
    }
}

/// Registrations that one account clones into another (manual, Registration Cloning).
@Suite struct RegistrationCloningTests {
    private static func entry(_ name: String, _ rest: String = "") -> String { "{app-sig: \(name)=, appid: a\(rest)}" }

    private static func clone(
        _ source: String, into target: String, at time: String? = nil
    ) throws -> (account: Account, warnings: [String]) {
        var context = CommandContext(time: time.flatMap { Instant(rfc3339: $0) })
        context.writesFiles = true
        let (_, effects) = try CommandBench.carryOut(["registration -cloneTo b.yaml"], on: source, in: context)
        let cloning = try #require(effects.last?.cloning)
        var account = try AccountText.account(target)
        let warnings = try cloning.apply(to: &account, at: context.time)
        return (account, warnings)
    }

    private static func list(_ account: Account) -> [String] {
        (account.registrations ?? []).map { "\($0.signature)\($0.clonedFrom ?? "-")" }
    }

    private static let source =
        "account: dev\nregistrations: [\(entry("A")), \(entry("B")), "
        + "\(entry("T", ", expires: 2030-01-01T00:00:00Z"))]"

    @Test("R24.4 permanent registrations only are cloned, and named by their account") func permanent() throws {
        #expect(Self.list(try Self.clone(Self.source, into: "account: api").account) == ["A=dev", "B=dev"])
    }

    @Test("R24.4 what was cloned and is gone goes, what others added stays") func removal() throws {
        let target =
            "registrations: [\(Self.entry("X", ", cloned-from: dev")), \(Self.entry("A", ", cloned-from: dev")), "
            + "\(Self.entry("Y")), \(Self.entry("Z", ", cloned-from: other")), \(Self.entry("B", ", added-by: jo"))]"
        let account = try Self.clone(Self.source, into: target).account
        // B is another's: it is neither doubled nor taken over.
        #expect(Self.list(account) == ["A=dev", "Y=-", "Z=other", "B=-"])
        #expect(account.removedRegistrations.map(\.signature) == ["X="])
        let again = try Self.clone("account: dev\nregistrations: []", into: target).account
        #expect(Self.list(again) == ["Y=-", "Z=other", "B=-"])
    }

    @Test("R24.4 what the account adds itself is its own from then on") func taken() throws {
        let (account, _) = try CommandBench.carryOut(
            ["registration -add a -signature A= -appID a -unversioned -libraryID 1"],
            on: "registrations: [{app-sig: A=, appid: a, library-id: 1, cloned-from: dev}]")
        #expect(Self.list(account) == ["A=-"])
    }

    @Test("R24.4 50 at most are cloned, and 250 at most are there") func limits() throws {
        let many = { (count: Int, letter: String) in
            (0..<count).map { Self.entry("\(letter)\($0)") }.joined(separator: ", ")
        }
        var context = CommandContext()
        context.writesFiles = true
        #expect(
            try CommandBench.refusal(
                of: ["registration -cloneTo b.yaml"], on: "registrations: [\(many(51, "A"))]", in: context)
                == "51 permanent registrations; at most 50 can be cloned")
        let (account, warnings) = try Self.clone(
            "account: dev\nregistrations: [\(many(50, "A"))]", into: "account: api\nregistrations: [\(many(210, "B"))]")
        #expect(account.registrations?.count == 250)
        #expect(warnings == ["10 registrations do not fit into account `api`, which has at most 250"])
    }

    // R14.2a: an account without a list of users says nothing of that. R24.2: a role that has expired is refused at once.
    static let delegates: [(users: String?, time: String?, isRefused: Bool)] = [
        (nil, nil, false), ("", nil, true), ("dev-0001", nil, true), ("delegate-0001", nil, false),
        ("delegate-0001", "2020-12-31T23:59:59Z", false), ("delegate-0001", "2021-01-01T00:00:00Z", true),
        ("delegate-0001", "2021-01-01T00:00:30Z", true),
    ]

    @Test("R24.4 the account that is cloned into has given a delegate role", arguments: delegates)
    func closedAccounts(row: (users: String?, time: String?, isRefused: Bool)) throws {
        let users = row.users.map { id in
            "\nuser-roles: [\(id.isEmpty ? "" : "{id: \(id), email: a@b, expires: 2021-01-01T00:00:00Z}")]"
        }
        var message: String?
        do {
            _ = try Self.clone(Self.source, into: "account: api\(users ?? "")", at: row.time)
        } catch let error as CommandError {
            message = error.description
        }
        #expect(message == (row.isRefused ? "a delegate role is required in account `api`" : nil))
    }

    @Test("R24.4 cloned registrations are listed with the account they are from") func listed() throws {
        let (_, effects) = try CommandBench.carryOut(
            ["registration -list"], on: "registrations: [\(Self.entry("A", ", cloned-from: dev"))]")
        #expect(effects.last?.printed == ["1 app registration:", " A=a-*   cloned from:dev"])
    }

    @Test("R24.4 in a scenario no other account is changed") func scenario() throws {
        #expect(
            try CommandBench.refusal(of: ["registration -cloneToAllDelegateAccounts"], on: "{}")
                == "the command changes other accounts, which only `scenario approov` can do")
    }
}
