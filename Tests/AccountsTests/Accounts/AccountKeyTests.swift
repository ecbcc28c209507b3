import Documents
import Foundation
import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// Every key of an account is read (formats: Account).
@Suite struct AccountKeyTests {
    @Test("R1.5 R11.2 a day is the longest") func aDayIsTheLongest() throws {
        let account = try AccountText.account("propagation: 1d\ngrace: 24h\n")
        #expect(account.propagation == 86_400)
        #expect(account.grace == 86_400)
    }

    static let everything = """
        account: test-account
        policy: alt-rules,allow-xposed,xposed+new-detection
        reject-flags: {add: [automated, new-detection, rooted], remove: [debug]}
        rules: [alt-rules, other]
        flags:
          - {name: new-detection, description: Something new, risk: true}
          - {name: harmless}
        arc: off
        ip-tracking: full
        audience: on
        issuer: on
        sampling-percentage: 0.1
        propagation: 1m30s
        grace: 0s
        billing-day: 28
        team: YYYYYYYYY
        filters:
          - {name: myip, key: ip, match: 1.2.3.4, new-did-only: true, capture-device-info: true, reject: true}
          - {name: android7, key: device, regex: "Android 7", risky: true, ban: true, exec-filtered-sec-policy: true}
          - {name: both-matched, conjunction: [android7, myip], reject: false}
          - {name: empty, key: user-property, match: ''}
        devices:
          - {id: h4gubfCFzJu81j/U2BJsdg==, policy: "default,whitelist,all", label: bobs-iPhone7, user: A N Other,
             pin-mode: blockAll, ban-mode: ban, probe-url: "https://a.b:443"}
          - {id: ++FilteredSecPolicy++w==, policy: "other,default,default"}
          - id: ExampleApproovTokenDID==
        devicecheck: {team-id: YYYYYYYYY, key-id: XXXXXXXXXX, bits: both, expiry: 1}
        safetynet: {api-key: XXXX, daily-quota: 0}
        pinning-test-url: https://mydomain.com:443
        app-signing-certs:
          - C0:F3:15:9B:A5:6C:A8:E1
          - {fingerprint: "00:11:22:33:44:55:66:77", subject: "CN=ANOther,C=UK", expiry: 2041-05-21T00:00:00Z}
        registrations:
          - {app-sig: abc, appid: com.app, app-version: "1.0", expiry: 2020-07-23T00:00:00Z}
          - {app-sig: def=, appid: com.app, app-version: 2.0(3), sdk: Android(2.5.0), library-id: 2974}
        apis:
          - {domain: mydomain.com}
          - {domain: other.com, type: pinOnly, alg: HS256, kid: me, pins: [JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU=, Q62DnTGJsy1h+ude8HB5ZjKy0Vhg2pvTzjplWSD3hkk=], monitor-port: 443}
        keys: prod.keys

        """

    @Test func names() throws {
        let account = try AccountText.account(Self.everything)
        #expect(account.name == "test-account")
        #expect(account.rules == ["default", "alt-rules", "other"])
        #expect(Array(account.catalogue.declaredNames.dropFirst(37)) == ["new-detection", "harmless"])
        let declared = try #require(account.catalogue.namedFlag("new-detection"))
        #expect(account.catalogue[declared].meaning == "Something new")
        #expect(account.catalogue[declared].isRisk)
        #expect(account.catalogue.namedFlag("harmless").map { account.catalogue[$0].isRisk } == false)
    }

    @Test func policies() throws {
        let account = try AccountText.account(Self.everything)
        let rejection = account.policy.rejection
        #expect(account.policy.description == "alt-rules,custom,xposed+new-detection")
        #expect(rejection.base == .allowXposed)
        let names = account.catalogue.names(of: rejection.rejecting)
        // `rooted` was added by hand, so its exception is gone (R4.4).
        #expect(["automated", "new-detection", "rooted", "frida"].allSatisfy(names.contains))
        #expect(!names.contains("debug"))
        #expect(account.catalogue.names(of: rejection.rejectingUnlessXposed) == ["safetynet-fail-integrity"])
    }

    @Test func settings() throws {
        let account = try AccountText.account(Self.everything)
        #expect(!account.isResponseCodeOn)
        #expect(account.ipTracking == .full)
        #expect((account.includesAudience, account.includesIssuer) == (true, true))
        #expect(account.samplingPercentage.description == "0.10%")
        #expect((account.propagation, account.grace, account.billingDay) == (90, 0, 28))
    }

    @Test func filters() throws {
        let filters = try AccountText.account(Self.everything).filters
        #expect(filters.map(\.name) == ["myip", "android7", "both-matched", "empty"])
        #expect(filters.map(\.key) == ["ip", "device", nil, "user-property"])
        #expect(filters[0].options == [.newDevicesOnly, .captureDeviceInformation, .reject])
        #expect(filters[1].options == [.risky, .ban, .executeFilteredPolicy])
        #expect(filters[1].test == .regex(key: "device", pattern: try Pattern("Android 7")))
        #expect(filters[2].inputs == ["android7", "myip"])
        #expect(filters[2].options == [])
        #expect(filters[3].test == .exact(key: "user-property", value: ""))
    }

