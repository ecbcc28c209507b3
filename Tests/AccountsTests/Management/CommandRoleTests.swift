import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// The table command × role, against the lists of the manual (User Roles) and its descriptions of commands.
@Suite struct CommandRoleTests {
    /// A right that a list of the manual names, with the roles that have it.
    struct Right: LabelledRow {
        /// The name of the right in the manual.
        let name: String
        /// The commands that need it: a topic, then actions.
        let commands: [String]
        let roles: Set<CommandRole>

        init(_ name: String, _ commands: [String], _ roles: CommandRole...) {
            (self.name, self.commands, self.roles) = (name, commands, Set(roles))
        }
    }

    // Admin Role: the rights that a dev lacks. Delegates have those of them that their own list names.
    static let adminRights = [
        Right("removing multiple registrations", ["registration -removeMatching"], .admin),
        Right(
            "modifying the security policy",
            ["policy -set", "policy -addRejectFlag", "policy -removeRejectFlag"], .admin),
        Right("changing the ARC policy (line 1248)", ["policy -setARC"], .admin),
        Right("IP tracking policy change (1473)", ["policy -setIPTracking"], .admin),
        Right("audience policy change (1492)", ["policy -setAudience"], .admin),
        Right("issuer policy change (1509)", ["policy -setIssuer"], .admin),
        Right("removing or modifying API domains", ["api -remove", "api -setAll"], .admin),
        Right("removing or modifying pins", ["pin -add", "pin -remove", "pin -forceApplyPins"], .admin),
        Right(
            "creation, revocation and listing of user roles",
            ["users -add", "users -revoke", "users -list", "users -getManagementToken"], .admin),
        Right("creating long lived tokens", ["token -genLongLived"], .admin),
        Right(
            "extraction and update of the account secret",
            ["secret -get", "secret -getJWK", "secret -getJWKS", "secret -change"], .admin),
        Right("message signing (3116)", ["secret -messageSigningKey"], .admin),
        Right("removing app signing certificates", ["appsigncert -remove"], .admin, .delegate),
        Right("DeviceCheck credentials", ["devicecheck -addAuthKey", "devicecheck -remove"], .admin, .delegate),
        Right("SafetyNet API keys", ["safetynet -set", "safetynet -remove"], .admin, .delegate),
        Right("removing or importing keys", ["keyset -remove", "keyset -import"], .admin),
        Right("exporting the JWKS for the keyset", ["keyset -getJWKS"], .admin),
        Right("clearing all device state (2340)", ["device -clearDeviceState"], .admin),
        Right("sampling percentage (2613)", ["filter -setSamplingPercentage"], .admin),
        Right("monitoring of an API (3425)", ["monitoring -addAPI", "monitoring -removeAPI"], .admin),
    ]

    // Delegate Role.
    static let delegateRights = [
        Right("managing app signing certificates", ["appsigncert -add", "appsigncert -list"], .dev, .admin, .delegate),
        Right("managing devicecheck configuration", ["devicecheck -get"], .dev, .admin, .delegate),
        Right("managing safetynet configuration", ["safetynet -get"], .dev, .admin, .delegate),
    ]

    // Automation Role.
    static let automationRights = [
        Right("creating new app registrations", ["registration -add"], .dev, .admin, .automation),
        Right("the set of APIs and their pins", ["api -getAll", "api -list", "pin -list"], .dev, .admin, .automation),
        Right(
            "commands that read the pinning state",
            ["pin -getLeafPin", "pin -getCertChainPins", "pin -getCertPin"], .dev, .admin, .automation),
        Right("api -check", ["api -check"], .dev, .admin, .automation),
    ]

    static let rights = adminRights + delegateRights + automationRights

    @Test("R24.1 the rights of the manual's lists", arguments: rights) func grantedRights(row: Right) {
        for command in row.commands {
            #expect(Self.actions.first { $0.name == command }?.roles == row.roles, "\(command)")
        }
    }

    private static let actions: [(name: String, roles: Set<CommandRole>)] = ManagementCommand.topics.flatMap { topic in
        topic.actions.map { ("\(topic.name) \($0.name)", $0.roles) }
    }

    @Test("R24.1 delegates and automation have the rights of their lists and no others") func limitedRoles() {
        for role in [CommandRole.delegate, .automation] {
            let listed = Self.rights.filter { $0.roles.contains(role) }.flatMap(\.commands)
            let permitted = Self.actions.filter { $0.roles.contains(role) }.map(\.name)
            #expect(Set(permitted) == Set(listed), "\(role)")
        }
    }

