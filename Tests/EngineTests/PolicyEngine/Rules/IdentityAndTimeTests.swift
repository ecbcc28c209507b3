import Testing

@testable import PolicyEngine
@testable import TestSupport

// Propagation is shown by scenarios in Tests/Rules/R01, R1.3 (physical devices, reinstalls, factory resets) with DeviceCheck
// and with the clients.
@Suite("R1 Identity and time") struct IdentityAndTimeTests {
    @Test("R1.2 the pseudo device is distinguished from devices") func pseudoDeviceIsKnown() {
        expect(DeviceID.filteredPolicyText, equals: "++FilteredSecPolicy++w==")
        expect(DeviceID("++FilteredSecPolicy++w==")?.isFilteredPolicy, equals: true)
        expect(DeviceID("++FilteredSecPolicy++g==")?.isFilteredPolicy, equals: false)
        expect(DeviceID(Sample.device)?.isFilteredPolicy, equals: false)
    }

    // R1.4: that nothing reads the clock shows in that equal runs are equal.
    @Test("R1.4 equal attestations give equal decisions") func runsAreEqual() throws {
        var first = try RandomRun(seed: 7)
        var second = try RandomRun(seed: 7)
        for _ in 0..<50 { try expect(first.step().actual, equals: second.step().actual) }
    }

    // That cached tokens live on is shown with the clients; API domains and signing certificates where they are used.
    @Suite("R1.5 Propagation") struct Propagation {
        @Test("R1.5 the propagation of a new account is 30 seconds") func defaultIs30Seconds() {
            expect(Account(catalogue: FlagCatalogue()).propagation, equals: 30)
        }

        @Test("R1.5 the account that commands see is the latest") func commandsSeeTheLatest() throws {
            let account = try Account.sample().changed { $0.propagation = 30 }
            var service = Service(account)
            service.change(to: account.changed { $0.grace = 11 })
            service.change(to: account.changed { $0.grace = 12 }, at: Sample.time(after: 5))
            expect(service.engine.history.latest.grace, equals: 12)
            expect(service.engine.account(inForceAt: Sample.time(after: 29)).grace, equals: 10)
            expect(service.engine.account(inForceAt: Sample.time(after: 30)).grace, equals: 11)
            expect(service.engine.account(inForceAt: Sample.time(after: 35)).grace, equals: 12)
        }
    }

    // The domains that clients find are shown in Tests/Rules/R01.
    @Test("R1.5 moments that are said to give the same access do", arguments: [0, 30]) func sameAccess(propagation: Int)
        throws
    {
        let domains: [Character: APIDomain] = [
            "a": APIDomain(name: "a.com"), "b": APIDomain(name: "b.com"), "p": APIDomain(name: "a.com", type: .pinOnly),
        ]
        for changes in [
            ["b", "ba", "b"], ["", "b"], ["ba", "b", "ba"], ["ba", "b", "bp"], ["a", ""], ["b", "bp", "b", "ba"],
        ] {
            var account = try Account.sample().changed { $0.propagation = propagation }
            for letter in changes[0] { try account.append(#require(domains[letter])) }
            var history = AccountHistory(account)
            for (number, letters) in changes.enumerated().dropFirst() {
                for domain in account.apiDomains { try account.removeAPIDomain(named: domain.name) }
                for letter in letters { try account.append(#require(domains[letter])) }
                history.change(to: account, at: Sample.time(after: number * 10))
            }
            let moments = (0..<120).map { history.moment(at: Sample.time(after: $0)) }
            for (one, other) in zip(moments, moments.dropFirst()) where history.hasSameAccess(at: one, other) {
                for name in ["a.com", "b.com", "c.com"] {
                    expect(history.access(toDomain: name, at: one), equals: history.access(toDomain: name, at: other))
                }
            }
        }
    }
}
