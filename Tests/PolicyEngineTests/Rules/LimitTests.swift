import Testing

@testable import PolicyEngine
@testable import TestSupport

// The limits of domains, pins, certificates, keys, registrations, clones and nesting are reached where those are read;
// 25 entries and 25 filters are reached with R6.1 and R7.1.
@Suite("R16 Limits") struct LimitTests {
    static let limits: [Case<Int, Int>] = [
        Case("device entries", AccountLimits.devices, gives: 25),
        Case("filters", AccountLimits.filters, gives: 25),
        Case("flags", Flag.limit, gives: 128),
        Case("API domains", AccountLimits.apiDomains, gives: 25),
        Case("pins of a domain", AccountLimits.pinsPerDomain, gives: 10),
        Case("app signing certificates", AccountLimits.appSigningCertificates, gives: 10),
        Case("registrations", AccountLimits.registrations, gives: 250),
        Case("filter names", Filter.nameLimit, gives: 20),
    ]

    @Test("R16 the limits are those of the rules", arguments: limits)
    func limitIsThatOfTheRules(_ row: Case<Int, Int>) {
        #expect(row.input == row.expected)
    }

    @Test("R2.2, R16 the 129th flag of a capture is an error that names it", arguments: [0, 50, FlagFacts.room])
    func observedFlagsAreLimited(declaredCount: Int) throws {
        let declared = (0..<declaredCount).map { FlagDeclaration(name: "declared-\($0)") }
        var catalogue = try Account(name: "a", declaring: declared).catalogue
        for number in 0..<(FlagFacts.room - declaredCount) { _ = try catalogue.intern(observed: "seen-\(number)") }
        #expect(catalogue.flags.count == 128)
        #expect(throws: FlagError.limitReached("one-more")) { try catalogue.intern(observed: "one-more") }
        // Those that are known are still read.
        #expect(try catalogue.intern(observed: "rooted").index == 4)
        #expect(catalogue.flags.count == 128)
    }

    @Test("R16 the 128th flag is a flag like any other") func lastFlagWorks() throws {
        let declared = (1...FlagFacts.room).map { FlagDeclaration(name: "extra-\($0)", isRisk: $0 == FlagFacts.room) }
        let last = "extra-\(FlagFacts.room)"
        var account = try Account.sample("default,default,\(last)", declaring: declared)
        account.policy.rejection.addRejectFlag(try account.flag(last))
        try account.append(.exact("last", "flags-all", "rooted,\(last)"))
        var service = Service(account)
        let outcome = try service.attest([last, "rooted"])
        #expect(outcome.flags == ["rooted", "new-did", "risky-device", last])
        #expect(outcome.rejections == ["rooted", last])
        #expect(outcome.annotations == [last])
        #expect(outcome.filters == ["last"])
    }

