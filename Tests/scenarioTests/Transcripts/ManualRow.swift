import Testing

@testable import TestSupport

/// A block of the manual that is run, and the account that it fits.
struct ManualRow: LabelledRow {
    let name: String
    /// The account file.
    var account = "{}"
    /// Files beside it.
    var files: [String: String] = [:]
    /// Options in front of the command.
    var options: [String] = []
    var comparison = Comparison.lines

    init(
        _ name: String, _ account: String = "{}", files: [String: String] = [:], options: [String] = [],
        comparing comparison: Comparison = .lines
    ) {
        (self.name, self.account, self.options, self.comparison) = (name, account, options, comparison)
        self.files = files
    }

    /// Makes a row of which every domain presents a pin.
    init(
        _ name: String, _ account: String = "{}", presenting pin: String, comparing comparison: Comparison = .lines
    ) {
        let chains = ["mydomain.com", "myotherdomain.com", "shapes.approov.io"]
            .map { "  \($0): {chain: [\"\(pin)\"]}\n" }
        self.init(
            name, account, files: ["backends.yaml": "scenario: s\nbackends:\n\(chains.joined())"],
            options: ["--backends", "@backends.yaml"], comparing: comparison)
    }

    /// The comparison of an output with the manual.
    enum Comparison: Sendable {
        /// Line by line; `...` stands for any lines, and at the end of one for the rest of it, as `…` does.
        case lines
        /// The manual leaves lines out without a sign: its lines must be there, in their order.
        case amongOthers
        /// The manual shows lines of a list with fewer spaces than the list itself.
        case words
        /// Likewise, and `...` stands for other lines.
        case someWords
    }

    /// The blocks that are run, in the order of the manual.
    static let all =
        domains + pins + apps + policies + devices + filters + services + tokens + monitoring
        + users

    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    private static let domains = [
        ManualRow("api -list", "apis: [{domain: mydomain.com}, {domain: shapes.approov.io, type: restricted}]"),
        ManualRow("api -remove mydomain.com", "apis:\n  - {domain: mydomain.com}\n  - domain: other.com"),
        ManualRow("api -add shapes.approov.io", "apis: [{domain: mydomain.com}]"),
        ManualRow("api -add mydomain.com -pinType none"),
        ManualRow("api -add mydomain.com", presenting: leaf), ManualRow("api -add mydomain.com (2)", presenting: leaf),
        ManualRow(
            "api -add mydomain.com -pinType remote", presenting: "OfxtkIyzmWFXb028KrIr3VqP0XHW41mbunxtNnS3eb4=",
            comparing: .amongOthers),
        ManualRow(
            "api -add myotherdomain.com -pinOnly", presenting: "kJ8+U7wNPfc5vxwnQYvlffbaZA6wwCvd/eC8YMpB+sU="),
        ManualRow(
            "api -check",
            "apis: [{domain: mydomain.com}, {domain: shapes.approov.io, type: restricted, pins: ['\(leaf)']}]",
            presenting: leaf),
    ]

    private static let leaf = "JG29gD8vWiEanTCVPjYLQ5yiYMKQqR05OH38yFf0kBU="
    private static let backup = "Q62DnTGJsy1h+ude8HB5ZjKy0Vhg2pvTzjplWSD3hkk="

    private static let pins = [
        ManualRow("pin -api mydomain.com -add \(backup)", "apis: [{domain: mydomain.com}]"),
        ManualRow("pin -api mydomain.com -list", "apis: [{domain: mydomain.com, pins: ['\(backup)']}]"),
        ManualRow("pin -api mydomain.com -remove \(backup)", "apis: [{domain: mydomain.com, pins: ['\(backup)']}]"),
        ManualRow("pin -api shapes.approov.io -getLeafPin matching", presenting: leaf),
        ManualRow(
            "pin -api mydomain.com -getLeafPin local -port 8000",
            presenting: "0vNoWx4vRXJCQggeFuEx6/5yyhXVl/VScIN18PmL7co="),
        ManualRow("pin -forceApplyPins"),
    ]

