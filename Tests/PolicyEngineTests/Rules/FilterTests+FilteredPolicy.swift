import Testing

@testable import PolicyEngine
@testable import TestSupport

extension FilterTests {
    // The warning about equal rules is shown where accounts are loaded.
    @Suite("R7.3 The filtered policy") struct FilteredPolicy {
        struct Row: LabelledRow {
            let label: String
            var account = "default,default,default"
            var filtered: String? = "alt-rules,allow-root,risk"
            var own: String?
            var ip = "1.2.3.4"
            var sampled = "0"
            let policy: String
        }

        static let rows = [
            Row(label: "matched, other rules", policy: "alt-rules,allow-root,risk"),
            Row(label: "not matched", ip: "5.6.7.8", policy: "default,default,default"),
            Row(label: "sampled, not matched", ip: "5.6.7.8", sampled: "100", policy: "alt-rules,allow-root,risk"),
            Row(label: "sampled and matched", sampled: "100", policy: "alt-rules,allow-root,risk"),
            Row(
                label: "the same rules do nothing", filtered: "default,allow-root,risk",
                policy: "default,default,default"),
            Row(
                label: "the same rules do nothing for the sampled", filtered: "default,allow-root,risk", sampled: "100",
                policy: "default,default,default"),
            Row(
                label: "rules are compared with the account's, not with default",
                account: "alt-rules,default,default", policy: "alt-rules,default,default"),
            Row(
                label: "default differs from other rules", account: "alt-rules,default,default",
                filtered: "default,allow-root,risk", policy: "default,allow-root,risk"),
            Row(label: "no entry", filtered: nil, sampled: "100", policy: "default,default,default"),
            Row(
                label: "the device's own goes first", own: "default,whitelist,all", sampled: "100",
                policy: "default,whitelist,all"),
            Row(
                label: "R3.2 rules that nobody declared have no effect", filtered: "unheard-of,strict,all",
                policy: "default,default,default"),
            Row(
                label: "R3.2 nor for the sampled", filtered: "unheard-of,strict,all", sampled: "100",
                policy: "default,default,default"),
            Row(
                label: "R3.2 nor where the account has rules of its own", account: "alt-rules,default,default",
                filtered: "unheard-of,strict,all", sampled: "100", policy: "alt-rules,default,default"),
        ]

        @Test("R7.3 which policy is applied", arguments: rows) func policyIsChosen(_ row: Row) throws {
            var account = try Account.sample(row.account.replacing("alt-rules", with: "default"))
            account.declaredRules = ["alt-rules"]
            account.policy = try account.securityPolicy(row.account)
            account.samplingPercentage = try #require(Percentage(row.sampled))
            try account.append(.exact("myip", "ip", "1.2.3.4", .executeFilteredPolicy))
            if let filtered = row.filtered { try account.append(account.entry(Sample.filteredPolicy, filtered)) }
            if let own = row.own { try account.append(account.entry(Sample.device, own)) }
            var service = Service(account)
            #expect(try service.attest(with: ["ip": row.ip]).policy == row.policy)
        }

