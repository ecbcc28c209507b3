import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// Registrations that one account clones into another (manual, Registration Cloning).
@Suite struct RegistrationCloningTests {
    private static func entries(_ count: Int, _ letter: String) -> String {
        (0..<count).map { "{app-sig: \(letter)\($0)=, appid: a}" }.joined(separator: ", ")
    }

    @Test(
        "R24.4 250 registrations at most are there",
        arguments: [
            (200, nil), (201, "1 registration does not fit into account `api`, which has at most 250"),
            (210, "10 registrations do not fit into account `api`, which has at most 250"),
        ] as [(Int, String?)])
    func limit(existing: Int, warning: String?) throws {
        var context = CommandContext()
        context.writesFiles = true
        let source = "account: dev\nregistrations: [\(Self.entries(50, "A"))]"
        let (_, effects) = try CommandBench.carryOut(["registration -cloneTo b.yaml"], on: source, in: context)
        var account = try AccountText.account("account: api\nregistrations: [\(Self.entries(existing, "B"))]")
        let warnings = try #require(effects.last?.cloning).apply(to: &account, at: nil)
        expect(account.registrations?.count, equals: 250)
        expect(warnings, equals: warning.map { [$0] } ?? [])
    }

    @Test("R24.4 a cloned registration that goes is remembered for what runs already") func removal() throws {
        var context = CommandContext()
        context.writesFiles = true
        let (_, effects) = try CommandBench.carryOut(
            ["registration -cloneTo b.yaml"], on: "account: dev\nregistrations: []", in: context)
        var account = try AccountText.account("registrations: [{app-sig: X=, appid: a, cloned-from: dev}]")
        _ = try #require(effects.last?.cloning).apply(to: &account, at: nil)
        #expect(account.registrations == [] && account.removedRegistrations.map(\.signature) == ["X="])
    }
}
