import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// `registration -add` and who may remove what it added (R15.1a; manual, Registering an App and what follows).
@Suite struct RegistrationAdditionTests {
    private static let signature = "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc="
    private static let start = "registration -add my_app.apk -signature \(signature) -appID my.app.com"
    private static let app = "\(start) -appVersion 2.0[3] -libraryID 1042 -sdk Android(2.5.0)"
    private static let short = "registration -add a.apk -signature S= -appID a -appVersion 1 -libraryID 2"

    // The lines of the manual but for the first, which names the package.
    static let manual: [Case<[String], String>] = [
        Case(
            app,
            [" \(signature)my.app.com-2.0[3]-1042  SDK:Android(2.5.0)", "registration successful"],
            gives: " \(signature)my.app.com-2.0[3]-1042   SDK:Android(2.5.0)  registered:2019-05-29 16:27:01"),
        Case(
            "\(app) -versionName special",
            [" \(signature)my.app.com-special-1042  SDK:Android(2.5.0)", "registration successful"],
            gives: " \(signature)my.app.com-special-1042   SDK:Android(2.5.0)  registered:2019-05-29 16:27:01"),
        Case(
            "\(start.replacing(".apk", with: ".ipa")) -libraryID 5647 -sdk iOS(2.6.0) -unversioned",
            [" \(signature)my.app.com-*-5647  SDK:iOS(2.6.0)", "registration successful"],
            gives: " \(signature)my.app.com-*-5647   SDK:iOS(2.6.0)  registered:2019-05-29 16:27:01"),
        Case(
            "\(app) -expireAfter 3d",
            [
                " \(signature)my.app.com-2.0[3]-1042  SDK:Android(2.5.0)",
                "registration successful, expires 2019-06-01 16:27:01",
            ],
            gives: " \(signature)my.app.com-2.0[3]-1042   SDK:Android(2.5.0)  registered:2019-05-29 16:27:01 "
                + "expiry:2019-06-01 16:27:01"),
    ]

    @Test("R15.1a what the manual prints, and lists", arguments: manual)
    func prints(_ row: Case<[String], String>) throws {
        let context = try CommandBench.context(at: "2019-05-29T16:27:01Z")
        let (_, effects) = try CommandBench.carryOut(
            [row.label, "registration -list"], on: "registrations: []", in: context)
        let package = row.label.contains(".ipa") ? "my_app.ipa" : "my_app.apk"
        #expect(effects.first?.reported == ["registering app \(package)"] + row.input)
        #expect(effects.first?.confirmation == nil && effects.first?.warnings == [])
        #expect(effects.last?.printed == ["1 app registration:", row.expected])
    }

    @Test("R15.1a the same one again: its time moves, and the later expiry stays") func again() throws {
        var account = try AccountText.account("registrations: []")
        let commands = [
            ("2020-01-01T00:00:00Z", "\(Self.short) -expireAfter 3d", "2020-01-04T00:00:00Z"),
            ("2020-01-02T00:00:00Z", "\(Self.short) -expireAfter 1d", "2020-01-04T00:00:00Z"),
            ("2020-01-03T00:00:00Z", "\(Self.short) -expireAfter 5d", "2020-01-08T00:00:00Z"),
            ("2020-01-04T00:00:00Z", Self.short, nil), ("2020-01-05T00:00:00Z", "\(Self.short) -expireAfter 1d", nil),
        ]
        for (time, command, expiry) in commands {
            _ = try ManagementCommand(command).apply(to: &account, in: CommandBench.context(at: time))
            #expect(account.registrations?.count == 1)
            #expect(account.registrations?.first?.added == Instant(rfc3339: time))
            #expect(account.registrations?.first?.expiry == expiry.flatMap { Instant(rfc3339: $0) })
        }
    }

    // Its ending says nothing.
    private static let nameless = short.replacing("a.apk", with: "app")
    private static let ipa = "registration -add a.IPA -signature S= -appID a -libraryID 2"
    private static let aab = "registration -add a.aab -signature S= -appID a -libraryID 2"

    static let taken = [
        "\(aab) -unversioned", "\(aab) -unversioned -sdk Android(2.6.0)", "\(ipa) -unversioned -sdk iOS(2.10.0)",
        "\(aab) -appVersion 1 -bundle -sdk Android(2.3.0)", "\(aab) -appVersion 1 -bundle -bundletool tool.jar",
        "\(short) -sdk Android(2.2.0)",
    ]

    // Manual, Unversioned Registrations; Registering an App.
    @Test("R15.1a is taken with an SDK that is new enough, or of which nothing is said", arguments: taken)
    func takes(line: String) throws {
        #expect(try CommandBench.refusal(of: [line], on: "registrations: []") == nil)
    }

