import Testing

@testable import PolicyEngine
@testable import TestSupport

// R1.3 (physical devices, reinstalls, factory resets) is shown with DeviceCheck and with the clients.
@Suite("R1 Identity and time") struct IdentityAndTimeTests {
    static let identifiers: [Case<String, Bool>] = [
        Case("canonical", "h4gubfCFzJu81j/U2BJsdg==", gives: true),
        Case("not canonical", "ExampleApproovTokenDID==", gives: true),
        Case("the pseudo device", "++FilteredSecPolicy++w==", gives: true),
        Case("every kind of character", "AZaz09+/AZaz09+/AZaz09==", gives: true),
        Case("empty", "", gives: false),
        Case("a character short", "h4gubfCFzJu81j/U2BJsd==", gives: false),
        Case("a character long", "h4gubfCFzJu81j/U2BJsdgg==", gives: false),
        Case("one `=`", "h4gubfCFzJu81j/U2BJsdgA=", gives: false),
        Case("no `=`", "h4gubfCFzJu81j/U2BJsdgAA", gives: false),
        Case("`=` inside", "h4gubfCFzJu=1j/U2BJsdg==", gives: false),
        Case("three `=`", "h4gubfCFzJu81j/U2BJsd===", gives: false),
        Case("base64 for addresses", "h4gubfCFzJu81j_U2BJsdg==", gives: false),
        Case("base64 for addresses, minus", "h4gubfCFzJu81j-U2BJsdg==", gives: false),
        Case("space before", " h4gubfCFzJu81j/U2BJsd==", gives: false),
        Case("line break behind", "h4gubfCFzJu81j/U2BJsdg==\n", gives: false),
        Case("another alphabet", "h4gubfCFzJu81j/U2BJs\u{E9}==", gives: false),
    ]

    @Test("R1.1 a device ID is 22 characters of base64 and two `=`", arguments: identifiers)
    func identifierHasItsForm(_ row: Case<String, Bool>) {
        #expect(DeviceID(row.input)?.description == (row.expected ? row.input : nil))
    }

    @Test("R1.1 the identity is the text, not the decoded bytes") func identityIsTheText() throws {
        var service = Service(try .sample())
        // Both decode to 1316a6a65780a69ae8a2f4e891e9c320.
        #expect(try service.attest(by: "ExampleApproovTokenDID==").flags == ["new-did"])
        #expect(try service.attest(by: "ExampleApproovTokenDIA==").flags == ["new-did"])
        #expect(try service.attest(by: "ExampleApproovTokenDID==").flags == [])
        #expect(DeviceID("ExampleApproovTokenDID==") != DeviceID("ExampleApproovTokenDIA=="))
    }

    @Test("R1.2 the pseudo device is distinguished from devices") func pseudoDeviceIsKnown() {
        #expect(DeviceID.filteredPolicyText == "++FilteredSecPolicy++w==")
        #expect(DeviceID("++FilteredSecPolicy++w==")?.isFilteredPolicy == true)
        #expect(DeviceID("++FilteredSecPolicy++g==")?.isFilteredPolicy == false)
        #expect(DeviceID(Sample.device)?.isFilteredPolicy == false)
    }

    @Test("R1.2 the pseudo device takes no pin mode", arguments: PinMode.allCases)
    func pseudoDeviceTakesNoPinMode(_ mode: PinMode) throws {
        var account = try Account.sample()
        var entry = try account.entry(Sample.filteredPolicy, "alt-rules,default,default")
        entry.pinMode = mode
        #expect(throws: DeviceError.modeOnFilteredPolicy("pin")) { try account.append(entry) }
        #expect(throws: DeviceError.modeOnFilteredPolicy("pin")) { try account.set(entry) }
        #expect(account.devices.isEmpty)
    }

    @Test("R1.2 the pseudo device takes no ban mode", arguments: BanMode.allCases)
    func pseudoDeviceTakesNoBanMode(_ mode: BanMode) throws {
        var account = try Account.sample()
        try account.set(account.entry(Sample.filteredPolicy, "alt-rules,default,default"))
        let entry = try account.entry(Sample.filteredPolicy, banMode: mode)
        #expect(throws: DeviceError.modeOnFilteredPolicy("ban")) { try account.set(entry) }
        #expect(account.devices.first?.banMode == nil)
    }