    @Test("R24.1 a dev may all but what is an admin's, and an admin everything") func devsAndAdmins() {
        let admins = Set(Self.adminRights.flatMap(\.commands))
        for action in Self.actions {
            #expect(action.roles.contains(.admin))
            #expect(action.roles.contains(.dev) == !admins.contains(action.name), "\(action.name)")
        }
    }

    /// A command of every action.
    static let commands = [
        "policy -get", "policy -set default,default,default", "policy -addRejectFlag rooted",
        "policy -removeRejectFlag rooted", "policy -setARC on", "policy -getARC", "policy -setIPTracking none",
        "policy -getIPTracking", "policy -setAudience on", "policy -getAudience", "policy -setIssuer on",
        "policy -getIssuer", "policy -setPinningTestURL https://a.com", "policy -getPinningTestURL",
        "policy -removePinningTestURL", "device -add latest", "device -list", "device -remove \(device)",
        "device -removeMatching a", "device -clearDeviceState", "device -getDeviceState \(device)",
        "device -getInfo new-did", "device -getFetches timed", "filter -add a -key ip -matchValue 1", "filter -list",
        "filter -remove a", "filter -setSamplingPercentage 1", "filter -getSamplingPercentage",
        "devicecheck -addAuthKey AuthKey_A.p8", "devicecheck -get", "devicecheck -remove", "safetynet -set k",
        "safetynet -get", "safetynet -remove", "appsigncert -add C0:F3:15:9B:A5:6C:A8:E1", "appsigncert -list",
        "appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1",
        "registration -add a -signature s -appID p -appVersion 1 -libraryID 1", "registration -list",
        "registration -remove a", "registration -removeMatching a,1d", "registration -cloneTo a.yaml",
        "registration -cloneToAccounts a,b", "registration -cloneToAllDelegateAccounts", "api -add a.com", "api -list",
        "api -remove a.com", "api -check", "api -getAll a.json", "api -setAll a.json",
        "pin -api a.com -add key:a", "pin -api a.com -remove key:a", "pin -api a.com -list", "pin -forceApplyPins",
        "pin -api a.com -getLeafPin local", "pin -api a.com -getCertChainPins", "pin -getCertPin a.crt",
        "token -check a", "token -genExample a.com", "token -genLongLived a,1d", "secret -get raw",
        "secret -getJWK a", "secret -getJWKS a", "secret -change", "secret -setKeyID a", "secret -getKeyID",
        "secret -clearKeyID", "secret -messageSigningKey clear", "keyset -add RS256", "keyset -list",
        "keyset -remove -kid a", "keyset -getPEM a -kid a", "keyset -getJWKS a", "keyset -import a",
        "token -showArcInfoCurl", "token -showTokenInfoCurl", "token -reports",
        "users -add a@b.c", "users -list", "users -revoke dev-0001", "users -getManagementToken dev-0001",
        "monitoring -addAPI a.com", "monitoring -removeAPI a.com", "monitoring -resumeAPINotifications",
        "monitoring -add a@b.c", "monitoring -get", "monitoring -remove a@b.c", "monitoring -selectDailySummary",
        "monitoring -selectMonthlySummary", "monitoring -setEmergencyContact a", "monitoring -getHealthCheckURL",
    ]

    private static let device = "h4gubfCFzJu81j/U2BJsdg=="

    @Test("R24.1 a command is refused to the roles that may not give it, and to no others", arguments: commands)
    func refusal(line: String) throws {
        let command = try ManagementCommand(line)
        #expect(line.contains(command.action.name) && line.hasPrefix(Self.name(of: command)))
        for role in CommandRole.allCases {
            var account = Account()
            var context = CommandContext(time: Instant(secondsSinceEpoch: 0), role: role)
            context.latest = { [] }
            var message: String?
            do throws(CommandError) {
                _ = try command.apply(to: &account, in: context)
            } catch {
                message = error.description
            }
            let refused = ["an admin role is required", "a dev role is required"].contains(message ?? "")
            #expect(refused == !command.action.roles.contains(role), "\(role): \(message ?? "")")
        }
    }

    @Test("R24.1 every action of the language is among these commands") func everyActionIsTried() throws {
        let tried = try Self.commands.map { line in
            let command = try ManagementCommand(line)
            return "\(Self.name(of: command)) \(command.action.name)"
        }
        #expect(tried.sorted() == Self.actions.map(\.name).sorted())
    }

    private static func name(of command: ManagementCommand) -> String { type(of: command.topic).name }
}
