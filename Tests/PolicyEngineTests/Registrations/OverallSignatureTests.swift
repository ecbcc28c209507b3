import Testing

@testable import PolicyEngine
@testable import TestSupport

// Registering an App, Unversioned Registrations, Listing Registrations, Annotating a Registration.
@Suite("What registrations are called") struct OverallSignatureTests {
    struct Row: LabelledRow {
        let registration: Registration
        let label: String
    }

    /// The manual's samples; the last ones are ours.
    static let rows = [
        Row(
            registration: Registration(
                signature: "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=", package: "com.criticalblue.demo",
                version: "2.0(3)", libraryID: "2974"),
            label: "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=com.criticalblue.demo-2.0[3]-2974"),
        Row(
            registration: Registration(
                signature: "P6nTmI3fhftxUr740ZnUMGKuAyTYjxP5dxKzJGd9yOk=",
                package: "approov.io.client.swift.shapes-client", version: "1.0(1)", libraryID: "4803"),
            label: "P6nTmI3fhftxUr740ZnUMGKuAyTYjxP5dxKzJGd9yOk=approov.io.client.swift.shapes-client-1.0[1]-4803"),
        Row(
            registration: Registration(
                signature: "guwtV9sOk0AaEqE08mWKu32X6x8HuyBqMalrN2UcD64=", package: "my.app.com", libraryID: "5647"),
            label: "guwtV9sOk0AaEqE08mWKu32X6x8HuyBqMalrN2UcD64=my.app.com-*-5647"),
        Row(
            registration: Registration(
                signature: "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=", package: "my.app.com", version: "special",
                libraryID: "1041"),
            label: "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=my.app.com-special-1041"),
        Row(
            registration: Registration(
                signature: "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=", package: "my.app.com", version: "2.0[3]",
                libraryID: "1056"),
            label: "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=my.app.com-2.0[3]-1056"),
        Row(
            registration: Registration(signature: "abc=", package: "my.app.com", version: "*", libraryID: "1"),
            label: "abc=my.app.com-*-1"),
        Row(
            registration: Registration(signature: "abc=", package: "my.app.com", version: "1.0"),
            label: "abc=my.app.com-1.0"),
    ]

    @Test("the overall signature", arguments: rows) func overallSignature(_ row: Row) {
        #expect(row.registration.overallSignature == row.label)
    }

    @Test("what commands do not see makes no other signature") func othersDoNotMatter() {
        let plain = Registration(signature: "abc=", package: "p", version: "1", libraryID: "2")
        let full = Registration(
            signature: "abc=", package: "p", version: "1", libraryID: "2", sdk: "iOS(2.5.0)", label: "bobs",
            added: Sample.time, expiry: Sample.time)
        #expect(full.overallSignature == plain.overallSignature)
        #expect(full != plain)
    }

    @Test("the version is that of the attribute, with round brackets", arguments: ["2.0[3]", "2.0(3)"])
    func versionIsTheAttributes(text: String) {
        #expect(Registration(signature: "abc=", version: text).version == "2.0(3)")
    }

    /// The time of a registration, an age in days, and whether the registration is older than that.
    struct Age: LabelledRow {
        let label: String
        let added: Int?
        let days: Int
        let isOlder: Bool
    }

    // "the command will only remove apps last registered more than 30 days ago"
    static let ages = [
        Age(label: "30 days and a second", added: -2_592_001, days: 30, isOlder: true),
        Age(label: "30 days", added: -2_592_000, days: 30, isOlder: false),
        Age(label: "29 days", added: -2_505_600, days: 30, isOlder: false),
        Age(label: "long ago, nobody knows when", added: nil, days: 30, isOlder: true),
        Age(label: "a second", added: -1, days: 0, isOlder: true),
        Age(label: "now", added: 0, days: 0, isOlder: false),
    ]

    @Test("Removing Multiple Registrations: more than so many days ago", arguments: ages) func isOlder(_ row: Age) {
        let registration = Registration(signature: "abc=", added: row.added.map { Sample.time(after: $0) })
        #expect(registration.isOlder(than: row.days * Instant.secondsPerDay, at: Sample.time) == row.isOlder)
    }

    /// When a registration ends.
    struct End: LabelledRow {
        let label: String
        let expiry: Int?
        let isActive: Bool
    }

    static let ends = [
        End(label: "a second before its expiry", expiry: 1, isActive: true),
        End(label: "R15.2 at its expiry", expiry: 0, isActive: false),
        End(label: "after it", expiry: -1, isActive: false),
        End(label: "permanent", expiry: nil, isActive: true),
    ]

    @Test("Temporary Registrations: active until the expiry", arguments: ends) func isActive(_ row: End) {
        let registration = Registration(signature: "abc=", expiry: row.expiry.map { Sample.time(after: $0) })
        #expect(registration.isActive(at: Sample.time) == row.isActive)
    }
}