    // R1.4: that nothing reads the clock shows in that equal runs are equal.
    @Test("R1.4 equal attestations give equal decisions") func runsAreEqual() throws {
        var first = try RandomRun(seed: 7)
        var second = try RandomRun(seed: 7)
        for _ in 0..<50 { #expect(try first.step().actual == second.step().actual) }
    }

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

    @Suite("R1.5 Keys over time") struct Keys {
        /// Seconds from a change of a key, an entry or bits to an attestation; true where the change is in force.
        static let moments: [Case<Int, Bool>] = [
            Case("when it is made", 0, gives: false),
            Case("a second early", 29, gives: false),
            Case("when it comes into force", 30, gives: true),
            Case("later", 100, gives: true),
        ]

        // Changes take 30 seconds.
        private static func changed(
            _ phone: Phone, _ row: Case<Int, Bool>, by change: (inout Phone) throws -> Void
        ) rethrows -> Phone {
            var phone = phone
            phone.change { $0.propagation = 30 }
            phone.wait(seconds: 100)
            try change(&phone)
            phone.wait(seconds: row.input)
            return phone
        }

        @Test("R1.5 a DeviceCheck key is in force propagation after it is set", arguments: moments)
        func deviceCheckIsSet(_ row: Case<Int, Bool>) throws {
            var phone = try Self.changed(.iPhone(bits: nil), row) { $0.setDeviceCheck(.bit0) }
            #expect(try phone.attest().flags == ["new-did"] + (row.expected ? ["devicecheck-completed"] : []))
        }

        @Test("R1.5 and is gone propagation after it is removed", arguments: moments)
        func deviceCheckIsRemoved(_ row: Case<Int, Bool>) throws {
            var phone = try Self.changed(.iPhone(bits: .bit0), row) { $0.setDeviceCheck(nil) }
            #expect(try phone.attest().flags == ["new-did"] + (row.expected ? [] : ["devicecheck-completed"]))
        }

        @Test("R1.5 a SafetyNet key is in force propagation after it is set", arguments: moments)
        func safetyNetIsSet(_ row: Case<Int, Bool>) throws {
            var phone = try Self.changed(.android(quota: nil), row) { $0.setSafetyNet("key") }
            #expect(try phone.attest().flags == ["new-did"] + (row.expected ? ["safetynet-completed"] : []))
        }

        @Test("R1.5 and is gone propagation after it is removed, too", arguments: moments)
        func safetyNetIsRemoved(_ row: Case<Int, Bool>) throws {
            var phone = try Self.changed(.android(), row) { $0.setSafetyNet(nil) }
            #expect(try phone.attest().flags == ["new-did"] + (row.expected ? [] : ["safetynet-completed"]))
        }

        @Test("R1.5 a ban reaches Apple when its entry is in force", arguments: moments)
        func banReachesApple(_ row: Case<Int, Bool>) throws {
            var phone = try Self.changed(.iPhone(bits: .bit0), row) { try $0.setEntry(.ban) }
            #expect(try phone.attest().passed == !row.expected)
            #expect(phone.bits == (row.expected ? "1 of 2020-07" : nil))
        }

        @Test("R1.5 other bits are used from when they are in force", arguments: moments)
        func bitsChange(_ row: Case<Int, Bool>) throws {
            var phone = try Self.changed(.iPhone(bits: .bit0), row) { $0.setDeviceCheck(.bit1) }
            // A bit that only the new setting looks at.
            phone.platforms.deviceCheck.update(
                phone.device.evidence.physical, team: Phone.team, bits: 2, in: CalendarMonth(of: phone.now))
            #expect(try phone.attest().passed == !row.expected)
        }
    }

    @Suite("R1.5, R14.1 API domains over time") struct Domains {
        /// The domains from some second on, and what is found under the name `a.com` at another.
        struct Row: LabelledRow {
            let label: String
            var start: [APIDomain] = []
            let changes: [(second: Int, domains: [APIDomain])]
            var propagation = 30
            let second: Int
            var name = "a.com"
            let access: DomainAccess
        }

        private static let (first, other) = (APIDomain(name: "a.com"), APIDomain(name: "b.com"))
        private static let pins = APIDomain(name: "a.com", type: .pinOnly)

        static let rows = [
            Row(label: "without a list any domain is served", changes: [], second: 0, access: .served),
            Row(label: "one of the list", start: [other, first], changes: [], second: 0, access: .served),
            Row(label: "none of the list", start: [other], changes: [], second: 0, access: .unknown),
            Row(label: "one for pins only", start: [pins], changes: [], second: 0, access: .unprotected),
            Row(
                label: "one of a key set", start: [APIDomain(name: "a.com", type: .keyset)], changes: [], second: 0,
                access: .served),
            Row(
                label: "one that the service manages", start: [APIDomain(name: "a.com", type: .restricted)],
                changes: [], second: 0, access: .served),
            Row(
                label: "names have no case", start: [other, first], changes: [], second: 0, name: "A.Com",
                access: .served),
            Row(
                label: "a subdomain is another domain", start: [first], changes: [], second: 0, name: "sub.a.com",
                access: .unknown),
            Row(
                label: "a second before it is added", start: [other], changes: [(10, [other, first])], second: 9,
                access: .unknown),
            Row(
                label: "added: there at once", start: [other], changes: [(10, [other, first])], second: 10,
                access: .served),
            Row(
                label: "added for pins only: there at once", start: [other], changes: [(10, [other, pins])],
                second: 10, access: .unprotected),
            Row(
                label: "removed: there until that is in force", start: [other, first], changes: [(10, [other])],
                second: 39, access: .served),
            Row(
                label: "removed: gone when that is in force", start: [other, first], changes: [(10, [other])],
                second: 40, access: .unknown),
            Row(
                label: "removed without propagation", start: [other, first], changes: [(10, [other])], propagation: 0,
                second: 10, access: .unknown),
            Row(
                label: "added and soon removed: there until the removal is in force", start: [other],
                changes: [(10, [other, first]), (20, [other])], second: 49, access: .served),
            Row(
                label: "and then gone", start: [other], changes: [(10, [other, first]), (20, [other])], second: 50,
                access: .unknown),
            Row(
                label: "other changes on the way do not affect it", start: [other],
                changes: [(10, [other, first]), (15, [other, first]), (20, [other]), (25, [other])], second: 49,
                access: .served),
            Row(
                label: "nor do they put it off", start: [other],
                changes: [(10, [other, first]), (15, [other, first]), (20, [other]), (25, [other])], second: 50,
                access: .unknown),
            Row(
                label: "removed and soon added again: there all the time", start: [other, first],
                changes: [(10, [other]), (20, [other, first])], second: 40, access: .served),
            Row(
                label: "removed and added for pins only: that at once", start: [other, first],
                changes: [(10, [other]), (10, [other, pins])], second: 10, access: .unprotected),
            Row(
                label: "the first domain of a list: others are served until it is in force",
                changes: [(10, [other])], second: 39, access: .served),
            Row(
                label: "and not any more then", changes: [(10, [other])], second: 40, access: .unknown),
            Row(
                label: "the last domain goes: another one is unknown until that is in force", start: [other],
                changes: [(10, [])], second: 39, access: .unknown),
            Row(
                label: "R14.2a and then, too: the list is empty", start: [other], changes: [(10, [])], second: 40,
                access: .unknown),
            Row(
                label: "R14.2a nor is the one that went", start: [first], changes: [(10, [])], second: 40,
                access: .unknown),
        ]

        @Test("R1.5, R14.1 what clients find under a name", arguments: rows) func access(_ row: Row) throws {
            let history = try Self.history(row)
            let moment = history.moment(at: Sample.time(after: row.second))
            #expect(history.access(toDomain: row.name, at: moment) == row.access)
        }

        @Test("R1.5 moments that are said to give the same access do", arguments: rows)
        func sameAccess(_ row: Row) throws {
            let history = try Self.history(row)
            let moments = (0..<120).map { history.moment(at: Sample.time(after: $0)) }
            for (one, other) in zip(moments, moments.dropFirst()) where history.hasSameAccess(at: one, other) {
                #expect(history.access(toDomain: row.name, at: one) == history.access(toDomain: row.name, at: other))
            }
        }

        private static func history(_ row: Row) throws -> AccountHistory {
            var account = try Account.sample().changed { $0.propagation = row.propagation }
            for domain in row.start { try account.append(domain) }
            var history = AccountHistory(account)
            for change in row.changes {
                for domain in account.apiDomains { try account.removeAPIDomain(named: domain.name) }
                for domain in change.domains { try account.append(domain) }
                history.change(to: account, at: Sample.time(after: change.second))
            }
            return history
        }
    }
}
