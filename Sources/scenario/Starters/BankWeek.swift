/// A week of the example bank: a scenario with its devices, and the capture of what they sent.
///
/// Groups of both weeks have the same names, so that most devices are in both.
struct BankWeek {
    private let name: String
    private let start: String
    /// The versions of the app by their shares, on Android and on iOS.
    private let android: String
    private let ios: String
    /// The groups that are there in this week alone, and what the week expects of them.
    private let newGroups: String
    private let newExpectations: String
    private let count: Int

    /// An entry of the account lets this rooted customer in.
    static let branchManager = "QmFuayBvZiBFeGFtcGxlMQ=="
    /// An entry of the account lets this phone in, which the bank has sold.
    static let testPhone = "QmFuayBvZiBFeGFtcGxlMg=="

    /// The week before the farm came and version 5.10 of the app was released.
    static let last = BankWeek(
        name: "last", start: "2026-01-05", android: "{5.9(214): 86%, 5.8(209): 14%}", ios: "{5.9: 87%, 5.8: 13%}",
        newGroups: "", newExpectations: "", count: 6800)

    /// The week of which the account is tried.
    static let this = BankWeek(
        name: "this", start: "2026-01-12", android: "{5.9(214): 86%, 5.8(209): 10.5%, 5.10(221): 3.5%}",
        ios: "{5.9: 87%, 5.8: 10%, 5.10: 3%}",
        newGroups: """

              # Phones in a rack, which the fraud department knows: no flag shows them.
              farm:
                count: 46
                activity: {zipf: 0, rhythm: even, weight: 2}
                attributes: {device: "Android 7.1.2, SM-G955F, samsung, dream2lte, en_GB", ip: 203.0.113.0/24, app-version: 5.9(214)}
            """,
        newExpectations: """

                  - {group: farm, pass: 46, filters: {farm: 46}}
            """,
        count: 7000)

    /// The path of the scenario.
    var scenarioPath: String { "Scenarios/\(name)-week.yaml" }
    /// The path of the capture.
    var capturePath: String { "captures/\(name)-week.jsonl" }
    /// The capture of a whole week.
    var capture: StarterCapture {
        StarterCapture(path: capturePath, scenario: scenarioPath, count: count, duration: 7 * 86_400)
    }

    /// The text of the scenario.
    var scenario: String {
        """
        # The devices of \(capturePath), which this command wrote from the folder of the project:
        #   scenario generate \(scenarioPath) --events \(count) --duration 7d --verdicts --output \(capturePath)
        scenario: The devices of \(name) week
        account: accounts/bank.yaml
        start: \(start)T00:00:00Z
        seed: 12
        activity: {zipf: 0.2, rhythm: day}
        devices:
          android:
            count: 1000
            # Each device draws once.
            flag-rates: {rooted: 1%, root-risk: 1.5%, frida: 0.2%, debug: 0.1%, cloned: 0.3%, safetynet-unavailable: 1%,
                         safetynet-fail-profile: 2%}
            attributes:
              device: {choose: {"Android 14, Pixel 8, google, shiba, en_GB": 27%, "Android 14, SM-S911B, samsung, dm1q, de_DE": 26%,
                                "Android 13, SM-A536B, samsung, a53x, fr_FR": 25%, "Android 11, SM-G973F, samsung, beyond1, en_GB": 13%,
                                "Android 9, SM-G960F, samsung, starlte, de_DE": 7%, "Android 7.1.2, SM-J330F, samsung, j3y17, fr_FR": 2%}}
              ip: {choose: {198.51.100.0/24: 70%, 192.0.2.0/24: 30%}}
              app-version: {choose: \(android)}
              # The app says how somebody became a customer.
              user-property: \(Self.branches)
          xiaomi:
            count: 140
            # Phones of Spain, of which many lack the services of Google.
            flag-rates: {rooted: 2%, safetynet-unavailable: 18%}
            attributes:
              device: "Android 12, M2101K6G, Xiaomi, sweet, es_ES"
              ip: {choose: {198.51.100.0/24: 70%, 192.0.2.0/24: 30%}}
              app-version: {choose: \(android)}
              user-property: \(Self.branches)
          ios:
            count: 880
            flag-rates: {jailbroken: 0.6%, devicecheck-unavailable: 3%}
            attributes:
              device: {choose: {"iOS, 17.2, iPhone15,2, en_GB": 38%, "iOS, 17.2, iPhone14,5, de_DE": 30%,
                                "iOS, 16.7, iPhone12,1, fr_FR": 22%, "iOS, 15.8, iPhone9,3, es_ES": 10%}}
              ip: {choose: {198.51.100.0/24: 70%, 192.0.2.0/24: 30%}}
              app-version: {choose: \(ios)}
              user-property: \(Self.branches)
          travellers:
            count: 21
            # Customers behind a VPN, whose addresses are those of the hosting company.
            attributes: {device: "Android 14, Pixel 8, google, shiba, en_GB", ip: 203.0.113.0/24, app-version: 5.9(214),
                         user-property: {choose: {online: 70%, branch 3: 30%}}}
          fakes:
            count: 11
            # A copy of the app with other code, out of an unofficial store.
            registered: false
            attributes: {device: "Android 9, Redmi 7, xiaomi, onclite, id_ID", ip: 192.0.2.0/24, app-version: 5.8(209)}
          stolen:
            count: 9
            attributes: {device: "Android 11, SM-G973F, samsung, beyond1, en_GB", ip: 192.0.2.0/24, app-version: 5.1(117)}\(newGroups)
          branch-manager:
            id: \(Self.branchManager)
            flags: [rooted]
            attributes: {device: "Android 13, SM-A536B, samsung, a53x, fr_FR", ip: 192.0.2.77, app-version: 5.9(214),
                         user-property: branch 3}
          test-phone:
            id: \(Self.testPhone)
            flags: [rooted, frida]
            attributes: {device: "Android 9, SM-G960F, samsung, starlte, de_DE", ip: 198.51.100.19, app-version: 5.9(214)}
        steps:
          - at: 0s
            fetch: all
            expect:
              - {group: stolen, fail: 9, rejections: ["filter:stolen-version"]}
              - {group: fakes, fail: 11, rejections: [app-not-registered]}
              - {group: travellers, pass: 21, filters: {hosting: 21}}
              - {group: branch-manager, pass: 1}
              - {group: test-phone, pass: 1}\(newExpectations)

        """
    }

    private static let branches = "{choose: {online: 80%, branch 3: 7%, branch 12: 8%, branch 34: 5%}}"
}