    @Test("R16 all 128 flags at once") func allFlagsAtOnce() throws {
        let declared = (1...FlagFacts.room).map { FlagDeclaration(name: "extra-\($0)") }
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

@Suite("R16 Lists of an account") struct AccountServiceTests {
    // Managing API Domains: "restricted to lower and upper case letters, digits, a dash and a period".
    /// A name that may be one of an API domain.
    static let names: [Case<String, Bool>] = [
        Case("mydomain.com", gives: true), Case("shapes.approov.io", gives: true),
        Case("sub.mydomain.com", gives: true), Case("star.mydomain.com", gives: true),
        Case("My-Domain-9.COM", gives: true), Case("localhost", gives: true),
        Case("mydomain.com/path", gives: false), Case("https://mydomain.com", gives: false),
        Case("mydomain.com:443", gives: false), Case("*.mydomain.com", gives: false),
        Case("my_domain.com", gives: false), Case("my domain.com", gives: false),
        Case("", gives: false), Case("d\u{F6}main.com", gives: false),
    ]

    @Test("Managing API Domains: letters, digits, a dash and a period", arguments: names)
    func namesOfDomains(_ row: Case<String, Bool>) throws {
        var account = try Account.sample()
        guard row.expected else {
            #expect(throws: ServiceError.invalidDomain(row.input)) { try account.append(APIDomain(name: row.input)) }
            #expect(ServiceError.invalidDomain(row.input).description.contains("`\(row.input)`"))
            return
        }
        try account.append(APIDomain(name: row.input, type: APIDomain.usualType(of: row.input)))
        #expect(account.apiDomains.map(\.name) == [row.input])
    }

    @Test(
        "Adding Demonstration Shapes API: the domain is `restricted` in every account",
        arguments: APIDomain.Kind.allCases)
    func demonstrationDomain(type: APIDomain.Kind) throws {
        var account = try Account.sample()
        let domain = APIDomain(name: "Shapes.Approov.io", type: type)
        if type == .restricted {
            try account.append(domain)
            #expect(account.apiDomains == [domain])
        } else {
            #expect(throws: ServiceError.managedDomain("Shapes.Approov.io")) { try account.append(domain) }
            #expect(account.apiDomains == [])
        }
    }

    @Test("R16 the 26th API domain is an error that names it, whatever the types") func domainsAreLimited() throws {
        var account = try Account.sample()
        for number in 0..<25 {
            try account.append(APIDomain(name: "\(number).com", type: APIDomain.Kind.allCases[number % 4]))
        }
        let extra = APIDomain(name: "one.more")
        #expect(throws: ServiceError.domainLimitReached("one.more")) { try account.append(extra) }
        #expect(account.apiDomains.count == 25)
        let words = ServiceError.domainLimitReached("one.more").description
        #expect(words.contains("25") && words.contains("`one.more`"))
        try account.removeAPIDomain(named: "7.com")
        try account.append(extra)
        #expect(account.apiDomains.last == extra)
    }

    @Test("Adding API Domains: one that is there is not edited", arguments: ["mydomain.com", "MyDomain.COM"])
    func domainTwice(name: String) throws {
        var account = try Account.sample()
        try account.append(APIDomain(name: "mydomain.com"))
        #expect(throws: ServiceError.duplicateDomain(name)) {
            try account.append(APIDomain(name: name, type: .pinOnly))
        }
        #expect(account.apiDomains == [APIDomain(name: "mydomain.com")])
        // "simply remove the API domain first and then add it again with the revised configuration"
        try account.removeAPIDomain(named: name)
        try account.append(APIDomain(name: name, type: .pinOnly))
        #expect(account.apiDomains == [APIDomain(name: name, type: .pinOnly)])
    }

    @Test("Removing API Domains: one that is not there is an error that knows the others") func unknownDomain() throws {
        var account = try Account.sample()
        try account.append(APIDomain(name: "mydomain.com"))
        let error = ServiceError.unknownDomain("sub.mydomain.com", known: ["mydomain.com"])
        #expect(throws: error) { try account.removeAPIDomain(named: "sub.mydomain.com") }
        #expect(error.choice?.wrong == "sub.mydomain.com" && error.choice?.known == ["mydomain.com"])
        #expect(error.description.contains("`sub.mydomain.com`"))
    }

    /// A text that may be a fingerprint, and what is kept of it.
    static let fingerprints: [Case<String, String?>] = [
        Case("the manual's", "C0:F3:15:9B:A5:6C:A8:E1", gives: "C0:F3:15:9B:A5:6C:A8:E1"),
        Case("lower case", "c0:f3:15:9b:a5:6c:a8:e1", gives: "C0:F3:15:9B:A5:6C:A8:E1"),
        Case("all 32 bytes", AppSigningCertificateTests.fingerprint, gives: "10:0F:78:71:39:65:B1:01"),
        Case("33 bytes", AppSigningCertificateTests.fingerprint + ":00", gives: nil),
        Case("nine bytes", "00:01:02:03:04:05:06:07:08", gives: "00:01:02:03:04:05:06:07"),
        Case("seven bytes", "00:01:02:03:04:05:06", gives: nil),
        Case("without colons", "C0F3159BA56CA8E1", gives: nil),
        Case("a digit too few", "C0:F3:15:9B:A5:6C:A8:E", gives: nil),
        Case("a digit too many", "C0:F3:15:9B:A5:6C:A8:E11", gives: nil),
        Case("no hexadecimal digit", "C0:F3:15:9B:A5:6C:A8:EG", gives: nil),
        Case("a colon at the end", "C0:F3:15:9B:A5:6C:A8:E1:", gives: nil),
        Case("spaces", " C0:F3:15:9B:A5:6C:A8:E1", gives: nil),
        Case("nothing", "", gives: nil),
    ]

    @Test("Android App Signing Certificates: what is kept of a fingerprint", arguments: fingerprints)
    func fingerprintIsKept(_ row: Case<String, String?>) throws {
        var account = try Account.sample()
        guard let kept = row.expected else {
            #expect(throws: ServiceError.invalidFingerprint(row.input)) {
                try account.addAppSigningCertificate(row.input)
            }
            return
        }
        try account.addAppSigningCertificate(row.input)
        #expect(account.appSigningCertificates == [kept])
        #expect(throws: ServiceError.duplicateCertificate(kept)) { try account.addAppSigningCertificate(row.input) }
        try account.removeAppSigningCertificate(row.input)
        #expect(throws: ServiceError.unknownCertificate(row.input, known: [])) {
            try account.removeAppSigningCertificate(row.input)
        }
    }

    @Test("R16 the 11th app signing certificate is an error that names it") func certificatesAreLimited() throws {
        var account = try Account.sample()
        let texts = (0..<11).map { "00:00:00:00:00:00:00:\($0 + 10)" }
        for text in texts.prefix(10) { try account.addAppSigningCertificate(text) }
        let error = ServiceError.certificateLimitReached(texts[10])
        #expect(throws: error) { try account.addAppSigningCertificate(texts[10]) }
        #expect(error.description.contains("10") && error.description.contains("`\(texts[10])`"))
        #expect(account.appSigningCertificates == Array(texts.prefix(10)))
        try account.removeAppSigningCertificate(texts[3])
        try account.addAppSigningCertificate(texts[10])
        #expect(account.appSigningCertificates.last == texts[10])
    }

    @Test("R16 the 251st registration is an error that names it") func registrationsAreLimited() throws {
        var account = try Account.sample()
        for number in 0..<250 {
            try account.append(Registration(signature: "abc=", package: "p", version: "\(number)"))
        }
        let extra = Registration(signature: "abc=", package: "p", version: "250", libraryID: "2974")
        let error = ServiceError.registrationLimitReached("abc=p-250-2974")
        #expect(throws: error) { try account.append(extra) }
        #expect(error.description.contains("at most 250") && error.description.contains("`abc=p-250-2974`"))
        #expect(account.registrations?.count == 250)
        try account.removeRegistration("abc=p-7")
        try account.append(extra)
        #expect(account.registrations?.last == extra)
    }

    @Test("Removing Registrations: by the overall signature, and what is not there is an error") func removal() throws {
        var account = try Account.sample()
        #expect(throws: ServiceError.unknownRegistration("abc=p-*", known: [])) {
            try account.removeRegistration("abc=p-*")
        }
        // As in the manual's list: once for good and once for a time.
        let permanent = Registration(signature: "abc=", package: "p", version: "2.0(3)", libraryID: "1")
        let temporary = Registration(
            signature: "abc=", package: "p", version: "2.0(3)", libraryID: "1", expiry: Sample.time)
        let other = Registration(signature: "abc=", package: "p", libraryID: "1")
        for registration in [permanent, other, temporary] { try account.append(registration) }
        #expect(
            throws: ServiceError.unknownRegistration(
                "abc=p-2.0(3)-1", known: ["abc=p-2.0[3]-1", "abc=p-*-1", "abc=p-2.0[3]-1"])
        ) {
            try account.removeRegistration("abc=p-2.0(3)-1")
        }
        try account.removeRegistration("abc=p-2.0[3]-1")
        #expect(account.registrations == [other])
        #expect(account.removedRegistrations == [permanent, temporary])
        try account.removeRegistration("abc=p-*-1")
        #expect(account.registrations == [])
    }

    @Test("Removing Multiple Registrations: the exact package, and the age") func removalOfMany() throws {
        var account = try Account.sample()
        let added = { (days: Int) in Sample.time(after: -days * Instant.secondsPerDay - 1) }
        let old = Registration(signature: "a=", package: "com.criticalblue.demo", version: "2.0(3)", added: added(40))
        let older = Registration(signature: "b=", package: "com.criticalblue.demo", version: "3.0(4)", added: added(30))
        let young = Registration(signature: "c=", package: "com.criticalblue.demo", added: added(29))
        let longer = Registration(signature: "d=", package: "com.criticalblue.demo2", added: added(40))
        let shorter = Registration(signature: "e=", package: "com.criticalblue", added: added(40))
        let any = Registration(signature: "f=", added: added(40))
        for registration in [old, young, longer, older, shorter, any] { try account.append(registration) }
        let removed = account.removeRegistrations(
            ofPackage: "com.criticalblue.demo", olderThan: 30 * Instant.secondsPerDay, at: Sample.time)
        #expect(removed == [old, older])
        #expect(account.registrations == [young, longer, shorter, any])
        #expect(account.removedRegistrations == [old, older])
    }

    @Test("R15.1 a list with nothing in it is a list") func emptyListIsAList() throws {
        var account = try Account.sample()
        #expect(account.registrations == nil)
        account.listRegistrations()
        #expect(account.registrations == [])
        let registration = Registration(signature: "abc=")
        try account.append(registration)
        account.listRegistrations()
        #expect(account.registrations == [registration])
    }

    @Test("R15.2 an account as a file can describe it has forgotten what was removed") func withoutPast() throws {
        var account = try Account.sample()
        try account.append(Registration(signature: "A=", package: "a"))
        try account.append(Registration(signature: "B=", package: "b"))
        let signature = try #require(account.registrations?.first).overallSignature
        try account.removeRegistration(signature)
        #expect(account.removedRegistrations.map(\.signature) == ["A="])
        #expect(account.withoutPast.removedRegistrations == [])
        #expect(account.withoutPast.registrations == account.registrations)
    }

    @Test("R7.2 whether the filters on an attribute only compare values") func exactFilters() throws {
        let account = try Account.sample(filters: [
            .exact("a", "ip", "1"), .exact("b", "device", "1"), .exact("c", "ip", "2"), .regex("d", "device", "2"),
        ])
        let filters = AttributeFilters(account)
        #expect(filters.keys == ["ip", "device"])
        #expect(filters.areExact(at: 0) && !filters.areExact(at: 1))
    }

    @Test("R15.1a an app that is registered again is an admin's where an admin does it, which is usual")
    func addedBy() throws {
        var account = try Account.sample()
        try account.append(Registration(signature: "A=", package: "a", addedBy: "bob"))
        let again = Registration(signature: "A=", package: "a", addedBy: "amy")
        #expect(try account.register(again, isByAdmin: false).addedBy == "bob")
        #expect(try account.register(again).addedBy == "amy")
        #expect(account.registrations?.map(\.addedBy) == ["amy"])
    }
}