    private static let certificate = """
        app-signing-certs:
          - fingerprint: "C0:F3:15:9B:A5:6C:A8:E1"
            subject: CN=ANOther,O=CriticalBlue,L=Edinburgh,C=UK
            expiry: 2041-05-21T09:41:12Z
        """

    private static let (android, ios) = (
        "{app-sig: Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=, appid: com.criticalblue.demo, "
            + "app-version: 2.0(3), sdk: Android(2.5.0), library-id: 2974",
        "{app-sig: P6nTmI3fhftxUr740ZnUMGKuAyTYjxP5dxKzJGd9yOk=, appid: approov.io.client.swift.shapes-client, "
            + "app-version: 1.0(1), sdk: iOS(2.5.0), library-id: 4803, added: 2019-05-15T18:03:31Z}"
    )

    private static let registrations = """
        registrations:
          - \(android), added: 2019-05-15T18:03:17Z}
          - \(ios)
          - \(android), added: 2019-05-29T14:49:36Z, expiry: 2019-06-01T14:49:36Z}
        """

    private static let special = """
        registrations:
          - {app-sig: Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=, appid: com.criticalblue.demo, app-version: special,
             sdk: Android(2.0.4), library-id: 1041, added: 2019-05-29T17:07:22Z}
          - \(ios)
        """

    private static let aged = """
        registrations:
          - \(android), added: 2019-05-05T16:01:46Z}
          - {app-sig: A4rcdXpfEOg0wse4snbAURnjRZidPvY63EULzUrZeFE=, appid: com.criticalblue.demo,
             app-version: 3.0(4), library-id: 2974, added: 2019-05-15T18:02:08Z}
          - {app-sig: A4rcdXpfEOg0wse4snbAURnjRZidPvY63EULzUrZeFE=, appid: com.criticalblue.demo,
             app-version: 3.0(5), library-id: 2974, added: 2019-06-15T18:02:08Z}
          - \(ios)
        """

    private static let apps = [
        ManualRow("appsigncert -list", certificate),
        ManualRow("appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1", certificate),
        ManualRow("registration -list", registrations),
        ManualRow("registration -list | grep iOS", registrations, comparing: .words),
        ManualRow("registration -list | grep special", special, comparing: .words),
        // The one that ends needs no confirmation.
        ManualRow(
            "registration -remove Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=com.criticalblue.demo-2.0[3]-2974",
            "registrations:\n  - \(ios)\n  - \(android), expiry: 2019-06-01T14:49:36Z}"),
        ManualRow(
            "registration -remove "
                + "P6nTmI3fhftxUr740ZnUMGKuAyTYjxP5dxKzJGd9yOk=approov.io.client.swift.shapes-client-1.0[1]-4803",
            registrations),
        ManualRow(
            "registration -removeMatching com.criticalblue.demo,30d", aged, options: ["--at", "2019-07-01T00:00:00Z"]),
    ]

    private static let policies = [
        ManualRow("policy -setARC on", "arc: off"), ManualRow("policy -getARC"),
        ManualRow("policy -setIPTracking none"), ManualRow("policy -getIPTracking", "ip-tracking: none"),
        ManualRow("policy -setAudience on"), ManualRow("policy -getAudience", "audience: on"),
        ManualRow("policy -setIssuer on"), ManualRow("policy -getIssuer", "issuer: on"),
        ManualRow("policy -setPinningTestURL https://mydomain.com:443"),
        ManualRow("policy -removePinningTestURL", "pinning-test-url: https://mydomain.com:443"),
        ManualRow("policy -get", "policy: default,allow-root,all"),
        ManualRow("policy -set default,allow-root-and-jailbroken,xposed"),
        ManualRow("policy -addRejectFlag automated"),
        ManualRow("policy -removeRejectFlag automated", "reject-flags: {add: [automated]}"),
    ]

    private static let one = """
        devices:
          - {id: \(bob), policy: "default,whitelist,all", pin-mode: unpin, user: A N Other}
        """

