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
        /// A label, the registrations of an account, those removed, and those added again afterwards; the flags and attributes of
        /// a record, and its rejections.
        struct Removal: LabelledRow {
            let label: String
            private var cells: [String] { label.split(separator: " | ").map(String.init) }
            private func registrations(_ index: Int) -> [Registration] {
                cells[index].compactMap { Captures.registrationsByLetter[$0] }
            }
            private func words(_ index: Int) -> [String] {
                cells[index] == "-" ? [] : cells[index].split(separator: " ").map(String.init)
            }
            var listed: [Registration] { registrations(1) }
            var removed: [String] { registrations(2).map(\.overallSignature) }
            var addedAgain: [Registration] { registrations(3) }
            var observed: [String] { words(4) }
            var rejections: [String] { words(6) }
            /// `-` is the usual app, `A` one on Android that has its signature as an identity.
            var app: [String: String] {
                if cells[5] == "-" { return RegistrationTests.app }
                if cells[5] == "A" {
                    return RegistrationTests.app.merging(["app-sig": "raw=", "app-id-sig": RegistrationTests.signature])
                    { $1 }
                }
                return Dictionary(
                    uniqueKeysWithValues: words(5).map { word -> (String, String) in
                        let key = word.prefix { $0 != "=" }
                        let value = String(word.dropFirst(key.count + 1))
                        return (
                            String(key),
                            value == "S"
                                ? RegistrationTests.signature : value == "P" ? RegistrationTests.package : value
                        )
                    })
            }
        }

        // `3` and `4` are versions, `u` is unversioned, `b` a bundle, `l` of a library, `e` has ended, and `i` ends in a second.
        private static let registrationsByLetter: [Character: Registration] = [
            "3": third, "4": Registration(signature: signature, package: package, version: "2.0(4)"),
            "u": Registration(signature: signature, package: package),
            "b": Registration(signature: signature, package: package, version: "2.0(3)", isBundle: true),
            "l": ofLibrary,
            "e": Registration(signature: signature, package: package, version: "2.0(3)", expiry: Sample.time),
            "i": Registration(signature: signature, package: package, version: "2.0(3)", expiry: Sample.time(after: 1)),
        ]

        private static let third = Registration(signature: signature, package: package, version: "2.0(3)")
        private static let fourth = Registration(signature: signature, package: package, version: "2.0(4)")
        private static let ofLibrary = Registration(
            signature: signature, package: package, version: "2.0(3)", libraryID: "4000")

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
                try expect(service.attest(with: app).rejections, equals: ["app-not-registered"])
                for (what, stranger) in Self.strangers {
                    try expect(service.attest(with: stranger).rejections, equals: [], "\(what)")
                }
                let bundle = ["app-id-sig": "bundle", "appid": RegistrationTests.package]
                try expect(service.attest(with: bundle).rejections, equals: ["app-not-registered"])
                try expect(service.attest(with: bundle.merging(["app-id-sig": "other"]) { $1 }).rejections, equals: [])
            }
        }

        static let removals = TableRows.of("R15.2 removed registrations").rows(22).map { Removal(label: $0) }

        @Test("R15.2 a removal adds the flag to records that match what was removed", arguments: removals)
        func removalAddsFlag(_ row: Removal) throws {
            var account = try Account.sample()
            for registration in row.listed { try account.append(registration) }
            var service = Service(account)
            for signature in row.removed { try account.removeRegistration(signature) }
            for registration in row.addedAgain { try account.append(registration) }
            service.change(to: account)
            let outcome = try service.attest(row.observed, with: row.app)
            expect(outcome.rejections, equals: row.rejections)
            expect(outcome.passed, equals: row.rejections.isEmpty)
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
                expect(removal.isRemoved, equals: (app.isEmpty ? false : expected || !row.observed.isEmpty))
            }
        }

        @Test("R15.2 a registration that the account after lacks counts as removed") func replacing() throws {
            let before = try Account.sample().changed {
                try $0.append(Self.third)
                try $0.append(Self.fourth)
            }
            let after = try Account.sample().changed { try $0.append(Self.fourth) }
            expect(after.replacing(before).removedRegistrations, equals: [Self.third])
            expect(after.replacing(before).replacing(before).removedRegistrations, equals: [Self.third])
            expect(before.replacing(after).removedRegistrations, equals: [])
            let unlisted = try Account.sample()
            expect(unlisted.replacing(before).removedRegistrations, equals: [])
            expect(after.replacing(unlisted).removedRegistrations, equals: [])
        }

        @Test("R1.5, R15.2 from when the removal is in force") func removalTakesItsTime() throws {
            var account = try Account.sample().changed { $0.propagation = 30 }
            try account.append(Self.third)
            var service = Service(account)
            try account.removeRegistration(Self.third.overallSignature)
            service.change(to: account)
            #expect(try service.attest(with: RegistrationTests.app, at: Sample.time(after: 29)).passed)
            let outcome = try service.attest(with: RegistrationTests.app, at: Sample.time(after: 30))
            expect(outcome.rejections, equals: ["app-not-registered"])
        }

        @Test("R10, step 7: filters see the flag that a removal added") func filtersSeeIt() throws {
            var account = try Account.sample(filters: [.exact("gone", "flags-all", "app-not-registered")])
            try account.append(Self.third)
            var service = Service(account)
            try expect(service.attest(with: RegistrationTests.app).filters, equals: [])
            try account.removeRegistration(Self.third.overallSignature)
            service.change(to: account)
            try expect(service.attest(with: RegistrationTests.app).filters, equals: ["gone"])
        }
    }

    // That it keeps the later expiry is shown in Tests/Rules/R15.
    @Test("R15.1a the same one again moves its time") func renewal() throws {
        var account = try Account.sample()
        let registration = { (second: Int, expiry: Int) in
            Registration(
                signature: "S=", package: "a", version: "1", added: Sample.time(after: second),
                expiry: Sample.time(after: expiry))
        }
        for (second, expiry) in [(1, 100), (2, 50)] { _ = try account.register(registration(second, expiry)) }
        expect(account.registrations, equals: [registration(2, 100)])
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
        try expect(account.register(extra(10)), equals: extra(10))
        expect(account.registrations?.count, equals: 250)
        expect(account.registrations?.contains { $0.signature == "S7=" }, equals: false)
    }
}
