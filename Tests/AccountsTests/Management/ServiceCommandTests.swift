import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// The effects on an account of commands about other services, and their refusals (R8.1, R9.1, R16; manual, Apple DeviceCheck
/// Integration, Google SafetyNet Integration, Managing API Domains).
@Suite struct ServiceCommandTests {
    struct DeviceCheckRow: LabelledRow {
        let name, account: String
        let lines: [String]
        let settings: DeviceCheckSettings
    }

    private static let (add, team) = ("devicecheck -addAuthKey AuthKey_XXXXXXXXXX.p8", "-teamID YYYYYYYYY")

    static let deviceCheck = [
        // R8.1, R16: bits none and 12 months.
        DeviceCheckRow(
            name: "a key and a team", account: "{}", lines: ["\(add) \(team)"],
            settings: DeviceCheckSettings(teamID: "YYYYYYYYY", keyID: "XXXXXXXXXX", bits: .none, expiry: 12)),
        DeviceCheckRow(
            name: "everything", account: "{}", lines: ["\(add) \(team) -bits bit1 -expiry 24"],
            settings: DeviceCheckSettings(teamID: "YYYYYYYYY", keyID: "XXXXXXXXXX", bits: .bit1, expiry: 24)),
        DeviceCheckRow(
            name: "the team of the account", account: "team: TTT", lines: ["\(add) -bits both"],
            settings: DeviceCheckSettings(teamID: "TTT", keyID: "XXXXXXXXXX", bits: .both, expiry: 12)),
        DeviceCheckRow(
            name: "another team than the account's", account: "team: TTT", lines: ["\(add) \(team)"],
            settings: DeviceCheckSettings(teamID: "YYYYYYYYY", keyID: "XXXXXXXXXX", bits: .none, expiry: 12)),
        DeviceCheckRow(
            name: "another key", account: "devicecheck: {team-id: T, key-id: K, bits: bit0}",
            lines: ["devicecheck -addAuthKey /home/me/AuthKey_NEW.p8 -bits bit1"],
            settings: DeviceCheckSettings(teamID: "T", keyID: "NEW", bits: .bit1, expiry: 12)),
        DeviceCheckRow(
            name: "a key that is removed leaves the team", account: "devicecheck: {team-id: T, key-id: K, bits: bit0}",
            lines: ["devicecheck -remove"], settings: DeviceCheckSettings(teamID: "T", bits: .bit0)),
        DeviceCheckRow(
            name: "a key that is set again", account: "devicecheck: {team-id: T, key-id: K, bits: bit0}",
            lines: ["devicecheck -remove", "devicecheck -addAuthKey AuthKey_K.p8 -bits bit0"],
            settings: DeviceCheckSettings(teamID: "T", keyID: "K", bits: .bit0)),
    ]

    @Test("R8.1 DeviceCheck", arguments: deviceCheck) func setsDeviceCheck(_ row: DeviceCheckRow) throws {
        let (account, effects) = try CommandBench.carryOut(row.lines, on: row.account)
        #expect(account.deviceCheck == row.settings)
        #expect(effects.allSatisfy { $0.warnings.isEmpty && $0.printed.isEmpty && $0.query == nil })
    }

    struct SafetyNetRow: LabelledRow {
        let name, account: String
        let lines: [String]
        let settings: SafetyNetSettings
    }

    static let safetyNet = [
        SafetyNetRow(
            name: "a key", account: "{}", lines: ["safetynet -set KEY"],
            settings: SafetyNetSettings(apiKey: "KEY", dailyQuota: 10_000)),
        SafetyNetRow(
            name: "another key", account: "safetynet: {api-key: OLD}", lines: ["safetynet -set KEY"],
            settings: SafetyNetSettings(apiKey: "KEY", dailyQuota: 10_000)),
        SafetyNetRow(
            name: "another key starts with the default quota", account: "safetynet: {api-key: OLD, daily-quota: 7}",
            lines: ["safetynet -set KEY"], settings: SafetyNetSettings(apiKey: "KEY", dailyQuota: 10_000)),
        SafetyNetRow(
            name: "the same key keeps its quota", account: "safetynet: {api-key: KEY, daily-quota: 7}",
            lines: ["safetynet -set KEY"], settings: SafetyNetSettings(apiKey: "KEY", dailyQuota: 7)),
        SafetyNetRow(
            name: "a first key has the default quota", account: "safetynet: {daily-quota: 7}",
            lines: ["safetynet -set KEY"], settings: SafetyNetSettings(apiKey: "KEY", dailyQuota: 10_000)),
        SafetyNetRow(
            name: "a key that is removed", account: "safetynet: {api-key: OLD}", lines: ["safetynet -remove"],
            settings: SafetyNetSettings(apiKey: nil, dailyQuota: 10_000)),
        SafetyNetRow(
            name: "a key that is removed and set", account: "safetynet: {api-key: OLD, daily-quota: 7}",
            lines: ["safetynet -remove", "safetynet -set KEY"],
            settings: SafetyNetSettings(apiKey: "KEY", dailyQuota: 10_000)),
    ]

