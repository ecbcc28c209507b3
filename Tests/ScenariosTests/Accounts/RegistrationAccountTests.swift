import PolicyEngine
import Testing

@testable import Documents
@testable import TestSupport

/// Accounts that list registrations, and which apps those stand for (R15; manual, Unversioned Registrations, Temporary
/// Registrations).
@Suite struct RegistrationAccountTests {
    struct Row: LabelledRow {
        let name: String
        /// The entries of the list.
        let registrations: [String]
        /// The attributes of the device.
        let app: String
        let isRegistered: Bool
    }

    private static let app = "app-sig: S=, appid: my.app, app-version: 2.0(3)"

    private static func registered(_ name: String, _ registrations: String..., app: String = app) -> Row {
        Row(name: name, registrations: registrations, app: app, isRegistered: true)
    }

    private static func unregistered(_ name: String, _ registrations: String..., app: String = app) -> Row {
        Row(name: name, registrations: registrations, app: app, isRegistered: false)
    }

    static let versions = [
        registered("the version", "app-sig: S=, appid: my.app, app-version: 2.0(3)"),
        registered("the version as overall signatures have it", "app-sig: S=, appid: my.app, app-version: '2.0[3]'"),
        unregistered("another build", "app-sig: S=, appid: my.app, app-version: 2.0(4)"),
        unregistered(
            "another build as overall signatures have it", "app-sig: S=, appid: my.app, app-version: '2.0[4]'"),
        unregistered("another version", "app-sig: S=, appid: my.app, app-version: 2.1(3)"),
        unregistered("a part of the version", "app-sig: S=, appid: my.app, app-version: '2.0'"),
        registered("any version", "app-sig: S=, appid: my.app"),
        registered("any version by its star", "app-sig: S=, appid: my.app, app-version: '*'"),
        registered("any version of an app without", "app-sig: S=, appid: my.app", app: "app-sig: S=, appid: my.app"),
        unregistered(
            "a version, and an app without", "app-sig: S=, appid: my.app, app-version: 2.0(3)",
            app: "app-sig: S=, appid: my.app"),
        registered(
            "R15.1a square brackets of an app are round ones", "app-sig: S=, appid: my.app, app-version: 2.0(3)",
            app: "app-sig: S=, appid: my.app, app-version: '2.0[3]'"),
        unregistered(
            "R15.1a another build in square brackets of an app", "app-sig: S=, appid: my.app, app-version: 2.0(3)",
            app: "app-sig: S=, appid: my.app, app-version: '2.0[4]'"),
        registered(
            "a name instead of a version", "app-sig: S=, appid: my.app, app-version: special",
            app: "app-sig: S=, appid: my.app, app-version: special"),
    ]

    static let packages = [
        unregistered("another package", "app-sig: S=, appid: my.app2"),
        unregistered("the package in other letters", "app-sig: S=, appid: My.App"),
        unregistered("a part of the package", "app-sig: S=, appid: my"),
        registered("any package", "app-sig: S="),
        registered("any package of one version", "app-sig: S=, app-version: 2.0(3)"),
        unregistered("any package of another version", "app-sig: S=, app-version: 2.0(4)"),
        registered("any package, and an app without", "app-sig: S=", app: "app-sig: S="),
        unregistered("a package, and an app without", "app-sig: S=, appid: my.app", app: "app-sig: S="),
    ]

    static let signatures = [
        unregistered("another signature", "app-sig: T=, appid: my.app"),
        unregistered("the signature in other letters", "app-sig: s=, appid: my.app"),
        unregistered("an app without a signature", "app-sig: S=, appid: my.app", app: "appid: my.app"),
        unregistered("an empty signature is a signature", "app-sig: S=", app: "app-sig: ''"),
        unregistered("nothing at all", "app-sig: S=", app: ""),
        // A bundle's own signature is not what is compared (R15.1).
        unregistered("the identity of a bundle", "app-sig: S=, appid: my.app", app: "app-id-sig: S=, appid: my.app"),
    ]

