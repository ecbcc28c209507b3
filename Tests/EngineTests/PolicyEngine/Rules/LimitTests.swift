import Testing

@testable import PolicyEngine
@testable import TestSupport

// Limits are reached in Tests/Files/accounts and, by commands, in Tests/Rules/R16; those of keys, clones and nesting where
// those are read.
@Suite("R16 Limits") struct LimitTests {
    @Test("R2.2, R16 the 129th flag of a capture is an error that names it", arguments: [0, 50, FlagFacts.room])
    func observedFlagsAreLimited(declaredCount: Int) throws {
        let declared = (0..<declaredCount).map { FlagDeclaration(name: "declared-\($0)") }
        var catalogue = try Account(name: "a", declaring: declared).catalogue
        for number in 0..<(FlagFacts.room - declaredCount) { _ = try catalogue.intern(observed: "seen-\(number)") }
        expect(catalogue.flags.count, equals: 128)
        #expect(throws: FlagError.limitReached("one-more")) { try catalogue.intern(observed: "one-more") }
        // Those that are known are still read.
        try expect(catalogue.intern(observed: "rooted").index, equals: 4)
        expect(catalogue.flags.count, equals: 128)
        // Policies name those that are built in or declared alone.
        expect(catalogue.declaredNames.count, equals: FlagFacts.names.count + declaredCount)
        #expect(catalogue.namedFlag("seen-0") == nil)
    }

    @Test("R16 all 128 flags at once") func allFlagsAtOnce() throws {
        let declared = (1...FlagFacts.room).map { FlagDeclaration(name: "extra-\($0)") }
        let names = FlagFacts.names + declared.map(\.name)
        var service = Service(try .sample("default,whitelist,all", declaring: declared))
        let observed = names.filter { $0 != "did-unban" }
        try expect(service.attest(observed).flags, equals: observed)
    }

    @Test("R7.6, R16 the defaults of an account") func defaults() {
        let account = Account(catalogue: FlagCatalogue())
        expect(account.name, equals: "account")
        #expect(account.isResponseCodeOn)
        expect(account.ipTracking, equals: .token)
        #expect(!account.includesAudience)
        #expect(!account.includesIssuer)
        expect(DeviceCheckSettings().bits, equals: .none)
        expect(DeviceCheckSettings().expiry, equals: 12)
        expect(SafetyNetSettings(apiKey: "key").dailyQuota, equals: 10_000)
        expect(account.billingDay, equals: 1)
        expect(account.samplingPercentage, equals: .zero)
        expect(AccountLimits.billingDays, equals: 1...28)
        #expect(account.filters.isEmpty && account.devices.isEmpty && account.apiDomains.isEmpty)
    }
}

@Suite("R16 Lists of an account") struct AccountServiceTests {
    @Test("R16 the 251st registration is an error that names it") func registrationsAreLimited() throws {
        var account = try Account.sample()
        for number in 0..<250 {
            try account.append(Registration(signature: "abc=", package: "p", version: "\(number)"))
        }
        let extra = Registration(signature: "abc=", package: "p", version: "250", libraryID: "2974")
        let error = ServiceError.registrationLimitReached("abc=p-250-2974")
        #expect(throws: error) { try account.append(extra) }
        #expect(error.description.contains("at most 250") && error.description.contains("`abc=p-250-2974`"))
        expect(account.registrations?.count, equals: 250)
        try account.removeRegistration("abc=p-7")
        try account.append(extra)
        expect(account.registrations?.last, equals: extra)
    }

    @Test("R15.1 a list with nothing in it is a list") func emptyListIsAList() throws {
        var account = try Account.sample()
        #expect(account.registrations == nil)
        account.listRegistrations()
        expect(account.registrations, equals: [])
        let registration = Registration(signature: "abc=")
        try account.append(registration)
        account.listRegistrations()
        expect(account.registrations, equals: [registration])
    }

    @Test("R15.2 an account as a file can describe it has forgotten what was removed") func withoutPast() throws {
        var account = try Account.sample()
        try account.append(Registration(signature: "A=", package: "a"))
        try account.append(Registration(signature: "B=", package: "b"))
        let signature = try #require(account.registrations?.first).overallSignature
        try account.removeRegistration(signature)
        expect(account.removedRegistrations.map(\.signature), equals: ["A="])
        expect(account.withoutPast.removedRegistrations, equals: [])
        expect(account.withoutPast.registrations, equals: account.registrations)
    }

    @Test("R7.2 whether the filters on an attribute only compare values") func exactFilters() throws {
        let account = try Account.sample(filters: [
            .exact("a", "ip", "1"), .exact("b", "device", "1"), .exact("c", "ip", "2"), .regex("d", "device", "2"),
        ])
        let filters = AttributeFilters(account)
        expect(filters.keys, equals: ["ip", "device"])
        #expect(filters.areExact(at: 0) && !filters.areExact(at: 1))
    }

    @Test("R15.1a an app that is registered again is an admin's where an admin does it, which is usual")
    func addedBy() throws {
        var account = try Account.sample()
        try account.append(Registration(signature: "A=", package: "a", addedBy: "bob"))
        let again = Registration(signature: "A=", package: "a", addedBy: "amy")
        try expect(account.register(again, isByAdmin: false).addedBy, equals: "bob")
        try expect(account.register(again).addedBy, equals: "amy")
        expect(account.registrations?.map(\.addedBy), equals: ["amy"])
    }
}