    @Test func devices() throws {
        let account = try AccountText.account(Self.everything)
        let bob = try #require(account.devices.first)
        #expect(
            account.devices.map(\.id.description).sorted() == [
                "++FilteredSecPolicy++w==", "ExampleApproovTokenDID==", "h4gubfCFzJu81j/U2BJsdg==",
            ])
        #expect(bob.policy?.description == "default,whitelist,all")
        #expect((bob.label, bob.user) == ("bobs-iPhone7", "A N Other"))
        #expect((bob.pinMode, bob.banMode) == (.blockAll, .ban))
        #expect(bob.probeURL == "https://a.b:443")
        #expect(account.effectiveFilteredPolicy?.description == "other,default,default")
        #expect(account.devices.last.map { $0.policy == nil && $0.label == nil && $0.pinMode == nil } == true)
    }

    @Test func services() throws {
        let account = try AccountText.account(Self.everything)
        #expect(
            account.deviceCheck
                == DeviceCheckSettings(teamID: "YYYYYYYYY", keyID: "XXXXXXXXXX", bits: .both, expiry: 1))
        #expect(account.safetyNet == SafetyNetSettings(apiKey: "XXXX", dailyQuota: 0))
        #expect(
            account.certificates == [
                AppSigningCertificate(fingerprint: "C0:F3:15:9B:A5:6C:A8:E1"),
                AppSigningCertificate(
                    fingerprint: "00:11:22:33:44:55:66:77", subject: "CN=ANOther,C=UK",
                    expiry: Instant(rfc3339: "2041-05-21T00:00:00Z")),
            ])
        #expect(account.pinningTestURL == "https://mydomain.com:443")
        #expect(
            account.registrations == [
                Registration(
                    signature: "abc", package: "com.app", version: "1.0",
                    expiry: Instant(secondsSinceEpoch: 1_595_462_400)),
                Registration(
                    signature: "def=", package: "com.app", version: "2.0[3]", libraryID: "2974", sdk: "Android(2.5.0)"),
            ])
        #expect(account.registrations?.last?.overallSignature == "def=com.app-2.0[3]-2974")
        #expect(
            account.apiDomains == [
                APIDomain(name: "mydomain.com"),
                APIDomain(
                    name: "other.com", type: .pinOnly, algorithm: "HS256", keyID: "me",
                    pins: [
                        "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU=", "Q62DnTGJsy1h+ude8HB5ZjKy0Vhg2pvTzjplWSD3hkk=",
                    ],
                    monitorPort: 443),
            ])
    }

    // R3.1, R16.
    @Test(arguments: ["{}", "account: account\n"]) func aNewAccountHasItsDefaults(text: String) throws {
        let account = try AccountText.account(text)
        #expect(account.name == "account")
        #expect(account.policy.description == "default,default,default")
        #expect((account.isResponseCodeOn, account.ipTracking) == (true, .token))
        #expect((account.includesAudience, account.includesIssuer) == (false, false))
        #expect((account.propagation, account.grace, account.billingDay) == (30, 10, 1))
        #expect(account.samplingPercentage == .zero)
        #expect(account.filters.isEmpty && account.devices.isEmpty && account.apiDomains.isEmpty)
        #expect(account.deviceCheck == nil && account.safetyNet == nil)
        #expect(account.registrations == nil)
    }

    @Test func theTeamIsAShorthand() throws {
        let account = try AccountText.account("team: ABC\n")
        #expect(account.deviceCheck == DeviceCheckSettings(teamID: "ABC"))
        #expect(account.deviceCheck?.expiry == 12)
        #expect(try AccountText.account("devicecheck: {bits: none}\n").deviceCheck == DeviceCheckSettings())
    }

    @Test func anEmptyListOfRegistrationsIsAList() throws {
        #expect(try AccountText.account("registrations: []\n").registrations == [])
        #expect(try AccountText.account("safetynet: {api-key: x}\n").safetyNet?.dailyQuota == 10_000)
    }

    // The lists of the manual hold 25 (R6.1, R7.1).
    @Test func limitsCanBeReached() throws {
        let filters = (1...25).map { "  - {name: f\($0), key: ip, match: x}\n" }.joined()
        let devices = (1...25).map { "  - id: \(DeviceID(first: 0, second: UInt64($0) << 4))\n" }.joined()
        let flags = (1...FlagFacts.room).map { "  - name: flag\($0)\n" }.joined()
        let account = try AccountText.account("flags:\n\(flags)filters:\n\(filters)devices:\n\(devices)")
        #expect((account.filters.count, account.devices.count) == (25, 25))
        #expect(account.catalogue.flags.count == 128)
    }

    @Test func theLastRegistrationIsOneTooMany() {
        let entries = Array(repeating: "{app-sig: a, appid: b}, ", count: 250).joined()
        let marked = MarkedText(
            "registrations: [\(entries)①{app-sig: c, appid: d, app-version: 2.0(3), sdk: 2974}]\n")
        #expect(
            MarkedText.found(AccountText.read(marked.text).diagnostics)
                == marked.expected([
                    "① registration `cd-2.0[3]-2974` is one too many; an account has at most 250"
                ]))
    }

    @Test func aFileThatIsNotThereIsAnError() {
        var diagnostics = Diagnostics()
        let account = AccountLoader.load(path: "/nowhere/account.yaml", diagnostics: &diagnostics)
        #expect(account?.name == nil)
        #expect(diagnostics.all.map(\.rendered) == ["/nowhere/account.yaml: error: no such file or directory"])
    }

    @Test func aFileIsRead() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.everything.utf8, to: "prod.yaml")
        var diagnostics = Diagnostics()
        let account = AccountLoader.load(path: path, diagnostics: &diagnostics)
        #expect(account?.name == "test-account")
        #expect(diagnostics.isEmpty)
    }
}