    @Test("R9.1, R9.3 SafetyNet", arguments: safetyNet) func setsSafetyNet(_ row: SafetyNetRow) throws {
        let (account, effects) = try CommandBench.carryOut(row.lines, on: row.account)
        #expect(account.safetyNet == row.settings)
        #expect(effects.allSatisfy { $0.warnings.isEmpty && $0.printed.isEmpty && $0.query == nil })
    }

    struct DomainRow: LabelledRow {
        let name, account: String
        let lines: [String]
        /// Such as `a.com account`.
        let domains: [String]
        var warnings: [String] = []
    }

    static let domains = [
        DomainRow(
            name: "behind those that are there", account: "apis: [{domain: a.com, type: keyset}]",
            lines: ["api -add b.com", "api -add C.com -pinOnly"],
            domains: ["a.com keyset", "b.com account", "C.com pinOnly"]),
        DomainRow(
            name: "of each type", account: "apis: [{domain: a.com}]",
            lines: [
                "api -add b.com -jwe", "keyset -kid mykey -add ES256", "api -add c.com -keySetKID mykey",
                "api -add shapes.approov.io",
                "api -add d.com -pinType remote -port 8443",
            ],
            domains: [
                "a.com account", "b.com account", "c.com keyset", "shapes.approov.io restricted", "d.com account",
            ]),
        DomainRow(
            name: "the demonstration domain, by every way (M, Adding Demonstration Shapes API)",
            account: "apis: [{domain: a.com}, {domain: Shapes.approov.io}]",
            lines: [
                "api -remove shapes.approov.io", "api -add SHAPES.approov.io -pinOnly",
                "api -remove shapes.approov.io", "api -add shapes.approov.io -jwe",
                "api -remove shapes.approov.io", "api -add shapes.approov.io -keySetKID nokey",
            ],
            domains: ["a.com account", "shapes.approov.io restricted"],
            warnings: [
                "`-pinOnly` has no effect: the keys and pins of `SHAPES.approov.io` are managed for the account",
                "`-jwe` has no effect: the keys and pins of `shapes.approov.io` are managed for the account",
                "`-keySetKID` has no effect: the keys and pins of `shapes.approov.io` are managed for the account",
            ]),
        DomainRow(
            name: "the first one", account: "{}", lines: ["api -add a.com"], domains: ["a.com account"],
            warnings: ["from now on only `a.com` is served; before, every domain was"]),
        DomainRow(
            name: "removed", account: "apis: [{domain: a.com}, {domain: b.com}, {domain: c.com}]",
            lines: ["api -remove b.com"], domains: ["a.com account", "c.com account"]),
        DomainRow(
            name: "removed in other letters", account: "apis: [{domain: a.com}, {domain: My-Domain.com}]",
            lines: ["api -remove my-domain.COM"], domains: ["a.com account"]),
        DomainRow(
            name: "the last one removed", account: "apis: [{domain: a.com}]", lines: ["api -remove a.com"], domains: [],
            warnings: ["the account lists no API domain any more, so none is served"]),
        DomainRow(
            name: "removed and added with another type", account: "apis: [{domain: a.com}, {domain: b.com}]",
            lines: ["api -remove a.com", "api -add a.com -pinOnly"], domains: ["b.com account", "a.com pinOnly"]),
    ]

    @Test("R14.1 API domains", arguments: domains) func setsDomains(_ row: DomainRow) throws {
        let (account, effects) = try CommandBench.carryOut(row.lines, on: row.account)
        #expect(account.apiDomains.map { "\($0.name) \($0.type.rawValue)" } == row.domains)
        // That nothing is known of chains is tried in `DomainPinTests`.
        let warnings: [String] = effects.flatMap(\.warnings).filter { !$0.contains("certificates of") }
        #expect(warnings == row.warnings)
    }