        @Test("R7.3 only a filter that says so executes it") func otherFiltersDoNot() throws {
            let others: Filter.Options = [.reject, .risky, .captureDeviceInformation]
            var account = try Account.sample(
                rules: ["alt-rules"], filters: [.exact("myip", "ip", "1.2.3.4", others)])
            try account.append(account.entry(Sample.filteredPolicy, "alt-rules,whitelist,all"))
            var service = Service(account)
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).policy == "default,default,default")
        }

        @Test("R7.3 an entry without a policy, on either side, changes nothing") func entriesWithoutPolicies() throws {
            var account = try Account.sample(
                rules: ["alt-rules"], filters: [.exact("myip", "ip", "1.2.3.4", .executeFilteredPolicy)])
            try account.append(account.entry(Sample.filteredPolicy))
            try account.append(account.entry())
            var service = Service(account)
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).policy == "default,default,default")
            try account.set(account.entry(Sample.filteredPolicy, "alt-rules,whitelist,all"))
            service.change(to: account)
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).policy == "alt-rules,whitelist,all")
        }

        @Test("R7.3 verdict, lifetime and annotation are the filtered policy's") func everythingIsTheFilteredPolicys()
            throws
        {
            var account = try Account.sample(
                rules: ["alt-rules"], filters: [.exact("myip", "ip", "1.2.3.4", .executeFilteredPolicy)])
            try account.append(account.entry(Sample.filteredPolicy, "alt-rules,allow-raj-only-short-lifetime,xposed"))
            var service = Service(account)
            let outcome = try service.attest(["rooted", "xposed"], with: ["ip": "1.2.3.4"])
            #expect(outcome.passed)
            #expect(outcome.lifetime == 45)
            #expect(outcome.annotations == ["xposed"])
            let usual = try service.attest(["rooted", "xposed"], with: ["ip": "5.6.7.8"])
            #expect(usual.rejections == ["rooted", "xposed"])
            #expect(usual.lifetime == 120)
            #expect(usual.annotations == nil)
        }

        @Test("R7.3 a conjunction may execute it") func conjunctionExecutes() throws {
            var account = try Account.sample(
                rules: ["alt-rules"],
                filters: [.exact("myip", "ip", "1.2.3.4"), .conjunction("same", ["myip"], .executeFilteredPolicy)])
            try account.append(account.entry(Sample.filteredPolicy, "alt-rules,whitelist,all"))
            var service = Service(account)
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).policy == "alt-rules,whitelist,all")
        }

        @Test("R7.3 effective is what differs in rules") func effectivePolicy() throws {
            var account = try Account.sample(rules: ["alt-rules"])
            #expect(account.effectiveFilteredPolicy == nil)
            try account.set(account.entry(Sample.filteredPolicy, "default,strict,all"))
            #expect(account.effectiveFilteredPolicy == nil)
            #expect(account.filteredPolicyEntry?.policy?.description == "default,strict,all")
            try account.set(account.entry(Sample.filteredPolicy, "alt-rules,strict,all"))
            #expect(account.effectiveFilteredPolicy?.description == "alt-rules,strict,all")
            try account.set(account.entry(Sample.filteredPolicy, "unheard-of,strict,all"))
            #expect(account.effectiveFilteredPolicy == nil)
        }
    }
}

extension FilterTests {
    @Suite("R7.6 Sampling") struct SamplingOfDevices {
        /// A draw, worked out with Python's hashlib, and the thresholds just above and just below it.
        struct Draw: LabelledRow {
            let device: String
            let day: String
            let account: String
            let draw: UInt64
            let out: String
            let sampled: String

            var testDescription: String { "\(device)|\(day)|\(account)" }

            init(_ text: String, _ draw: UInt64, out: String, sampled: String) {
                let parts = text.split(separator: "|").map(String.init)
                (device, day, account) = (parts[0], parts[1], parts[2])
                (self.draw, self.out, self.sampled) = (draw, out, sampled)
            }
        }

        static let draws = [
            Draw(
                "h4gubfCFzJu81j/U2BJsdg==|2020-07-23|test-account", 0xC463_B503_7DE1_A5D1, out: "76.714640937",
                sampled: "76.714640938"),
            Draw(
                "h4gubfCFzJu81j/U2BJsdg==|2020-07-23|account", 0xE61E_3218_7390_4572, out: "89.889824959",
                sampled: "89.889824960"),
            Draw(
                "h4gubfCFzJu81j/U2BJsdg==|2020-07-24|test-account", 0x483D_CAB0_1FCF_ECCB, out: "28.219286727",
                sampled: "28.219286728"),
            Draw(
                "w4mmGFZkpz5oPz6w6gl1Cw==|2020-07-24|test-account", 0x1393_68FF_9464_CFA9, out: "7.646805038",
                sampled: "7.646805039"),
            Draw(
                "qZka0yfv+ExvOq3PRh6pGw==|2020-12-31|account", 0x0143_F9C4_0558_BCDF, out: "0.494347606",
                sampled: "0.494347607"),
            Draw(
                "qZka0yfv+ExvOq3PRh6pGw==|2021-01-01|account", 0x908A_B1E5_E1C3_0A44, out: "56.461631643",
                sampled: "56.461631644"),
            Draw(
                "ExampleApproovTokenDID==|2020-02-29|konto-\u{E9}", 0x17CC_2F2C_7912_4874, out: "9.295935474",
                sampled: "9.295935475"),
            Draw(
                "h4gubfCFzJu81j/U2BJsdg==|1969-12-31|account", 0x1783_0096_495A_0636, out: "9.184268635",
                sampled: "9.184268636"),
        ]

        @Test("R7.6 the draw is the start of SHA-256 over device, day and account", arguments: draws)
        func drawIsTheHash(_ row: Draw) throws {
            let device = try #require(DeviceID(row.device))
            let time = try #require(Instant(rfc3339: "\(row.day)T12:00:00Z"))
            #expect(Sampling.draw(device: device, day: time.date, account: row.account) == row.draw)
        }

