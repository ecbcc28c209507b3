import Testing

@testable import PolicyEngine
@testable import TestSupport

// Which simulated apps are registered is shown by scenarios in Tests/Rules/R15; the overall signatures of registrations are
// tested in OverallSignatureTests.
@Suite("R15 Registrations") struct RegistrationTests {
    static let signature = "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc="
    static let package = "com.criticalblue.demo"
    /// The attributes that the app sends, as the manual shows devices (Getting Device Information).
    static let app = ["app-sig": signature, "appid": package, "app-version": "2.0(3)"]

    @Suite("R15.2 Registrations and captures") struct Captures {
        /// The registrations of an account, those removed by overall signature, and a replay's rejections of a record.
        struct Removal: LabelledRow {
            let label: String
            let listed: [Registration]
            let removed: [String]
            /// The registrations that are added again afterwards.
            var addedAgain: [Registration] = []
            var observed: [String] = []
            var app = RegistrationTests.app
            let rejections: [String]
        }

        private static let third = Registration(signature: signature, package: package, version: "2.0(3)")
        private static let fourth = Registration(signature: signature, package: package, version: "2.0(4)")
        private static let unversioned = Registration(signature: signature, package: package)
        private static let bundle = Registration(
            signature: signature, package: package, version: "2.0(3)", isBundle: true)
        private static let ofLibrary = Registration(
            signature: signature, package: package, version: "2.0(3)", libraryID: "4000")
        private static let onAndroid = RegistrationTests.app.merging(["app-sig": "raw=", "app-id-sig": signature]) {
            $1
        }
        private static let ended = Registration(
            signature: signature, package: package, version: "2.0(3)", expiry: Sample.time)
        private static let ending = Registration(
            signature: signature, package: package, version: "2.0(3)", expiry: Sample.time(after: 1))

        // Each differs from the one that is removed in what is named.
        private static let strangers = [
            ("app-sig", ["app-sig": "another", "appid": package, "app-version": "2.0(3)", "sdkid": "4000"]),
            ("appid", ["app-sig": signature, "appid": "another", "app-version": "2.0(3)", "sdkid": "4000"]),
            ("app-version", ["app-sig": signature, "appid": package, "app-version": "9", "sdkid": "4000"]),
            ("sdkid", ["app-sig": signature, "appid": package, "app-version": "2.0(3)", "sdkid": "1"]),
        ]

        @Test("R15.2 apps are distinguished, however few values are kept", arguments: [0, 1, Int.max])
        func fewValues(keptValues: Int) throws {
            var account = try Account.sample()
            try account.append(Self.ofLibrary)
            try account.append(
                Registration(signature: "bundle", package: RegistrationTests.package, isBundle: true))
            for registration in account.registrations ?? [] {
                try account.removeRegistration(registration.overallSignature)
            }
            var service = Service(account, keptValues: keptValues)
            let app = RegistrationTests.app.merging(["sdkid": "4000"]) { $1 }
            for _ in 0..<2 {
                #expect(try service.attest(with: app).rejections == ["app-not-registered"])
                for (what, stranger) in Self.strangers {
                    #expect(try service.attest(with: stranger).rejections == [], "\(what)")
                }
                let bundle = ["app-id-sig": "bundle", "appid": RegistrationTests.package]
                #expect(try service.attest(with: bundle).rejections == ["app-not-registered"])
                #expect(try service.attest(with: bundle.merging(["app-id-sig": "other"]) { $1 }).rejections == [])
            }
        }

