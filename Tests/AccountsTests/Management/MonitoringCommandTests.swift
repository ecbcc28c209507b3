import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// The commands `monitoring` (manual, Service Monitoring).
@Suite struct MonitoringCommandTests {
    private static let account = "account: my-account\napis: [{domain: mydomain.com, pins: ['key:A']}, {domain: '*'}]"

    @Test("R25.1 API domains are watched on a port, or no more") func domains() throws {
        let (account, effects) = try CommandBench.carryOut(
            ["monitoring -addAPI MyDomain.com", "monitoring -addAPI mydomain.com -port 8443"], on: Self.account)
        #expect(account.apiDomains.map(\.monitorPort) == [8443, nil])
        #expect(effects.map(\.reported) == Array(repeating: ["API monitoring updated successfully"], count: 2))
        #expect(effects.map(\.warnings.count) == [1, 1])
        let (after, _) = try CommandBench.carryOut(
            ["monitoring -addAPI mydomain.com", "monitoring -removeAPI mydomain.com"], on: Self.account)
        #expect(after.apiDomains.map(\.monitorPort) == [nil, nil])
    }

    // Manual, API Monitoring: not where no pin was added, or one that was found locally.
    @Test(
        "R25.1 adding an API domain with a pin starts monitoring",
        arguments: [
            ("", 443), (" -port 8443", 8443), (" -pinType remote", 443), (" -pinType local", nil),
            (" -pinType none", nil),
        ] as [(String, Int?)]) func added(row: (String, Int?)) throws
    {
        var context = CommandContext()
        context.chains = KnownChains { _ in ["LEAF"] }
        let (account, _) = try CommandBench.carryOut(["api -add a.com\(row.0)"], on: "{}", in: context)
        #expect(account.apiDomains.map(\.monitorPort) == [row.1])
    }

    static let warned: [(account: String, warnings: [String])] = [
        (
            "apis: [{domain: a.com}]",
            [
                "no mail about problems is sent until `monitoring -add` adds a recipient",
                "API domain `a.com` has no pins, so no certificate is ever reported",
            ]
        ),
        (
            "monitoring: {emails: [a@b]}\napis: [{domain: a.com}, {domain: b.com, pins: ['key:A']}]",
            ["API domain `a.com` has no pins, so no certificate is ever reported"]
        ),
        ("monitoring: {emails: [a@b]}\napis: [{domain: a.com, pins: ['key:A']}]", []),
        ("monitoring: {emails: [a@b]}\napis: [{domain: a.com}, {domain: '*', pins: ['key:A']}]", []),
    ]

    @Test("R25.1 watching that can tell nothing is warned about", arguments: warned)
    func warnings(row: (account: String, warnings: [String])) throws {
        let (_, effects) = try CommandBench.carryOut(["monitoring -addAPI a.com"], on: row.account)
        #expect(effects.map(\.warnings) == [row.warnings])
    }

    @Test("R25.1 recipients, frequency and emergency contact are kept and shown") func settings() throws {
        let lines = [
            "monitoring -get", "monitoring -add a@b.c", "monitoring -add d@e.f", "monitoring -remove a@b.c",
            "monitoring -selectDailySummary", "monitoring -setEmergencyContact 'call +1 23'", "monitoring -get",
            "monitoring -selectMonthlySummary", "monitoring -setEmergencyContact ''", "monitoring -getHealthCheckURL",
        ]
        let (account, effects) = try CommandBench.carryOut(lines, on: Self.account)
        #expect(
            effects[0].printed == [
                "monitoring emails will be sent to nobody", "summary frequency: monthly",
                "emergency contact has not been set",
            ])
        #expect(
            effects[6].printed == [
                "monitoring emails will be sent to:", "  d@e.f", "summary frequency: daily",
                "emergency contact: call +1 23",
            ])
        #expect(effects[9].printed == ["https://healthcheck.approovr.io/healthcheck/att-my-account"])
        #expect(account.monitoring.recipients == ["d@e.f"])
        #expect(account.monitoring.frequency == .monthly && account.monitoring.emergencyContact == nil)
    }

    @Test("R25.1 resuming changes no account") func resuming() throws {
        let (account, effects) = try CommandBench.carryOut(["monitoring -resumeAPINotifications"], on: Self.account)
        #expect(account == (try AccountText.account(Self.account)))
        #expect(effects.map(\.resumesNotifications) == [true])
        #expect(effects.map(\.reported) == [["API monitoring notifications resumed"]])
    }

    static let refusals: [(lines: [String], message: String)] = [
        (
            ["monitoring -addAPI mydomain.co"],
            "there is no API domain `mydomain.co`; hint: did you mean `mydomain.com`?"
        ),
        (["monitoring -addAPI '*'"], "there is no API domain `*`"),
        (["monitoring -addAPI mydomain.com -port 0"], "`0` is not a port; ports are 1 to 65535"),
        (["monitoring -removeAPI mydomain.com"], "API domain `mydomain.com` is not monitored"),
        (["monitoring -add a"], "`a` is not an email address"),
        (["monitoring -add 'a@b, c@d'"], "`a@b, c@d` is not an email address"),
        (["monitoring -add a@b", "monitoring -add a@b"], "recipient `a@b` exists already"),
        (["monitoring -remove a@b"], "there is no recipient `a@b`"),
        (
            (1...11).map { "monitoring -add a\($0)@b" },
            "recipient `a11@b` is one too many; an account has at most 10"
        ),
    ]

    @Test("R25.1 what is refused", arguments: refusals) func refused(row: (lines: [String], message: String)) throws {
        #expect(try CommandBench.refusal(of: row.lines, on: Self.account) == row.message)
    }
}