/// The table of the keys of an account file agrees with what is read and with `docs/FORMATS.md`.
@Suite struct AccountKeyTableTests {
    // The rows of the table of accounts there: the keys of the first column, and the values of the second.
    private static func rows(
        from title: String = "## Account\n", to next: String = "\n## Scenario"
    ) throws -> [(keys: [String], values: String)] {
        let text = try Repository.text(of: "docs/FORMATS.md")
        let start = try #require(text.range(of: title))
        let end = try #require(text.range(of: next, range: start.upperBound..<text.endIndex))
        let section = text[start.upperBound..<end.lowerBound]
        let table = section.components(separatedBy: "\n\n").first { $0.contains("| --- |") } ?? ""
        return table.split(separator: "\n").dropFirst(2).map { line in
            let cells = line.replacing(#"\|"#, with: " ").split(separator: "|", omittingEmptySubsequences: false)
            let keys = cells[1].split(separator: ",").map { $0.filter { !" `".contains($0) } }
            return (keys, String(cells[2]))
        }
    }

    private static let entries: [AccountKey] = [
        .flags, .filters, .devices, .deviceCheck, .safetyNet, .certificates, .registrations, .domains, .users,
        .monitoring,
    ]

    // The keys of the mappings that a form allows, also in lists and as alternatives.
    private static func keys(_ value: JSONSchema.Value) -> [String] {
        switch value {
        case .map(let members):
            members.flatMap { member in
                if member.name == "properties", case .map(let fields) = member.value {
                    fields.map(\.name)
                } else {
                    keys(member.value)
                }
            }
        case .list(let items): items.flatMap(keys)
        case .text, .number, .truth: []
        }
    }

    private static func unknownKeys(in text: String) -> [String] {
        var diagnostics = Diagnostics()
        _ = AccountLoader.load(YAMLParser.parse(bytes: Array(text.utf8), path: "a.yaml"), diagnostics: &diagnostics)
        return diagnostics.all.map(\.message).filter { $0.contains("unknown key") }
    }

    @Test func referenceListsEveryKeyInOrder() throws {
        #expect(try Self.rows().flatMap(\.keys) == AccountKey.allCases.map(\.rawValue))
    }

    @Test func referenceListsEveryKeyOfAKeyFileInOrder() throws {
        #expect(try Self.rows(from: "### Key file\n").flatMap(\.keys) == KeyFields.all.fields.map(\.key))
    }

    @Test func referenceNamesTheKeysOfEveryEntry() throws {
        let rows = try Self.rows()
        for key in Self.entries {
            let names = Self.keys(key.field.value.schema.value)
            let row = try #require(rows.first { $0.keys.contains(key.rawValue) })
            let words = Set(row.values.split { !$0.isLetter && $0 != "-" }.map(String.init))
            #expect(words.isSuperset(of: names), "\(key.rawValue)")
        }
    }

    @Test func everyKeyIsRead() {
        #expect(AccountKey.readingOrder.count == AccountKey.allCases.count)
        #expect(Set(AccountKey.readingOrder) == Set(AccountKey.allCases))
        for key in AccountKey.allCases { #expect(Self.unknownKeys(in: "\(key.rawValue): x\n").isEmpty) }
        #expect(Self.unknownKeys(in: "key-of-nobody: x\n") == ["unknown key `key-of-nobody` in the account"])
    }

    @Test func everyKeyOfAnEntryIsRead() {
        for key in Self.entries {
            let names = Self.keys(key.field.value.schema.value)
            let isMapping = key == .deviceCheck || key == .safetyNet || key == .monitoring
            for name in names {
                #expect(
                    Self.unknownKeys(in: "\(key.rawValue):\n  \(isMapping ? "" : "- ")\(name): x\n").isEmpty, "\(name)")
            }
            #expect(Self.unknownKeys(in: "\(key.rawValue):\n  \(isMapping ? "" : "- ")of-nobody: x\n").count == 1)
        }
    }
}