    private static let notADomain = "is not a domain; it has letters, digits, `-` and `.` only"
    private static let domain25 = (1...25).map { "{domain: d\($0).com}" }.joined(separator: ", ")

    static let refusals = [
        RefusedCommand(
            "a key without a team", "devicecheck -addAuthKey AuthKey_X.p8",
            says: "`-addAuthKey` needs `-teamID`; hint: the developer account shows the team ID"),
        RefusedCommand("no DeviceCheck key to remove", "devicecheck -remove", says: "there is no DeviceCheck key"),
        RefusedCommand("only a team", "devicecheck -remove", on: "team: T", says: "there is no DeviceCheck key"),
        RefusedCommand(
            "a DeviceCheck key removed twice", "devicecheck -remove", "devicecheck -remove",
            on: "devicecheck: {key-id: K}", says: "there is no DeviceCheck key"),
        RefusedCommand("no SafetyNet key to remove", "safetynet -remove", says: "there is no SafetyNet API key"),
        RefusedCommand(
            "a SafetyNet key removed twice", "safetynet -remove", "safetynet -remove", on: "safetynet: {api-key: k}",
            says: "there is no SafetyNet API key"),
        RefusedCommand(
            "a domain that is there", "api -add a.com", on: "apis: [{domain: a.com}]",
            says: "API domain `a.com` exists already"),
        RefusedCommand(
            "a domain that is there in other letters", "api -add A.COM -pinOnly", on: "apis: [{domain: a.com}]",
            says: "API domain `A.COM` exists already"),
        RefusedCommand("an address", "api -add https://a.com/v1", says: "`https://a.com/v1` \(notADomain)"),
        RefusedCommand(
            "pins of the demonstration domain", "pin -api shapes.approov.io -add key:A",
            on: "apis: [{domain: shapes.approov.io}]",
            says: "the pins of `shapes.approov.io` cannot be changed; they are managed for the account"),
        RefusedCommand("a path", "api -add a.com/v1", says: "`a.com/v1` \(notADomain)"),
        RefusedCommand("an underscore", "api -add my_domain.com", says: "`my_domain.com` \(notADomain)"),
        RefusedCommand("a port", "api -add a.com:443", says: "`a.com:443` \(notADomain)"),
        RefusedCommand("other letters", "api -add dömain.com", says: "`dömain.com` \(notADomain)"),
        RefusedCommand("nothing", "api -add ''", says: "`` \(notADomain)"),
        RefusedCommand(
            "the 26th domain", "api -add one-more.com", on: "apis: [\(domain25)]",
            says: "API domain `one-more.com` is one too many; an account has at most 25"),
        RefusedCommand(
            "a domain that is not there", "api -remove mydomian.com", on: "apis: [{domain: mydomain.com}]",
            says: "there is no API domain `mydomian.com`; hint: did you mean `mydomain.com`?"),
        RefusedCommand("no domain at all", "api -remove a.com", says: "there is no API domain `a.com`"),
    ]

    @Test("R16 is refused", arguments: refusals) func refuses(_ row: RefusedCommand) throws {
        try row.expectRefusal()
    }

    @Test("R16 a refused command changes nothing", arguments: refusals)
    func changesNothing(_ row: RefusedCommand) throws {
        var (account, _) = try CommandBench.carryOut(Array(row.lines.dropLast()), on: row.account)
        let before = account
        let command = try ManagementCommand(row.lines.last ?? "")
        #expect(throws: CommandError.self) { try command.apply(to: &account, in: CommandContext()) }
        #expect(account.deviceCheck == before.deviceCheck)
        #expect(account.safetyNet == before.safetyNet)
        #expect(account.apiDomains == before.apiDomains)
    }

    @Test("R16 the 25th domain is not refused, nor one instead of another") func theLimitCanBeReached() throws {
        let few = (1...24).map { "{domain: d\($0).com}" }.joined(separator: ", ")
        let (account, _) = try CommandBench.carryOut(
            ["api -add d25.com", "api -remove d1.com", "api -add d26.com"], on: "apis: [\(few)]")
        #expect(account.apiDomains.count == 25)
    }
}