        @Test("R7.6 thresholds just below and just above the draw", arguments: draws)
        func thresholdsAreSharp(_ row: Draw) throws {
            for (percentage, isSampled) in [(row.out, false), (row.sampled, true), ("0", false), ("100", true)] {
                for clock in ["00:00:00", "12:34:56", "23:59:59"] {
                    var service = Service(try Self.account(named: row.account, percentage))
                    let time = try #require(Instant(rfc3339: "\(row.day)T\(clock)Z"))
                    let policy = try service.attest(by: row.device, at: time).policy
                    #expect(policy == (isSampled ? Self.filtered : Self.usual), "\(percentage) at \(clock)")
                }
            }
        }

        /// Draws of 2020-07-20 to 2020-07-31 for the account `test-account`, in percent (hashlib).
        static let days: [(device: String, percentages: [Double])] = [
            (
                "h4gubfCFzJu81j/U2BJsdg==",
                [94.01, 98.04, 84.71, 76.71, 28.22, 84.08, 13.19, 95.90, 46.42, 74.33, 19.58, 98.22]
            ),
            (
                "w4mmGFZkpz5oPz6w6gl1Cw==",
                [58.00, 47.52, 47.21, 37.52, 7.65, 88.20, 6.54, 98.77, 60.76, 68.88, 28.08, 32.81]
            ),
            (
                "qZka0yfv+ExvOq3PRh6pGw==",
                [50.04, 7.56, 10.76, 30.66, 3.74, 22.36, 67.94, 78.58, 26.55, 10.66, 59.88, 1.74]
            ),
        ]

        @Test("R7.6 one device on one day is always in or always out, and the selection moves with the day")
        func selectionMoves() throws {
            var service = Service(try Self.account(named: Sample.accountName, "50"))
            let start = try #require(Instant(rfc3339: "2020-07-20T00:00:00Z"))
            for day in 0..<12 {
                for second in [0, 43_200, 86_399] {
                    for (device, percentages) in Self.days {
                        let time = start + (day * 86_400 + second)
                        let policy = try service.attest(by: device, at: time).policy
                        #expect(policy == (percentages[day] < 50 ? Self.filtered : Self.usual), "\(device) \(time)")
                    }
                }
            }
        }

        @Test("R7.6 a change of the percentage affects the same day") func percentageChanges() throws {
            var account = try Self.account(named: Sample.accountName, "76.714640937")
            var service = Service(account)
            #expect(try service.attest().policy == Self.usual)
            account.samplingPercentage = try #require(Percentage("76.714640938"))
            service.change(to: account)
            #expect(try service.attest().policy == Self.filtered)
            service.clearDeviceState()
            #expect(try service.attest().policy == Self.filtered)
            account.samplingPercentage = .zero
            service.change(to: account)
            #expect(try service.attest().policy == Self.usual)
        }

        @Test("R7.6 about the percentage of devices is sampled") func shareIsRight() throws {
            var service = Service(try Self.account(named: Sample.accountName, "20"))
            let policies = try (0..<2000).map { try service.attest(by: Sample.device($0)).policy }
            // 400 are expected; the standard deviation is 17.9.
            #expect(310...490 ~= policies.filter { $0 == Self.filtered }.count)
        }

        @Test("R7.6 the default is 0") func defaultIsZero() {
            #expect(Account(catalogue: FlagCatalogue()).samplingPercentage == .zero)
        }

        static let shown: [Case<String, String>] = [
            Case("0", gives: "0.00%"), Case("0.1", gives: "0.10%"), Case("2", gives: "2.00%"),
            Case("12.5", gives: "12.50%"), Case("99.99", gives: "99.99%"),
            Case("100", gives: "100.00%"), Case("0.004", gives: "0.00%"),
            Case("0.005", gives: "0.01%"), Case("0.004999999", gives: "0.00%"),
            Case("99.995", gives: "100.00%"), Case("7.05", gives: "7.05%"),
        ]

        @Test("R7.6 shown with two decimals", arguments: shown)
        func percentageIsShown(_ row: Case<String, String>) throws {
            #expect(try #require(Percentage(row.input)).description == row.expected)
        }

        private static let usual = "default,default,default"
        private static let filtered = "alt-rules,whitelist,all"

        private static func account(named name: String, _ percentage: String) throws -> Account {
            var account = try Account.sample(rules: ["alt-rules"])
            account.name = name
            account.samplingPercentage = try #require(Percentage(percentage))
            try account.append(account.entry(Sample.filteredPolicy, filtered))
            return account
        }
    }
}