    @Test("R15.1a a bundle and a package of the same listed ID are two registrations") func bundleBesidePackage() throws
    {
        let context = try CommandBench.context(at: "2020-01-01T00:00:00Z")
        let lines = [Self.nameless, "\(Self.nameless) -bundle", "\(Self.nameless) -bundle", Self.nameless]
        for commands in [lines, lines.reversed()] {
            let (account, _) = try CommandBench.carryOut(commands, on: "registrations: []", in: context)
            #expect(account.registrations?.map(\.overallSignature) == ["S=a-1-2", "S=a-1-2"])
            #expect(Set(account.registrations?.map(\.isBundle) ?? []) == [false, true])
        }
    }

    /// The apps that are registered, each as `LISTED ID bundle` or `LISTED ID package`.
    static let endings: [Case<[String], [String]>] = [
        Case("an .aab is a bundle", ["\(aab) -appVersion 1"], gives: ["S=a-1-2 bundle"]),
        Case(
            "with or without `-bundle` it is one registration",
            ["\(aab) -appVersion 1", "\(aab) -appVersion 1 -bundle"],
            gives: ["S=a-1-2 bundle"]),
        Case("whatever its case", ["\(aab.replacing(".aab", with: ".AAB")) -appVersion 1"], gives: ["S=a-1-2 bundle"]),
        Case("an .ipa is a package", ["\(ipa) -appVersion 1"], gives: ["S=a-1-2 package"]),
        Case(
            "an unversioned one, too, is one registration", ["\(aab) -unversioned", "\(aab) -unversioned -bundle"],
            gives: ["S=a-*-2 bundle"]),
        Case(
            "and so where no ending says what it is",
            ["\(nameless) -unversioned", "\(nameless) -unversioned -bundle"].map {
                $0.replacing(" -appVersion 1", with: "")
            }, gives: ["S=a-*-2 bundle"]),
        Case(
            "a bundle beside a package", ["\(aab) -appVersion 1", "\(ipa) -appVersion 1"],
            gives: ["S=a-1-2 bundle", "S=a-1-2 package"]),
    ]

    @Test("R15.1a the ending of the name says what it is", arguments: endings)
    func endingSays(_ row: Case<[String], [String]>) throws {
        let context = try CommandBench.context(at: "2020-01-01T00:00:00Z")
        let (account, _) = try CommandBench.carryOut(row.input, on: "registrations: []", in: context)
        let found = account.registrations?.map { "\($0.overallSignature) \($0.isBundle ? "bundle" : "package")" }
        #expect(found == row.expected)
    }

    @Test("R15.1a, R15.1 `2.0[3]` and `2.0(3)` are one version, on either side") func versions() throws {
        let both = ["2.0[3]", "2.0(3)"]
        for (registered, own) in both.flatMap({ registered in both.map { (registered, $0) } }) {
            let failures = try ScenarioText.failures(
                """
                account: {propagation: 0s, registrations: []}
                devices:
                  same: {os: ios, attributes: {app-sig: S=, appid: a, app-version: "\(own)"}}
                  other: {os: ios, attributes: {app-sig: S=, appid: a, app-version: "\(own.replacing("3", with: "4"))"}}
                steps:
                  - {at: 0s, approov: "registration -add a.ipa -signature S= -appID a -appVersion \(registered) -libraryID 2"}
                  - at: 1s
                    fetch: all
                    expect: [{group: same, verdict: pass}, {group: other, rejections: [app-not-registered]}]
                """)
            #expect(failures == [], "\(registered) \(own)")
        }
    }

    private static let noPackage =
        "; hint: no package is read; `-signature`, `-appID`, `-appVersion` and `-libraryID` describe its content"