        static let removals = [
            Removal(label: "nothing is removed", listed: [third], removed: [], rejections: []),
            Removal(
                label: "a list by itself says nothing: the observed flags are kept", listed: [fourth], removed: [],
                rejections: []),
            Removal(
                label: "nor does it take an observed flag away", listed: [third], removed: [],
                observed: ["app-not-registered"], rejections: ["app-not-registered"]),
            Removal(
                label: "what is removed adds the flag to its records", listed: [third],
                removed: [third.overallSignature], rejections: ["app-not-registered"]),
            Removal(
                label: "and not to others", listed: [third, fourth], removed: [fourth.overallSignature],
                rejections: []),
            Removal(
                label: "nor to another package", listed: [third], removed: [third.overallSignature],
                app: ["app-sig": signature, "appid": "another", "app-version": "2.0(3)"], rejections: []),
            Removal(
                label: "nor to another signature", listed: [third], removed: [third.overallSignature],
                app: ["app-sig": "another", "appid": package, "app-version": "2.0(3)"], rejections: []),
            Removal(
                label: "nor to records without a signature", listed: [third], removed: [third.overallSignature],
                app: ["appid": package, "app-version": "2.0(3)"], rejections: []),
            Removal(
                label: "an unversioned one: any version", listed: [unversioned],
                removed: [unversioned.overallSignature], rejections: ["app-not-registered"]),
            Removal(
                label: "another registration stands for the app too", listed: [third, unversioned],
                removed: [third.overallSignature], rejections: []),
            Removal(
                label: "and is removed as well", listed: [third, unversioned],
                removed: [third.overallSignature, unversioned.overallSignature], rejections: ["app-not-registered"]),
            Removal(
                label: "removed and added again", listed: [third], removed: [third.overallSignature],
                addedAgain: [third], rejections: []),
            Removal(
                label: "removed, and another version added", listed: [third], removed: [third.overallSignature],
                addedAgain: [fourth], rejections: ["app-not-registered"]),
            Removal(
                label: "one that had ended stood for no record any more", listed: [ended],
                removed: [ended.overallSignature], rejections: []),
            Removal(
                label: "one that had not ended yet did", listed: [ending], removed: [ending.overallSignature],
                rejections: ["app-not-registered"]),
            Removal(
                label: "one that had ended does not stand for the app in another's stead",
                listed: [unversioned, ended],
                removed: [unversioned.overallSignature], rejections: ["app-not-registered"]),
            Removal(
                label: "a bundle: records with its identity", listed: [bundle], removed: [bundle.overallSignature],
                app: onAndroid, rejections: ["app-not-registered"]),
            Removal(
                label: "a bundle: not by the raw signature", listed: [bundle], removed: [bundle.overallSignature],
                rejections: []),
            Removal(
                label: "unversioned on Android: a bundle", listed: [unversioned],
                removed: [unversioned.overallSignature], app: onAndroid, rejections: ["app-not-registered"]),
            Removal(
                label: "unversioned on Android: no package", listed: [unversioned],
                removed: [unversioned.overallSignature],
                app: RegistrationTests.app.merging(["app-id-sig": "other="]) { $1 }, rejections: []),
            Removal(
                label: "of another SDK", listed: [ofLibrary], removed: [ofLibrary.overallSignature],
                app: RegistrationTests.app.merging(["sdkid": "4505"]) { $1 }, rejections: []),
            Removal(
                label: "what is observed stays what it is", listed: [third], removed: [third.overallSignature],
                observed: ["app-not-registered", "rooted"], rejections: ["app-not-registered", "rooted"]),
        ]

        @Test("R15.2 a removal adds the flag to records that match what was removed", arguments: removals)
        func removalAddsFlag(_ row: Removal) throws {
            var account = try Account.sample()
            for registration in row.listed { try account.append(registration) }
            var service = Service(account)
            for signature in row.removed { try account.removeRegistration(signature) }
            for registration in row.addedAgain { try account.append(registration) }
            service.change(to: account)
            let outcome = try service.attest(row.observed, with: row.app)
            #expect(outcome.rejections == row.rejections)
            #expect(outcome.passed == row.rejections.isEmpty)
        }

        @Test("R15.2 so does looking at attributes one by one", arguments: removals)
        func removalIsSeenAttributeByAttribute(_ row: Removal) throws {
            var account = try Account.sample()
            for registration in row.listed { try account.append(registration) }
            for signature in row.removed { try account.removeRegistration(signature) }
            for registration in row.addedAgain { try account.append(registration) }
            guard var removal = RegistrationRemoval(account) else {
                #expect(row.removed.isEmpty || !row.addedAgain.isEmpty)
                return
            }
            let expected = row.rejections.contains("app-not-registered") && row.observed.isEmpty
            // The second time, nothing may be left of the first.
            for app in [row.app, [:], row.app] {
                removal.begin(at: Sample.time)
                for (index, key) in removal.keys.enumerated() {
                    guard let value = app[key] else { continue }
                    let bytes = Array(value.utf8)
                    removal.add(bytes.span, at: index)
                }
                #expect(removal.isRemoved == (app.isEmpty ? false : expected || !row.observed.isEmpty))
            }
        }

