import Testing

@testable import PolicyEngine
@testable import TestSupport

// The limits of domains, pins, certificates, keys, registrations, clones and nesting are reached where those are read;
// 25 entries and 25 filters are reached with R6.1 and R7.1.
@Suite("R16 Limits") struct LimitTests {
    struct Limit: LabelledRow {
        let label: String
        let actual: Int
        let expected: Int
    }

    static let limits = [
        Limit(label: "device entries", actual: AccountLimits.devices, expected: 25),
        Limit(label: "filters", actual: AccountLimits.filters, expected: 25),
        Limit(label: "flags", actual: Flag.limit, expected: 128),
        Limit(label: "API domains", actual: AccountLimits.apiDomains, expected: 25),
        Limit(label: "pins of a domain", actual: AccountLimits.pinsPerDomain, expected: 10),
        Limit(label: "app signing certificates", actual: AccountLimits.appSigningCertificates, expected: 10),
        Limit(label: "registrations", actual: AccountLimits.registrations, expected: 250),
        Limit(label: "filter names", actual: Filter.nameLimit, expected: 20),
    ]

    @Test("R16 the limits are those of the rules", arguments: limits) func limitIsThatOfTheRules(_ row: Limit) {
        #expect(row.actual == row.expected)
    }

    @Test("R2.2, R16 the 129th declared flag is an error that names it") func declaredFlagsAreLimited() throws {
        let declared = (1...91).map { FlagDeclaration(name: "extra-\($0)") }
        #expect(try Account(name: "a", declaring: declared).catalogue.flags.count == 128)
        #expect(throws: FlagError.limitReached("one-more")) {
            try Account(name: "a", declaring: declared + [FlagDeclaration(name: "one-more")])
        }
        #expect(FlagError.limitReached("one-more").description.contains("`one-more`"))
        #expect(FlagError.limitReached("one-more").description.contains("128"))
    }

    @Test("R2.2, R16 the 129th flag of a capture is an error that names it", arguments: [0, 50, 91])
    func observedFlagsAreLimited(declaredCount: Int) throws {
        let declared = (0..<declaredCount).map { FlagDeclaration(name: "declared-\($0)") }
        var catalogue = try Account(name: "a", declaring: declared).catalogue
        for number in 0..<(91 - declaredCount) { _ = try catalogue.intern(observed: "seen-\(number)") }
        #expect(catalogue.flags.count == 128)
        #expect(throws: FlagError.limitReached("one-more")) { try catalogue.intern(observed: "one-more") }
        // Those that are known are still read.
        #expect(try catalogue.intern(observed: "rooted").index == 4)
        #expect(catalogue.flags.count == 128)
    }

    @Test("R16 the 128th flag is a flag like any other") func lastFlagWorks() throws {
        let declared = (1...91).map { FlagDeclaration(name: "extra-\($0)", isRisk: $0 == 91) }
        var account = try Account.sample("default,default,extra-91", declaring: declared)
        account.policy.rejection.addRejectFlag(try account.flag("extra-91"))
        try account.append(.exact("last", "flags-all", "rooted,extra-91"))
        var service = Service(account)
        let outcome = try service.attest(["extra-91", "rooted"])
        #expect(outcome.flags == ["rooted", "new-did", "risky-device", "extra-91"])
        #expect(outcome.rejections == ["rooted", "extra-91"])
        #expect(outcome.annotations == ["extra-91"])
        #expect(outcome.filters == ["last"])
    }

    @Test("R16 all 128 flags at once") func allFlagsAtOnce() throws {
        let declared = (1...91).map { FlagDeclaration(name: "extra-\($0)") }
        let names = FlagFacts.names + declared.map(\.name)
        var service = Service(try .sample("default,whitelist,all", declaring: declared))
        let observed = names.filter { $0 != "did-unban" }
        #expect(try service.attest(observed).flags == observed)
    }

    @Test("R16 the defaults of an account") func defaults() {
        let account = Account(catalogue: FlagCatalogue())
        #expect(account.name == "account")
        #expect(account.isResponseCodeOn)
        #expect(account.ipTracking == .token)
        #expect(!account.includesAudience)
        #expect(!account.includesIssuer)
        #expect(DeviceCheckSettings().bits == .none)
        #expect(DeviceCheckSettings().expiry == 12)
        #expect(SafetyNetSettings(apiKey: "key").dailyQuota == 10_000)
        #expect(account.billingDay == 1)
        #expect(AccountLimits.billingDays == 1...28)
        #expect(account.filters.isEmpty && account.devices.isEmpty && account.apiDomains.isEmpty)
    }
}