    static let refusals = [
        ("registration -add", "`-add` needs a package"),
        ("\(start) -appVersion 1", "`registration -add` needs `-libraryID`\(noPackage)"),
        ("\(start) -libraryID 1", "`registration -add` needs `-appVersion`\(noPackage)"),
        ("\(start) -unversioned", "`registration -add` needs `-libraryID`\(noPackage)"),
        (
            "\(start) -libraryID 1 -unversioned",
            "`-unversioned` is not supported for `my_app.apk`; hint: on Android only an .aab can be unversioned"
        ),
        (
            "\(aab) -unversioned -sdk Android(2.5.9)",
            "`-unversioned` needs an SDK of version 2.6.0 or later, and this is `Android(2.5.9)`"
        ),
        (
            "\(ipa) -unversioned -sdk iOS(2.5.0-bitcode)",
            "`-unversioned` needs an SDK of version 2.6.0 or later, and this is `iOS(2.5.0-bitcode)`"
        ),
        (
            "\(aab) -appVersion 1 -bundle -sdk Android(2.2.10)",
            "`-bundle` needs an SDK of version 2.3.0 or later, and this is `Android(2.2.10)`"
        ),
        (
            "\(aab) -appVersion 1 -sdk Android(2.2.10)",
            "`a.aab` needs an SDK of version 2.3.0 or later, and this is `Android(2.2.10)`"
        ),
        (
            "\(start) -libraryID 1 -appVersion 1 -bundle",
            "`-bundle` contradicts `my_app.apk`; hint: an app bundle is an .aab"
        ),
        ("\(ipa) -appVersion 1 -bundle", "`-bundle` contradicts `a.IPA`; hint: an app bundle is an .aab"),
        (
            "\(ipa) -appVersion 1 -sdk Android(2.5.0)",
            "`-sdk Android(2.5.0)` contradicts `a.IPA`; hint: an .ipa is for iOS"
        ),
        (
            "\(aab) -appVersion 1 -sdk iOS(2.5.0)",
            "`-sdk iOS(2.5.0)` contradicts `a.aab`; hint: an .aab is for Android"
        ),
        ("\(short) -sdk Android(new)", "`Android(new)` is not an SDK; hint: such as Android(2.5.0) or iOS(2.5.0)"),
        ("\(start) -libraryID 1 -appVersion '*'", "`*` is not a version; hint: `-unversioned` registers all of them"),
        ("\(app) -expireAfter 0s", "a registration that expires after `0s` has ended already"),
        ("\(app) -expireAfter soon", "`soon` is not a duration; hint: such as 3d"),
        ("\(short) -sdk 2.5.0", "`2.5.0` is not an SDK; hint: such as Android(2.5.0) or iOS(2.5.0)"),
        (
            "\(nameless) -sdk iOS(2.5.0) -bundle",
            "`-bundle` cannot be combined with `iOS(2.5.0)`; app bundles exist on Android only"
        ),
    ]

    @Test("R15.1a is refused", arguments: refusals) func refuses(line: String, message: String) throws {
        let context = try CommandBench.context(at: "2020-01-01T00:00:00Z")
        let refusal = try #require(try CommandBench.refusal(of: [line], on: "registrations: []", in: context))
        #expect(refusal == message)
    }

    @Test("R15.1a without a time it cannot expire, and counts as registered long ago") func needsATime() throws {
        #expect(
            try CommandBench.refusal(of: ["\(Self.short) -expireAfter 1d"], on: "{}")
                == "`-expireAfter` needs the time; hint: a scenario has a time; `scenario approov` takes it from `--at`, such as `--at now`"
        )
        let (account, effects) = try CommandBench.carryOut([Self.short], on: "{}")
        #expect(account.registrations?.map(\.added) == [nil])
        #expect(
            effects.map(\.warnings) == [
                [
                    "from now on only apps in the list count as registered; before, each device said whether its app is",
                    "the time is not known, so it counts as registered long ago",
                ]
            ])
    }

    struct Removal: LabelledRow {
        let name: String
        let adder, remover: CommandRole
        var users = ("jo", "jo")
        var options = ""
        let isAllowed: Bool
    }

    static let removals = [
        Removal(name: "a dev what the dev added", adder: .dev, remover: .dev, isAllowed: true),
        Removal(
            name: "a dev what another dev added", adder: .dev, remover: .dev, users: ("jo", "al"), isAllowed: false),
        Removal(name: "a dev what an admin of that name added", adder: .admin, remover: .dev, isAllowed: false),
        Removal(
            name: "a dev what an admin added for a time", adder: .admin, remover: .dev, options: " -expireAfter 1d",
            isAllowed: false),
        Removal(
            name: "a dev by the admin's name", adder: .admin, remover: .dev, users: ("admin", "admin"), isAllowed: false
        ),
        Removal(name: "an admin what a dev added", adder: .dev, remover: .admin, users: ("jo", "al"), isAllowed: true),
    ]

    @Test("R15.1a a dev removes what a dev of the same name added", arguments: removals)
    func removes(_ row: Removal) throws {
        var account = try AccountText.account("registrations: []")
        var context = try CommandBench.context(at: "2020-01-01T00:00:00Z")
        (context.role, context.user) = (row.adder, row.users.0)
        _ = try ManagementCommand(Self.short + row.options).apply(to: &account, in: context)
        (context.role, context.user) = (row.remover, row.users.1)
        var error: CommandError?
        do throws(CommandError) {
            _ = try ManagementCommand("registration -remove S=a-1-2").apply(to: &account, in: context)
        } catch let failure {
            error = failure
        }
        #expect(error?.description == (row.isAllowed ? nil : "an admin role is required"))
        #expect(account.registrations?.isEmpty == row.isAllowed)
    }

    // Else a dev could take over what an admin added, and remove it.
    @Test("R15.1a a dev who adds it again does not get what an admin added") func noTakingOver() throws {
        var account = try AccountText.account("registrations: []")
        var context = try CommandBench.context(at: "2020-01-01T00:00:00Z")
        _ = try ManagementCommand(Self.short).apply(to: &account, in: context)
        #expect(account.registrations?.first?.addedBy == "admin")
        (context.role, context.user) = (.dev, "jo")
        _ = try ManagementCommand(Self.short).apply(to: &account, in: context)
        #expect(account.registrations?.first?.addedBy == "admin")
    }
}