        @Test("R15.2 a registration that the account after lacks counts as removed") func replacing() throws {
            let before = try Account.sample().changed {
                try $0.append(Self.third)
                try $0.append(Self.fourth)
            }
            let after = try Account.sample().changed { try $0.append(Self.fourth) }
            #expect(after.replacing(before).removedRegistrations == [Self.third])
            #expect(after.replacing(before).replacing(before).removedRegistrations == [Self.third])
            #expect(before.replacing(after).removedRegistrations == [])
            let unlisted = try Account.sample()
            #expect(unlisted.replacing(before).removedRegistrations == [])
            #expect(after.replacing(unlisted).removedRegistrations == [])
        }

        @Test("R1.5, R15.2 from when the removal is in force") func removalTakesItsTime() throws {
            var account = try Account.sample().changed { $0.propagation = 30 }
            try account.append(Self.third)
            var service = Service(account)
            try account.removeRegistration(Self.third.overallSignature)
            service.change(to: account)
            #expect(try service.attest(with: RegistrationTests.app, at: Sample.time(after: 29)).passed)
            let outcome = try service.attest(with: RegistrationTests.app, at: Sample.time(after: 30))
            #expect(outcome.rejections == ["app-not-registered"])
        }

        @Test("R10, step 7: filters see the flag that a removal added") func filtersSeeIt() throws {
            var account = try Account.sample(filters: [.exact("gone", "flags-all", "app-not-registered")])
            try account.append(Self.third)
            var service = Service(account)
            #expect(try service.attest(with: RegistrationTests.app).filters == [])
            try account.removeRegistration(Self.third.overallSignature)
            service.change(to: account)
            #expect(try service.attest(with: RegistrationTests.app).filters == ["gone"])
        }

        @Test("R15.2 apps are distinguished however few values are kept", arguments: [0, 1, .max])
        func fewValuesAreKept(count: Int) throws {
            var account = try Account.sample()
            try account.append(Self.third)
            var service = Service(account, keptValues: count)
            try account.removeRegistration(Self.third.overallSignature)
            service.change(to: account)
            for number in 0..<5 {
                let other = RegistrationTests.app.merging(["app-version": "1.0(\(number))"]) { $1 }
                #expect(try service.attest(with: other).passed)
                #expect(try !service.attest(with: RegistrationTests.app).passed)
            }
        }
    }

    /// Two times that one app is registered, and what is listed.
    struct Renewal: LabelledRow {
        let label: String
        let first, second: Int?
        let expiry: Int?
    }

    static let renewals = [
        Renewal(label: "later", first: 50, second: 100, expiry: 100),
        Renewal(label: "earlier: the later one stays", first: 100, second: 50, expiry: 100),
        Renewal(label: "permanent stays permanent", first: nil, second: 50, expiry: nil),
        Renewal(label: "becomes permanent", first: 50, second: nil, expiry: nil),
    ]

    @Test("R15.1a the same one again keeps the later expiry and moves its time", arguments: renewals)
    func renewal(_ row: Renewal) throws {
        var account = try Account.sample()
        for (second, expiry) in [(1, row.first), (2, row.second)] {
            _ = try account.register(
                Registration(
                    signature: "S=", package: "a", version: "1", added: Sample.time(after: second),
                    expiry: expiry.map(Sample.time(after:))))
        }
        #expect(
            account.registrations == [
                Registration(
                    signature: "S=", package: "a", version: "1", added: Sample.time(after: 2),
                    expiry: row.expiry.map(Sample.time(after:)))
            ])
    }

    @Test("R15.1a 250 at most; ended ones make room") func limit() throws {
        var account = try Account.sample()
        for number in 1...250 {
            try account.append(
                Registration(signature: "S\(number)=", expiry: number == 7 ? Sample.time(after: 10) : nil))
        }
        let extra = { (second: Int) in
            Registration(signature: "extra=", package: "a", version: "1", added: Sample.time(after: second))
        }
        #expect(throws: ServiceError.registrationLimitReached("extra=a-1")) { try account.register(extra(9)) }
        _ = try account.register(Registration(signature: "S8=", added: Sample.time(after: 9)))
        #expect(try account.register(extra(10)) == extra(10))
        #expect(account.registrations?.count == 250)
        #expect(account.registrations?.contains { $0.signature == "S7=" } == false)
    }
}
