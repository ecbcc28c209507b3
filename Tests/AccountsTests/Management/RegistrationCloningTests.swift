import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

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
