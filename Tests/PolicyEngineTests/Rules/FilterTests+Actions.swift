import Testing

@testable import PolicyEngine
@testable import TestSupport

// The ring of captured device information (R7.5, R10 step 14) is shown where attestations are replayed.
extension FilterTests {
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

        struct Ban: LabelledRow {
            let preset: String
            let rejections: [String]

            var testDescription: String { preset }
        }

        static let bans = PresetFacts.names.map { preset in
            Ban(
                preset: preset,
                rejections: preset == "blacklist" ? ["policy:blacklist"] : preset == "whitelist" ? [] : ["did-ban"])
        }

        @Test("R7.5 a ban by filter fails where the policy rejects on it", arguments: bans)
        func banFailsByPolicy(_ row: Ban) throws {
            let filter = try Filter.exact("myip", "ip", "1.2.3.4", .ban)
            var service = Service(try .sample("default,\(row.preset),all", filters: [filter]))
            let outcome = try service.attest(with: ["ip": "1.2.3.4"])
            #expect(outcome.rejections == row.rejections)
            #expect(outcome.annotations == ["did-ban", "new-did"])
            #expect(try service.attest(with: ["ip": "5.6.7.8"]).rejections == row.rejections)
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