    private static let three = """
        \(one)
          - {id: VI2c+UugQ6L7v0wkovXOSg==, policy: "default,whitelist,all", user: A N Other}
          - {id: iDpOemiTdame9qvAQF4w/g==, policy: "default,whitelist,all", user: Me}
        """

    private static let devices = [
        ManualRow("device -add qZka0yfv+ExvOq3PRh6pGw== -probeURL https://shapes.approov.io:443"),
        ManualRow("device -add \(bob) -pinMode block", comparing: .amongOthers),
        ManualRow("device -add \(bob) -pinMode pin", one, comparing: .amongOthers),
        ManualRow("device -add \(bob) -pinMode blockAll", one, comparing: .amongOthers),
        ManualRow("device -add \(bob) -policy default,whitelist,all", comparing: .amongOthers),
        ManualRow("device -add \(bob) -policy default,blacklist,default -label bobs-iPhone7", comparing: .amongOthers),
        ManualRow("device -add \(bob) -pinMode unpin", comparing: .amongOthers),
        ManualRow("device -list", one), ManualRow("device -list (2)", three),
        ManualRow("device -remove \(bob)", three, comparing: .amongOthers), ManualRow("device -remove \(bob) (2)", one),
        ManualRow("device -removeMatching \"A N Other\"", three),
        ManualRow("device -add \(bob) -banMode ban"), ManualRow("device -add \(bob) -banMode unban", one),
        ManualRow("device -clearDeviceState"),
        ManualRow("device -add ++FilteredSecPolicy++w== -policy alt-rules,default,default"),
    ]

    private static let listed = """
        filters:
          - {name: myip, key: ip, match: 1.2.3.4}
          - name: special-app-sig
            key: app-sig
            match: DRJNqt37tsdHwb9FKFT80dPqXlOHqZnZy68zAiVSsvM=
            new-did-only: true
        """

    private static let myip = "filter -add myip -key ip -matchValue 1.2.3.4"

    private static let filters = [
        ManualRow(myip), ManualRow("\(myip) -captureDeviceInfo", listed), ManualRow("\(myip) -reject", listed),
        ManualRow("\(myip) -ban"), ManualRow("\(myip) -risky", listed), ManualRow("\(myip) -execFilteredSecPolicy"),
        ManualRow(
            "filter -add special-app-sig -key app-sig -matchValue DRJNqt37tsdHwb9FKFT80dPqXlOHqZnZy68zAiVSsvM= "
                + "-newDIDOnly"),
        ManualRow("filter -add android7 -key device -matchValue \"Android 7\" -regex"),
        ManualRow(
            "filter -add both-matched -conjunction android7+myip",
            "filters: [{name: android7, key: device, regex: Android 7}, {name: myip, key: ip, match: 1.2.3.4}]"),
        ManualRow("filter -list", listed), ManualRow("filter -remove special-app-sig", listed),
        ManualRow("filter -setSamplingPercentage 0.1"),
        ManualRow("filter -getSamplingPercentage", "sampling-percentage: 0.1"),
    ]

    private static let secrets = [
        "prod.keys": """
        account-secret: dEitzKUYJLQABwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PQ==
        encryption-secret: 1bgyVw6/9X6ACQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
        message-signing-key: EXTnGxoMbCSwGv6pc8uWlLE5PmxKuNMXdT95uk-oLOTVmHFduTnymebdTeafGU7I
        """
    ]

    private static let keys = "keys: prod.keys"
    private static let at = ["--at", "2019-03-05T13:24:38Z"]
    private static let keySet = ["prod.keys": "key-set: [\(SampleKeys.rsa)]"]

