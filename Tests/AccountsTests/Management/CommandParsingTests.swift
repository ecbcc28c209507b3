import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// Every command and option is understood.
@Suite struct CommandParsingTests {
    struct Row: LabelledRow {
        let line: String
        let command: any ManagementTopic

        init(_ line: String, _ command: any ManagementTopic) { (self.line, self.command) = (line, command) }
    }

    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    private static func device(
        _ id: String?, _ edit: (inout DeviceTopic.Options) -> Void = { _ in }
    ) -> DeviceTopic {
        var options = DeviceTopic.Options()
        edit(&options)
        return DeviceTopic.add(id.flatMap { DeviceID($0) }.map { .id($0) } ?? .latest, options)
    }

    private static func filters() throws -> [Row] {
        let (ip, device) = (Filter.Test.exact(key: "ip", value: "1.2.3.4"), try Pattern("Android 7"))
        let every: Filter.Options = [
            .newDevicesOnly, .captureDeviceInformation, .reject, .ban, .risky, .executeFilteredPolicy,
        ]
        let start = "filter -add myip -key ip -matchValue 1.2.3.4"
        let options: [(String, Filter.Options)] = [
            ("", []), (" -newDIDOnly", .newDevicesOnly), (" -captureDeviceInfo", .captureDeviceInformation),
            (" -reject", .reject), (" -ban", .ban), (" -risky", .risky),
            (" -execFilteredSecPolicy", .executeFilteredPolicy),
            (" -execFilteredSecPolicy -risky -ban -reject -captureDeviceInfo -newDIDOnly", every),
        ]
        return try options.map {
            Row(start + $0.0, FilterTopic.add(try Filter(name: "myip", test: ip, options: $0.1)))
        } + [
            Row(
                #"$ approov filter -add android7 -key device -matchValue "Android 7" -regex"#,
                FilterTopic.add(try Filter(name: "android7", test: .regex(key: "device", pattern: device)))),
            Row(
                #"filter -add android7 -regex -ban -matchValue 'Android 7' -key device"#,
                FilterTopic.add(
                    try Filter(name: "android7", test: .regex(key: "device", pattern: device), options: .ban))
            ),
            Row(
                "filter -add both-matched -conjunction android7+myip -reject",
                FilterTopic.add(
                    try Filter(name: "both-matched", test: .conjunction(["android7", "myip"]), options: .reject))),
            Row(
                "filter -add empty -key user-property -matchValue ''",
                FilterTopic.add(try Filter(name: "empty", test: .exact(key: "user-property", value: "")))),
            Row(
                "filter -add minus -key x -matchValue=-1",
                FilterTopic.add(try Filter(name: "minus", test: .exact(key: "x", value: "-1")))),
        ]
    }

