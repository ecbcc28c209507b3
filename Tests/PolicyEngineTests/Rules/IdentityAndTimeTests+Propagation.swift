import Testing

@testable import PolicyEngine
@testable import TestSupport

extension IdentityAndTimeTests {
    // That cached tokens live on is shown with the clients; API domains and signing certificates where they are used.
    @Suite("R1.5 Propagation") struct Propagation {
        struct Moment: LabelledRow {
            let label: String
            let propagation: Int
            let seconds: Int
            let isInForce: Bool
        }

        static let moments = [
            Moment(label: "30 s: when it is made", propagation: 30, seconds: 0, isInForce: false),
            Moment(label: "30 s: a second before", propagation: 30, seconds: 29, isInForce: false),
            Moment(label: "30 s: that second included", propagation: 30, seconds: 30, isInForce: true),
            Moment(label: "30 s: long after", propagation: 30, seconds: 86_400, isInForce: true),
            Moment(label: "1 s: when it is made", propagation: 1, seconds: 0, isInForce: false),
            Moment(label: "1 s: a second later", propagation: 1, seconds: 1, isInForce: true),
            Moment(label: "0 s: when it is made", propagation: 0, seconds: 0, isInForce: true),
        ]

        @Test("R1.5 a change of policy is in force propagation after it is made", arguments: moments)
        func policyChangeTakesItsTime(_ row: Moment) throws {
            let account = try Account.sample().changed { $0.propagation = row.propagation }
            var service = Service(account)
            service.change(to: try account.changed { $0.policy = try $0.securityPolicy("default,whitelist,default") })
            let outcome = try service.attest(["rooted"], at: Sample.time(after: row.seconds))
            #expect(outcome.passed == row.isInForce)
            #expect(outcome.policy == (row.isInForce ? "default,whitelist,default" : "default,default,default"))
        }

        @Test("R1.5 a change of a device entry or a filter takes as long", arguments: moments)
        func entriesAndFiltersTakeAsLong(_ row: Moment) throws {
            let account = try Account.sample().changed { $0.propagation = row.propagation }
            var service = Service(account)
            let changed = try account.changed {
                try $0.set($0.entry(banMode: .ban))
                try $0.set(.exact("no-flags", "flags-all", row.isInForce ? "did-ban" : ""))
            }
            service.change(to: changed)
            let outcome = try service.attest(at: Sample.time(after: row.seconds))
            #expect(outcome.flags.contains("did-ban") == row.isInForce)
            #expect(outcome.filters == (row.isInForce ? ["no-flags"] : []))
        }

        @Test("R1.5 the propagation of a new account is 30 seconds") func defaultIs30Seconds() {
            #expect(Account(catalogue: FlagCatalogue()).propagation == 30)
        }

        @Test("R1.5 several changes come into force one after another") func changesFollowEachOther() throws {
            let account = try Account.sample("default,default,default").changed { $0.propagation = 30 }
            var service = Service(account)
            let policies = ["default,strict,default", "default,allow-root,default", "default,whitelist,default"]
            for (number, policy) in policies.enumerated() {
                let changed = try account.changed { $0.policy = try $0.securityPolicy(policy) }
                service.change(to: changed, at: Sample.time(after: [0, 10, 10][number]))
            }
            let expected = [0: "default", 29: "default", 30: "strict", 39: "strict", 40: "whitelist", 90: "whitelist"]
            for (second, rejection) in expected.sorted(by: { $0.key < $1.key }) {
                #expect(try service.attest(at: Sample.time(after: second)).policy == "default,\(rejection),default")
            }
        }

        @Test("R1.5 the account that commands see is the latest") func commandsSeeTheLatest() throws {
            let account = try Account.sample().changed { $0.propagation = 30 }
            var service = Service(account)
            service.change(to: account.changed { $0.grace = 11 })
            service.change(to: account.changed { $0.grace = 12 }, at: Sample.time(after: 5))
            #expect(service.engine.history.latest.grace == 12)
            #expect(service.engine.account(inForceAt: Sample.time(after: 29)).grace == 10)
            #expect(service.engine.account(inForceAt: Sample.time(after: 30)).grace == 11)
            #expect(service.engine.account(inForceAt: Sample.time(after: 35)).grace == 12)
        }

        @Test("R1.5 a clearing of device state is in force at once") func clearingIsImmediate() throws {
            var service = Service(try Account.sample().changed { $0.propagation = 30 })
            _ = try service.attest()
            service.clearDeviceState()
            #expect(try service.attest().flags == ["new-did"])
        }
    }
}