    static let lists = [
        unregistered("an empty list"),
        registered("the second of two", "app-sig: T=, appid: my.app", "app-sig: S=, appid: my.app"),
        unregistered(
            "no mixture of two", "app-sig: S=, appid: other, app-version: 2.0(3)",
            "app-sig: T=, appid: my.app, app-version: 2.0(3)"),
        registered("one twice", "app-sig: S=, appid: my.app", "app-sig: S=, appid: my.app"),
        registered(
            "one that ended beside one that did not", "app-sig: S=, appid: my.app, expiry: 2010-01-01T00:00:00Z",
            "app-sig: S=, appid: my.app"),
        unregistered("one that ended long ago", "app-sig: S=, appid: my.app, expiry: 2010-01-01T00:00:00Z"),
        registered("one that does not end yet", "app-sig: S=, appid: my.app, expiry: 2030-01-01T00:00:00Z"),
        registered(
            "with everything else", "app-sig: S=, appid: my.app, sdk: '2974', label: x, added: 2019-01-01T00:00:00Z"),
        registered("of an SDK", "app-sig: S=, appid: my.app, sdk: iOS(2.5.0)"),
        registered("added later than now", "app-sig: S=, appid: my.app, added: 2030-01-01T00:00:00Z"),
    ]

    private static func scenario(_ row: Row) -> String {
        let list = row.registrations.map { "{\($0)}" }.joined(separator: ", ")
        let expected = row.isRegistered ? "verdict: pass, flags: [new-did]" : "rejections: [app-not-registered]"
        return """
            account: {registrations: [\(list)]}
            devices: {bob: {attributes: {\(row.app)}}}
            steps: [{at: 0s, fetch: bob, expect: {\(expected)}}]
            """
    }

    @Test("R15.1 which apps are registered", arguments: versions + packages + signatures + lists)
    func isRegistered(_ row: Row) throws {
        #expect(try ScenarioText.failures(Self.scenario(row)) == [])
    }

    static let expiries = ScenarioRow.table(
        """
        == the seconds around the expiry
        account: {registrations: [{app-sig: S=, expiry: 2020-01-01T00:10:00Z}]}
        devices: {bob: {attributes: {app-sig: S=}}, amy: {attributes: {app-sig: S=}}}
        - {at: 599s, fetch: bob, expect: {verdict: pass}}
        - {at: 600s, fetch: amy, expect: {verdict: fail, rejections: [app-not-registered]}}
        # A cached token lives on.
        - {at: 898s, fetch: bob, expect: {cached: 1, verdict: pass}}
        - {at: 899s, fetch: bob, expect: {attested: 1, rejections: [app-not-registered]}}
        == an expiry in another time zone
        account: {registrations: [{app-sig: S=, expiry: 2020-01-01T01:10:00+01:00}]}
        devices: {bob: {attributes: {app-sig: S=}}}
        - {at: 599s, fetch: bob, expect: {verdict: pass}}
        - {at: 600s, launch: bob}
        - {at: 600s, fetch: bob, expect: {verdict: fail}}
        == the later of two expiries
        account:
          registrations:
            - {app-sig: S=, appid: a, expiry: 2020-01-01T00:10:00Z}
            - {app-sig: S=, appid: a, expiry: 2020-01-01T00:20:00Z}
            - {app-sig: S=, appid: a, app-version: "1", expiry: 2020-01-01T00:30:00Z}
        devices:
          bob: {attributes: {app-sig: S=, appid: a, app-version: "1"}}
          amy: {attributes: {app-sig: S=, appid: a, app-version: "2"}}
        - {at: 1199s, fetch: all, expect: {verdict: pass}}
        - {at: 1200s, launch: all}
        - {at: 1200s, fetch: all, expect: [{group: bob, verdict: pass}, {group: amy, verdict: fail}]}
        - {at: 1799s, launch: all}
        - {at: 1799s, fetch: all, expect: [{group: bob, verdict: pass}, {group: amy, verdict: fail}]}
        - {at: 1800s, launch: all}
        - {at: 1800s, fetch: all, expect: {verdict: fail}}
        """)

