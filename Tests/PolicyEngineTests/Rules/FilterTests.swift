import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R7 Filters") struct FilterTests {
    static let names: [Case<String, Bool>] = [
        Case("one letter", "a", gives: true),
        Case("one digit", "7", gives: true),
        Case("letters, digits, minus", "special-app-sig-2", gives: true),
        Case("minus alone", "-", gives: true),
        Case("20 characters", "abcdefghij0123456789", gives: true),
        Case("21 characters", "abcdefghij0123456789-", gives: false),
        Case("empty", "", gives: false),
        Case("upper case", "myIP", gives: false),
        Case("underscore", "my_ip", gives: false),
        Case("space", "my ip", gives: false),
        Case("plus", "a+b", gives: false),
        Case("dot", "my.ip", gives: false),
        Case("another alphabet", "fil\u{74}r\u{E9}", gives: false),
    ]

    @Test("R7.1 a name is 1 to 20 of a–z 0–9 -", arguments: names)
    func nameHasItsForm(_ row: Case<String, Bool>) throws {
        #expect(Filter.isName(row.input) == row.expected)
        if row.expected {
            #expect(try Filter.exact(row.input, "ip", "1.2.3.4").name == row.input)
        } else {
            #expect(throws: FilterError.invalidName(row.input)) { try Filter.exact(row.input, "ip", "1.2.3.4") }
        }
    }

    @Test("R7.1 adding a name again by command replaces the old one in its old place") func setReplaces() throws {
        var account = try Account.sample()
        for name in ["first", "second", "third"] { try account.set(.exact(name, "ip", "1.2.3.4", .reject)) }
        try account.set(.exact("second", "ip", "5.6.7.8"))
        #expect(account.filters.map(\.name) == ["first", "second", "third"])
        var service = Service(account)
        #expect(try service.attest(with: ["ip": "1.2.3.4"]).rejections == ["filter:first", "filter:third"])
        let other = try service.attest(with: ["ip": "5.6.7.8"])
        #expect(other.filters == ["second"])
        // The options of the old one are gone as well.
        #expect(other.passed)
    }

    @Test("R7.1 a name twice in one list is an error") func appendRefusesTwins() throws {
        var account = try Account.sample()
        try account.append(.exact("myip", "ip", "1.2.3.4"))
        #expect(throws: FilterError.duplicate("myip")) { try account.append(.exact("myip", "ip", "5.6.7.8")) }
        #expect(account.filters.map(\.test) == [.exact(key: "ip", value: "1.2.3.4")])
    }

    @Test("R7.1 there are up to 25 filters") func filtersAreLimited() throws {
        var account = try Account.sample()
        for number in 0..<25 { try account.append(.exact("filter-\(number)", "ip", "10.0.0.\(number)", .reject)) }
        let extra = try Filter.exact("one-more", "ip", "1.2.3.4")
        #expect(throws: FilterError.limitReached("one-more")) { try account.append(extra) }
        #expect(throws: FilterError.limitReached("one-more")) { try account.set(extra) }
        #expect(FilterError.limitReached("one-more").description.contains("`one-more`"))
        #expect(FilterError.limitReached("one-more").description.contains("25"))
        try account.set(.exact("filter-24", "ip", "1.2.3.4", .reject))
        var service = Service(account)
        #expect(try service.attest(with: ["ip": "1.2.3.4"]).rejections == ["filter:filter-24"])
        try account.removeFilter(named: "filter-3")
        try account.append(extra)
        #expect(account.filters.count == 25)
    }

    @Test("R7.1 all 25 can match at once") func allMatchAtOnce() throws {
        let filters = try (0..<25).map { try Filter.regex("filter-\($0)", "ip", "1", .reject) }
        var service = Service(try .sample(filters: filters))
        let outcome = try service.attest(with: ["ip": "1.2.3.4"])
        #expect(outcome.filters == filters.map(\.name))
        #expect(outcome.rejections == filters.map { "filter:\($0.name)" })
    }

    @Test("R7.1 removing a filter that is not there is an error that knows the others") func removingNothing() throws {
        var account = try Account.sample()
        try account.append(.exact("myip", "ip", "1.2.3.4"))
        #expect(throws: FilterError.unknown("other", known: ["myip"])) { try account.removeFilter(named: "other") }
        try account.removeFilter(named: "myip")
        #expect(account.filters.isEmpty)
    }

    // The ring of captured device information (R7.5, R10 step 14) is shown where attestations are replayed.
    @Suite("R7.5 Actions") struct Actions {
        struct Row: LabelledRow {
            let label: String
            let options: Filter.Options
            let rejections: [String]
            let flags: [String]
            let lifetime: Int
            let state: [String]
        }

        static let rows = [
            Row(label: "none", options: [], rejections: [], flags: [], lifetime: 300, state: []),
            Row(
                label: "capture", options: .captureDeviceInformation, rejections: [], flags: [], lifetime: 300,
                state: []),
            Row(
                label: "reject", options: .reject, rejections: ["filter:myip"], flags: [], lifetime: 300, state: []),
            Row(
                label: "ban", options: .ban, rejections: ["did-ban"], flags: ["did-ban"], lifetime: 300,
                state: ["did-ban"]),
            Row(
                label: "risky", options: .risky, rejections: [], flags: ["risky-device"], lifetime: 120, state: []),
            Row(
                label: "filtered policy where there is none", options: .executeFilteredPolicy, rejections: [],
                flags: [],
                lifetime: 300, state: []),
            Row(
                label: "everything", options: Filter.Options(rawValue: 62), rejections: ["did-ban", "filter:myip"],
                flags: ["did-ban", "risky-device"], lifetime: 120, state: ["did-ban"]),
        ]

        @Test("R7.5 what a matching filter brings about", arguments: rows) func actionsHappen(_ row: Row) throws {
            var service = Service(try .sample(filters: [.exact("myip", "ip", "1.2.3.4", row.options)]))
            #expect(try service.attest(with: ["ip": "5.6.7.8"]).flags == ["new-did"])
            #expect(try service.state() == [])
            let outcome = try service.attest(with: ["ip": "1.2.3.4"])
            #expect(outcome.filters == ["myip"])
            #expect(outcome.rejections == row.rejections)
            #expect(outcome.flags == row.flags)
            #expect(outcome.lifetime == row.lifetime)
            #expect(try service.state() == row.state)
        }

        static let bans = PresetFacts.names.map { preset in
            Case(preset, gives: preset == "blacklist" ? ["policy:blacklist"] : preset == "whitelist" ? [] : ["did-ban"])
        }

        @Test("R7.5 a ban by filter fails where the policy rejects on it", arguments: bans)
        func banFailsByPolicy(_ row: Case<String, [String]>) throws {
            let filter = try Filter.exact("myip", "ip", "1.2.3.4", .ban)
            var service = Service(try .sample("default,\(row.input),all", filters: [filter]))
            let outcome = try service.attest(with: ["ip": "1.2.3.4"])
            #expect(outcome.rejections == row.expected)
            #expect(outcome.annotations == ["did-ban", "new-did"])
            #expect(try service.attest(with: ["ip": "5.6.7.8"]).rejections == row.expected)
        }

        @Test("R7.5 risk by filter is not remembered") func riskIsNotRemembered() throws {
            var service = Service(try .sample(filters: [.exact("myip", "ip", "1.2.3.4", .risky)]))
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).flags == ["new-did", "risky-device"])
            #expect(try service.attest(with: ["ip": "5.6.7.8"]).flags == [])
        }

        @Test("R7.5 the risk annotation tells of risk by filter") func riskIsAnnotated() throws {
            let filter = try Filter.exact("myip", "ip", "1.2.3.4", .risky)
            var service = Service(try .sample("default,default,risk", filters: [filter]))
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).annotations == ["risky-device"])
            #expect(try service.attest(with: ["ip": "5.6.7.8"]).annotations == [])
        }

        @Test("R7.5 a policy may reject on risk by filter") func riskMayReject() throws {
            var account = try Account.sample(filters: [.exact("myip", "ip", "1.2.3.4", .risky)])
            account.policy.rejection.addRejectFlag(.riskyDevice)
            var service = Service(account)
            #expect(try service.attest(with: ["ip": "1.2.3.4"]).rejections == ["risky-device"])
        }

        @Test("R7.5 new devices only") func newDevicesOnly() throws {
            let filter = try Filter.exact("new", "ip", "1.2.3.4", [.newDevicesOnly, .reject])
            var service = Service(try .sample(filters: [filter]))
            let attributes = ["ip": "1.2.3.4"]
            #expect(try service.attest(with: attributes).rejections == ["filter:new"])
            #expect(try service.attest(with: attributes).rejections == [])
            #expect(try service.attest(["new-did"], with: attributes).rejections == ["filter:new"])
            #expect(try service.attest(with: ["ip": "5.6.7.8"], by: Sample.otherDevice).rejections == [])
            #expect(try service.attest(with: attributes, by: Sample.otherDevice).rejections == [])
            service.clearDeviceState()
            #expect(try service.attest(with: attributes, by: Sample.otherDevice).rejections == ["filter:new"])
        }

        @Test("R7.5 new devices only on flags-all") func newDevicesOnlyOnFlags() throws {
            var service = Service(try .sample(filters: [.regex("new", "flags-all", "rooted", .newDevicesOnly)]))
            #expect(try service.attest(["rooted"]).filters == ["new"])
            #expect(try service.attest(["rooted"]).filters == [])
        }
    }
}