    private static func others() throws -> [Row] {
        let id = try #require(DeviceID(bob))
        return [
            Row("$ approov policy -set default,allow-root,risk", PolicyTopic.set("default,allow-root,risk")),
            Row("policy -addRejectFlag automated", PolicyTopic.addRejectFlag("automated")),
            Row("policy -removeRejectFlag automated", PolicyTopic.removeRejectFlag("automated")),
            Row("policy -setARC on", PolicyTopic.setResponseCode(true)),
            Row("policy -setARC off", PolicyTopic.setResponseCode(false)),
            Row("device -remove \(bob)", DeviceTopic.remove(id)),
            Row("device -clearDeviceState", DeviceTopic.clearDeviceState),
            Row("filter -remove special-app-sig", FilterTopic.remove("special-app-sig")),
            Row(
                "filter -setSamplingPercentage 0.1", FilterTopic.setSamplingPercentage(try #require(Percentage("0.1")))),
            Row("filter -setSamplingPercentage 100", FilterTopic.setSamplingPercentage(.hundred)),
        ]
    }

    private static let devices = [
        Row("device -add \(bob)", device(bob)),
        Row("device -add latest", device(nil)),
        Row("device -add latest -policy default,whitelist,all", device(nil) { $0.policy = "default,whitelist,all" }),
        Row(
            "device -add \(bob) -policy default,blacklist,default -label bobs-iPhone7",
            device(bob) {
                $0.policy = "default,blacklist,default"
                $0.label = "bobs-iPhone7"
            }),
        Row("device -add \(bob) -label 'A N Other'", device(bob) { $0.label = "A N Other" }),
        Row("device -add \(bob) -pinMode pin", device(bob) { $0.pinMode = .pin }),
        Row("device -add \(bob) -pinMode unpin", device(bob) { $0.pinMode = .unpin }),
        Row("device -add \(bob) -pinMode block", device(bob) { $0.pinMode = .block }),
        Row("device -add \(bob) -pinMode blockAll", device(bob) { $0.pinMode = .blockAll }),
        Row("device -add \(bob) -banMode ban", device(bob) { $0.banMode = .ban }),
        Row("device -add \(bob) -banMode unban", device(bob) { $0.banMode = .unban }),
        Row(
            "device -add \(bob) -probeURL https://shapes.approov.io:443",
            device(bob) { $0.probeURL = "https://shapes.approov.io:443" }),
        Row(
            "device -add ++FilteredSecPolicy++w== -policy alt-rules,default,default",
            device("++FilteredSecPolicy++w==") { $0.policy = "alt-rules,default,default" }),
    ]

    // `api -add` of a name and options.
    private static func domain(
        _ line: String, _ type: APIDomain.Kind = .account, algorithm: String? = nil, keyID: String? = nil,
        pinType: DomainAddition.PinType? = nil, port: Int = 443
    ) -> Row {
        let name = line.split(separator: " ")[0]
        return Row(
            "api -add \(line)",
            DomainTopic.add(
                DomainAddition(
                    APIDomain(name: String(name), type: type, algorithm: algorithm, keyID: keyID),
                    pinType: pinType, port: port)))
    }

    private static let settings = [
        Row("policy -setIPTracking none", PolicyTopic.setIPTracking(.none)),
        Row("policy -setIPTracking token", PolicyTopic.setIPTracking(.token)),
        Row("policy -setIPTracking full", PolicyTopic.setIPTracking(.full)),
        Row("policy -setAudience on", PolicyTopic.setAudience(true)),
        Row("policy -setAudience off", PolicyTopic.setAudience(false)),
        Row("policy -setIssuer on", PolicyTopic.setIssuer(true)),
        Row("policy -setIssuer off", PolicyTopic.setIssuer(false)),
        Row(
            "policy -setPinningTestURL https://mydomain.com:443",
            PolicyTopic.setPinningTestURL("https://mydomain.com:443")),
        Row("policy -removePinningTestURL", PolicyTopic.setPinningTestURL(nil)),
        Row(#"device -removeMatching "A N Other""#, DeviceTopic.removeMatching("A N Other")),
    ]

    private static let questions = [
        Row("policy -get", PolicyTopic.get), Row("policy -getARC", PolicyTopic.getResponseCode),
        Row("policy -getIPTracking", PolicyTopic.getIPTracking), Row("policy -getAudience", PolicyTopic.getAudience),
        Row("policy -getIssuer", PolicyTopic.getIssuer),
        Row("policy -getPinningTestURL", PolicyTopic.getPinningTestURL), Row("device -list", DeviceTopic.list),
        Row("filter -list", FilterTopic.list),
        Row("filter -getSamplingPercentage", FilterTopic.getSamplingPercentage),
        Row("devicecheck -get", DeviceCheckTopic.get), Row("safetynet -get", SafetyNetTopic.get),
        Row("appsigncert -list", CertificateTopic.list), Row("api -list", DomainTopic.list),
        Row("api -check", DomainTopic.check),
        Row(
            "pin -api a.com -getLeafPin local -port 8000",
            PinTopic.leafPin(domain: "a.com", seenBy: .local, port: 8000)),
        Row("pin -getLeafPin matching -api a.com", PinTopic.leafPin(domain: "a.com", seenBy: .matching, port: 443)),
        Row("pin -api a.com -getCertChainPins", PinTopic.chainPins(domain: "a.com")),
        Row("pin -getCertPin mycert.crt", PinTopic.certificatePin(file: "mycert.crt")),
    ]

    private static let tokens = [
        Row("token -check abc", TokenTopic.check("abc")),
        Row("token -genExample a.b", TokenTopic.example(domain: "a.b", .valid, data: nil)),
        Row(
            "token -genExample a.b -type failover -setDataHashInToken 'a b'",
            TokenTopic.example(domain: "a.b", .failover, data: "a b")),
        Row("token -genLongLived server-token,90d", TokenTopic.longLived(name: "server-token", days: 90)),
        Row("token -showArcInfoCurl", TokenTopic.curl(.responseCode)),
        Row("token -showTokenInfoCurl", TokenTopic.curl(.token)), Row("token -reports", TokenTopic.reports),
        Row("token my-admin.tok -genLongLived a,1d", TokenTopic.longLived(name: "a", days: 1)),
        Row("secret -get base64", SecretTopic.get(.base64, isPlain: false, .signing)),
        Row("secret -jwe -get raw -plain", SecretTopic.get(.raw, isPlain: true, .encryption)),
        Row("secret -getJWK a.jwk", SecretTopic.getJWK(file: "a.jwk", isSet: false, .signing)),
        Row("secret -getJWKS a.jwks -jwe", SecretTopic.getJWK(file: "a.jwks", isSet: true, .encryption)),
        Row("secret -change", SecretTopic.change(isPrintable: false, .signing)),
        Row("secret -change -forcePrintable", SecretTopic.change(isPrintable: true, .signing)),
        Row("secret -setKeyID mykeyid", SecretTopic.setKeyID("mykeyid")), Row("secret -getKeyID", SecretTopic.getKeyID),
        Row("secret -clearKeyID", SecretTopic.setKeyID(nil)),
        Row("secret -messageSigningKey change", SecretTopic.changeMessageKey(isCleared: false)),
        Row("secret -messageSigningKey clear", SecretTopic.changeMessageKey(isCleared: true)),
        Row("secret -messageSigningKey get-raw", SecretTopic.getMessageKey(.raw)),
        Row("secret -messageSigningKey get-base64", SecretTopic.getMessageKey(.base64)),
        Row("secret -messageSigningKey get-base64url", SecretTopic.getMessageKey(.base64url)),
        Row("keyset -kid mykey -add RS256", KeySetTopic.add(.rs256, id: "mykey", bits: nil)),
        Row("keyset -add RS256 -keyLength 4096", KeySetTopic.add(.rs256, id: nil, bits: 4096)),
        Row("keyset -list", KeySetTopic.list), Row("keyset -kid mykey -remove", KeySetTopic.remove(id: "mykey")),
        Row("keyset -remove -kid mykey", KeySetTopic.remove(id: "mykey")),
        Row("keyset -kid mykey -getPEM mykey.pem", KeySetTopic.getPEM(file: "mykey.pem", id: "mykey")),
        Row("keyset -getJWKS keys.jwks", KeySetTopic.getJWKS(file: "keys.jwks")),
        Row("keyset -import byok.jwk", KeySetTopic.importKeys(file: "byok.jwk", id: nil, nil)),
        Row("keyset -import a.pem -kid a -alg ES256", KeySetTopic.importKeys(file: "a.pem", id: "a", .es256)),
        Row("api -getAll apis.json", DomainTopic.getAll(file: "apis.json")),
        Row("api -setAll apis.json", DomainTopic.setAll(file: "apis.json")),
        Row("pin -api mydomain.com -add key:A", PinTopic.add("key:A", domain: "mydomain.com")),
        Row("pin -remove key:A -api mydomain.com", PinTopic.remove("key:A", domain: "mydomain.com")),
        Row("pin -api mydomain.com -list", PinTopic.list(domain: "mydomain.com")),
        Row("$ approov pin -forceApplyPins", PinTopic.forceApply),
    ]

    private static let addition =
        "registration -add my_app.aab -signature S= -appID a.b -appVersion 2.0[3] -libraryID 1042 -sdk Android(2.6.0) "
        + "-bundle -unversioned -versionName special -expireAfter 3d12h"

    private static func services() throws -> [Row] {
        let id = try #require(DeviceID(bob))
        var key = DeviceCheckTopic.Options(keyID: "XXXXXXXXXX")
        let plain = Row("devicecheck -addAuthKey AuthKey_XXXXXXXXXX.p8", DeviceCheckTopic.addAuthKey(key))
        (key.teamID, key.bits, key.expiry) = ("YYYYYYYYY", .bit0, 24)
        return [
            plain,
            Row(
                "$ approov devicecheck -addAuthKey keys/AuthKey_XXXXXXXXXX.p8 -teamID YYYYYYYYY -bits bit0 -expiry 24",
                DeviceCheckTopic.addAuthKey(key)),
            Row(
                "devicecheck -addAuthKey AuthKey_XXXXXXXXXX.p8 -expiry 24m -bits bit0 -teamID YYYYYYYYY",
                DeviceCheckTopic.addAuthKey(key)),
            Row("devicecheck -remove", DeviceCheckTopic.remove), Row("safetynet -set XXXX", SafetyNetTopic.set("XXXX")),
            Row("safetynet -remove", SafetyNetTopic.remove),
            Row("appsigncert -add cert.der", CertificateTopic.add("cert.der")),
            Row("appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1", CertificateTopic.remove("C0:F3:15:9B:A5:6C:A8:E1")),
            Row(
                addition,
                RegistrationTopic.add(try RegistrationAddition(CommandInvocation(CommandWords.split(addition))))
            ),
            Row("registration -list", RegistrationTopic.list),
            Row("registration -remove 'Ac=com.demo-2.0[3]-2974'", RegistrationTopic.remove("Ac=com.demo-2.0[3]-2974")),
            Row(
                "registration -removeMatching com.criticalblue.demo,30d",
                RegistrationTopic.removeMatching(package: "com.criticalblue.demo", age: 30 * 86_400)),
            domain("mydomain.com", algorithm: "HS256"),
            domain("mydomain.com -keySetKID k", .keyset, keyID: "k"),
            domain("mydomain.com -jwe -port 8443", algorithm: "A256GCMKW", port: 8443),
            domain(
                "mydomain.com -pinType none -port 8443", algorithm: "HS256", pinType: DomainAddition.PinType.none,
                port: 8443),
            domain("mydomain.com -pinType local", algorithm: "HS256", pinType: .local),
            domain("mydomain.com -pinType remote", algorithm: "HS256", pinType: .remote),
            domain("other.com -pinOnly", .pinOnly),
            domain("shapes.approov.io", .restricted, algorithm: "HS256"),
            Row("api -remove mydomain.com", DomainTopic.remove("mydomain.com")),
            Row("device -getDeviceState \(bob)", DeviceTopic.query(.state(id))),
            Row("device -getInfo new-did", DeviceTopic.query(.information(.newDevices, clears: false))),
            Row("device -getInfo new-did -clear", DeviceTopic.query(.information(.newDevices, clears: true))),
            Row("device -getInfo filtered", DeviceTopic.query(.information(.filteredDevices, clears: false))),
            Row("device -getInfo \(bob)", DeviceTopic.query(.information(.device(id), clears: false))),
            Row("device -getFetches timed", DeviceTopic.query(.fetches(isTimed: true, clears: false))),
            Row("device -getFetches untimed -clear", DeviceTopic.query(.fetches(isTimed: false, clears: true))),
        ]
    }

    private static let team: [Row] = [
        Row(
            "users -add bob@a.com",
            UserTopic.add(
                .init(kind: .dev, email: "bob@a.com", name: "bob", lifetime: nil, isPasswordProtected: true))),
        Row(
            "users -add me@a.com -userName 'CI Machine' -automation -expireAfter 2h",
            UserTopic.add(
                .init(
                    kind: .automation, email: "me@a.com", name: "CI Machine", lifetime: 7_200,
                    isPasswordProtected: false))),
        Row("users -list", UserTopic.list), Row("users -revoke dev-1234", UserTopic.revoke("dev-1234")),
        Row("users -getManagementToken dev-1234", UserTopic.getManagementToken("dev-1234")),
        Row("monitoring -addAPI a.com", MonitoringTopic.addAPI("a.com", port: 443)),
        Row("monitoring -addAPI a.com -port 8443", MonitoringTopic.addAPI("a.com", port: 8443)),
        Row("monitoring -removeAPI a.com", MonitoringTopic.removeAPI("a.com")),
        Row("monitoring -resumeAPINotifications", MonitoringTopic.resumeNotifications),
        Row("monitoring -add a@b.c", MonitoringTopic.add("a@b.c")), Row("monitoring -get", MonitoringTopic.get),
        Row("monitoring -remove a@b.c", MonitoringTopic.remove("a@b.c")),
        Row("monitoring -selectDailySummary", MonitoringTopic.select(.daily)),
        Row("monitoring -selectMonthlySummary", MonitoringTopic.select(.monthly)),
        Row("monitoring -setEmergencyContact 'call us'", MonitoringTopic.setEmergencyContact("call us")),
        Row("monitoring -getHealthCheckURL", MonitoringTopic.getHealthCheckURL),
        Row("registration -cloneTo b.yaml", RegistrationTopic.clone(.file("b.yaml"))),
        Row("registration -cloneToAccounts a,b", RegistrationTopic.clone(.named(["a", "b"]))),
        Row("registration -cloneToAllDelegateAccounts", RegistrationTopic.clone(.all)),
    ]

    @Test func understandsEveryCommand() throws {
        let rows =
            try Self.filters() + Self.others() + Self.devices + Self.services() + Self.settings + Self.questions
            + Self.tokens + Self.team
        for row in rows {
            #expect(AnyHashable(try ManagementCommand(row.line).topic) == AnyHashable(row.command), "\(row.line)")
        }
        let used = Set(rows.compactMap { Self.name($0.line) })
        #expect(
            used == Set(ManagementCommand.topics.flatMap { topic in topic.actions.map { "\(topic.name) \($0.name)" } }))
    }

    // `topic -action` of a line.
    private static func name(_ line: String) -> String? {
        guard let words = try? CommandWords.split(line) else { return nil }
        // Options may be in front of the action.
        let names = ManagementCommand.topics.first { $0.name == words.first }?.actions.map(\.name) ?? []
        return words.first { names.contains($0) }.map { "\(words[0]) \($0)" }
    }
}

/// Command lines are split as a shell would split them.
@Suite struct CommandWordsTests {
    struct Row: LabelledRow {
        let line: String
        let words: [String]

        init(_ line: String, _ words: [String]) { (self.line, self.words) = (line, words) }
    }

    static let rows = [
        Row("", []), Row("   ", []), Row("a", ["a"]), Row(" a\tb \n c ", ["a", "b", "c"]),
        Row(#"a "b c" d"#, ["a", "b c", "d"]), Row("a 'b c' d", ["a", "b c", "d"]), Row(#"a"b c"d"#, ["ab cd"]),
        Row(#"'a'"b"c"#, ["abc"]), Row(#""""#, [""]), Row("''", [""]), Row(#"a '' b"#, ["a", "", "b"]),
        Row(#"a\ b"#, ["a b"]), Row(#"\"a\'"#, [#""a'"#]), Row(#"a\\b"#, [#"a\b"#]), Row(#"\ "#, [" "]),
        Row(#""a\"b""#, [#"a"b"#]), Row(#""a\\b""#, [#"a\b"#]), Row(#"'a\b'"#, [#"a\b"#]), Row(#"'a\'"#, [#"a\"#]),
        Row(#""it's""#, ["it's"]), Row(#"'say "x"'"#, [#"say "x""#]), Row("ü \"é 🚗\"", ["ü", "é 🚗"]),
        Row("'\u{301}x' y", ["\u{301}x", "y"]), Row("x'\u{1F3FD} '", ["x\u{1F3FD} "]),
        Row("a=b,c+d", ["a=b,c+d"]), Row(#"'1\.2'"#, [#"1\.2"#]),
    ]

    static let prompts = [
        Row("$ approov policy -set x", ["policy", "-set", "x"]), Row("approov policy -set x", ["policy", "-set", "x"]),
        Row("$ policy -set x", ["policy", "-set", "x"]), Row("policy -set x", ["policy", "-set", "x"]),
        Row("$  approov  policy", ["policy"]), Row("approov approov", ["approov"]), Row("$", []), Row("$ approov", []),
        Row("policy approov", ["policy", "approov"]),
    ]

    // Inside double quotes `\` is kept before all but `"`, `\`, `$`, a backtick and a newline: else a regex typed as in
    // the manual, in double quotes, would lose its escapes.
    static let kept = [
        Row(#""\d+""#, [#"\d+"#]), Row(#""1\.2\.3\.4""#, [#"1\.2\.3\.4"#]), Row(#""a\\\.b""#, [#"a\\.b"#]),
    ]

    @Test(arguments: rows + prompts + kept) func splits(_ row: Row) throws {
        #expect(try CommandWords.split(row.line) == row.words)
    }

    static let refusals = [
        (#"a "b"#, "quote \" is not closed"), ("a 'b", "quote ' is not closed"), (#"a "b\""#, "quote \" is not closed"),
        (#"'it's'"#, "quote ' is not closed"), (#"a\"#, #"the command ends with `\`"#),
    ]

    @Test(arguments: refusals) func refuses(line: String, message: String) {
        #expect(throws: CommandError(message)) { try CommandWords.split(line) }
    }
}