    // A new key is written into a file that the account names from then on.
    private static let tokens = [
        ManualRow("token my-admin.tok -genLongLived server-token,90d", keys, files: secrets, options: at),
        ManualRow("secret -get base64", keys, files: secrets),
        ManualRow("secret -jwe -get base64", keys, files: secrets),
        ManualRow("token -genExample my.api.io", "apis: [{domain: my.api.io}]", options: at),
        ManualRow("token -genExample my.api.io -type invalid", "apis: [{domain: my.api.io}]", options: at),
        ManualRow("secret -setKeyID mykeyid"),
        ManualRow("secret -clearKeyID", "keys: prod.keys", files: ["prod.keys": "key-id: a"]),
        ManualRow("keyset -kid mykey -add RS256"),
        ManualRow(
            "keyset -list", "keys: prod.keys\napis: [{domain: mydomain.com, type: keyset, kid: mykey}]", files: keySet),
        ManualRow("keyset -kid mykey -remove", keys, files: keySet),
        ManualRow("secret -messageSigningKey get-raw", keys, files: secrets),
        ManualRow("secret -messageSigningKey clear", keys, files: secrets),
    ]

    private static let watched = "apis: [{domain: mydomain.com, pins: ['key:A'], monitor-port: 443}]"
    private static let contact = "Email at ops@mydomain.com, out of hours cell +1 23456789"

    private static let told = """
        monitoring:
          emails: [me@mydomain.com, ops-monitoring@smydomain.com]
          emergency-contact: \(contact)
        """

    private static let monitoring = [
        ManualRow("monitoring -addAPI mydomain.com", "apis: [{domain: mydomain.com}]"),
        ManualRow("monitoring -resumeAPINotifications"), ManualRow("monitoring -removeAPI mydomain.com", watched),
        ManualRow("monitoring -add ops-monitoring@mydomain.com"), ManualRow("monitoring -get", told),
        ManualRow(
            "monitoring -remove ops-monitoring@mydoman.com", "monitoring: {emails: [ops-monitoring@mydoman.com]}"),
        ManualRow("monitoring -selectDailySummary"), ManualRow("monitoring -selectMonthlySummary"),
        ManualRow("monitoring -setEmergencyContact \"\(contact)\""),
        ManualRow("monitoring -getHealthCheckURL", "account: my-account"),
    ]

    private static let team = """
        account: myaccount
        keys: prod.keys
        user-roles:
          - {id: admin-5794, email: me@mydomain.com, name: A N Other, expires: 2029-05-08T15:01:05Z}
          - {id: dev-0639, email: me@mydomain.com, name: A N Other, expires: 2029-05-08T15:01:05Z}
          - {id: dev-1234, email: bob@mydomain.com, expires: 2029-05-08T15:01:05Z, password-protected: true}
        """

    private static let machine = """
        \(team)
          - {id: automation-1234, email: me@mydomain, name: CI Machine, expires: 2021-12-04T11:47:11Z}
        """

    private static let users = [
        ManualRow("users -add bob@mydomain.com", team, files: secrets, options: at),
        ManualRow("users -add boss@mydomain.com -admin -expireAfter 7d", team, files: secrets, options: at),
        ManualRow("users -add appdev@theirdomain.com -delegate", team, files: secrets, options: at),
        ManualRow("users -list", team, files: secrets),
        ManualRow("users -revoke dev-1234", team, files: secrets, options: at),
        ManualRow("users -list (2)", machine, files: secrets, comparing: .someWords),
        ManualRow("users -getManagementToken automation-1234", machine, files: secrets, options: at),
    ]

    private static let deviceCheck = "devicecheck: {team-id: YYYYYYYYY, key-id: XXXXXXXXXX, bits: both}"
    private static let safetyNetKey = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"

    private static let services = [
        ManualRow("devicecheck -addAuthKey AuthKey_XXXXXXXXXX.p8 -teamID YYYYYYYYY -bits bit0"),
        ManualRow("devicecheck -get", deviceCheck),
        ManualRow(
            "devicecheck -addAuthKey AuthKey_XXXXXXXXXX.p8 -teamID YYYYYYYYY -bits both", comparing: .amongOthers),
        ManualRow("safetynet -set \(safetyNetKey)"),
        ManualRow("safetynet -get", "safetynet: {api-key: \(safetyNetKey)}"),
        ManualRow("safetynet -remove", "safetynet: {api-key: \(safetyNetKey)}"),
    ]
}