    @Test("R15.2 a temporary one ends at its expiry", arguments: expiries) func expires(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    static let policies = ScenarioRow.table(
        """
        devices: {bob: {}}
        == whitelist (R4.6)
        account: {policy: "default,whitelist,default", registrations: []}
        - {at: 0s, fetch: bob, expect: {verdict: pass, flags: [new-did, app-not-registered]}}
        == the flag removed from the policy (R4.4)
        account: {reject-flags: {remove: [app-not-registered]}, registrations: []}
        - {at: 0s, fetch: bob, expect: {verdict: pass, lifetime: 300s}}
        == filters see the flag (R7.7)
        account: {registrations: [], filters: [{name: fake, key: flags-all, match: app-not-registered}]}
        - {at: 0s, fetch: bob, expect: {filters: [fake]}}
        == the flag is observed though the app is registered
        account: {registrations: [{app-sig: S=}]}
        devices: {bob: {flags: [app-not-registered], attributes: {app-sig: S=}}}
        - {at: 0s, fetch: bob, expect: {rejections: [app-not-registered]}}
        == each account has its own
        accounts: {a: {registrations: [{app-sig: S=}]}, b: {registrations: [{app-sig: T=}]}, c: {}}
        devices:
          one: {account: a, attributes: {app-sig: S=}}
          two: {account: b, attributes: {app-sig: S=}}
          three: {account: c, attributes: {app-sig: S=}}
        - at: 0s
          fetch: all
          expect: [{group: one, pass: 1}, {group: two, rejections: [app-not-registered]}, {group: three, pass: 1}]
        """)

    @Test("R15.1 what comes of the flag", arguments: policies) func counts(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    @Test("formats: every field is read") func fields() throws {
        let account = try AccountText.account(
            """
            registrations:
              - app-sig: Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=
                appid: com.criticalblue.demo
                app-version: 2.0[3]
                sdk: "2974"
                label: special
                added: 2019-05-15T18:03:17Z
                expiry: 2019-05-18T18:03:17Z
              - {app-sig: S=, appid: a, sdk: iOS(2.5.0)}
            """)
        let added: Instant = try #require(Instant(rfc3339: "2019-05-15T18:03:17Z"))
        #expect(
            account.registrations == [
                Registration(
                    signature: "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=", package: "com.criticalblue.demo",
                    version: "2.0(3)", libraryID: "2974", label: "special", added: added, expiry: added + 3 * 86_400),
                Registration(signature: "S=", package: "a", sdk: "iOS(2.5.0)"),
            ])
        #expect(
            account.registrations?.map(\.overallSignature) == [
                "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=com.criticalblue.demo-2.0[3]-2974", "S=a-*",
            ])
    }

    struct Mistake: LabelledRow {
        let name, text: String
        let problems: [Problem]
        var isWarning = false
    }

    private static let anyPackage = "a registration without `appid` applies to every package with its signature"

    static let mistakes = [
        Mistake(
            name: "no signature", text: "registrations: [①{appid: a}]\n",
            problems: ["① `app-sig` is missing from a registration"]),
        Mistake(
            name: "no package", text: "registrations: [{app-sig: S=, appid: a}, ①{app-sig: T=}]\n",
            problems: ["① \(anyPackage)"], isWarning: true),
        Mistake(
            name: "an unknown key", text: "registrations: [{app-sig: S=, appid: a, ①app-verson: x}]\n",
            problems: ["① unknown key `app-verson` in a registration; hint: did you mean `app-version`?"]),
        Mistake(
            name: "no instant", text: "registrations: [{app-sig: S=, appid: a, expiry: ①30d}]\n",
            problems: ["① `expiry` must be an instant such as `2020-07-23T00:00:00Z`, not `30d`"]),
        Mistake(
            name: "text for the list", text: "registrations: ①none\n",
            problems: ["① `registrations` must be a list, not text; hint: write `[none]`"]),
        Mistake(
            name: "text for an entry", text: "registrations: [①S=]\n",
            problems: ["① a registration must be a mapping, not text"]),
    ]

    @Test("formats: says what is wrong", arguments: mistakes) func saysWhatIsWrong(_ row: Mistake) {
        let marked = MarkedText(row.text)
        let (account, diagnostics) = AccountText.read(marked.text)
        #expect(MarkedText.found(diagnostics) == marked.expected(row.problems))
        #expect((account != nil) == row.isWarning)
        #expect(diagnostics.hasErrors != row.isWarning)
    }

    @Test("R16 250 registrations, and not 251") func limit() throws {
        let list = (1...250).map { "- {app-sig: S\($0)=, appid: a}\n" }.joined()
        #expect(try AccountText.account("registrations:\n\(list)").registrations?.count == 250)
        let marked = MarkedText("registrations:\n\(list)- ①{app-sig: S251=, appid: a}\n- {app-sig: S252=, appid: a}\n")
        let (account, diagnostics) = AccountText.read(marked.text)
        #expect(account?.name == nil)
        #expect(
            MarkedText.found(diagnostics)
                == marked.expected([
                    "① registration `S251=a-*` is one too many; an account has at most 250"
                ]))
    }
}
