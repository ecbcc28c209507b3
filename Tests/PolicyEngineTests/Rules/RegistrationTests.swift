import Testing

@testable import PolicyEngine
@testable import TestSupport

// The overall signatures of registrations are tested in OverallSignatureTests.
@Suite("R15 Registrations") struct RegistrationTests {
    static let signature = "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc="
    static let package = "com.criticalblue.demo"
    /// The attributes that the app sends, as the manual shows devices (Getting Device Information).
    static let app = ["app-sig": signature, "appid": package, "app-version": "2.0(3)"]

    /// The registrations of an account, the attributes of an app, and whether it is registered.
    struct Row: LabelledRow {
        let label: String
        var listed: [Registration]?
        var app = RegistrationTests.app
        /// True if the population says that the app is registered.
        var counts = true
        let isRegistered: Bool
    }

    static let rows = [
        Row(label: "no list: the population says so", isRegistered: true),
        Row(label: "no list: the population says not", counts: false, isRegistered: false),
        Row(label: "an empty list registers nothing", listed: [], isRegistered: false),
        Row(
            label: "signature, package and version",
            listed: [Registration(signature: signature, package: package, version: "2.0(3)")], isRegistered: true),
        Row(
            label: "a list decides, whatever the population says",
            listed: [Registration(signature: signature, package: package, version: "2.0(3)")], counts: false,
            isRegistered: true),
        Row(
            label: "the version as overall signatures write it",
            listed: [Registration(signature: signature, package: package, version: "2.0[3]")], isRegistered: true),
        Row(
            label: "unversioned: any version",
            listed: [Registration(signature: signature, package: package)],
            app: ["app-sig": signature, "appid": package, "app-version": "9.9(9)"], isRegistered: true),
        Row(
            label: "unversioned, by the asterisk",
            listed: [Registration(signature: signature, package: package, version: "*")],
            app: ["app-sig": signature, "appid": package, "app-version": "9.9(9)"], isRegistered: true),
        Row(
            label: "unversioned: no version at all", listed: [Registration(signature: signature, package: package)],
            app: ["app-sig": signature, "appid": package], isRegistered: true),
        Row(
            label: "versioned: another version",
            listed: [Registration(signature: signature, package: package, version: "2.0(4)")], isRegistered: false),
        Row(
            label: "versioned: part of the version",
            listed: [Registration(signature: signature, package: package, version: "2.0")], isRegistered: false),
        Row(
            label: "versioned: no version at all",
            listed: [Registration(signature: signature, package: package, version: "2.0(3)")],
            app: ["app-sig": signature, "appid": package], isRegistered: false),
        Row(
            label: "another package",
            listed: [Registration(signature: signature, package: "com.criticalblue.demo2", version: "2.0(3)")],
            isRegistered: false),
        Row(
            label: "no package at all", listed: [Registration(signature: signature, package: package)],
            app: ["app-sig": signature, "app-version": "2.0(3)"], isRegistered: false),
        Row(label: "any package", listed: [Registration(signature: signature)], isRegistered: true),
        Row(
            label: "another signature",
            listed: [
                Registration(
                    signature: "A4rcdXpfEOg0wse4snbAURnjRZidPvY63EULzUrZeFE=", package: package, version: "2.0(3)")
            ], isRegistered: false),
        Row(
            label: "no signature at all", listed: [Registration(signature: signature)],
            app: ["appid": package, "app-version": "2.0(3)"], isRegistered: false),
        Row(
            label: "names differ by case",
            listed: [Registration(signature: signature, package: "com.CriticalBlue.demo")], isRegistered: false),
        Row(
            label: "package of one and version of another",
            listed: [
                Registration(signature: signature, package: package, version: "1.0"),
                Registration(signature: signature, package: "another", version: "2.0(3)"),
            ], isRegistered: false),
        Row(
            label: "the second of two",
            listed: [
                Registration(signature: signature, package: package, version: "1.0"),
                Registration(signature: signature, package: package, version: "2.0(3)"),
            ], isRegistered: true),
        Row(
            label: "library and label do not matter",
            listed: [Registration(signature: signature, package: package, libraryID: "2974", label: "bobs")],
            isRegistered: true),
    ]

    @Test("R15.1 which apps are registered", arguments: rows) func appIsRegistered(_ row: Row) throws {
        var account = try Account.sample()
        if let listed = row.listed {
            account.listRegistrations()
            for registration in listed { try account.append(registration) }
        }
        // On Android unversioned ones are those of app bundles, which BundleRegistrationTests tests.
        for system in OperatingSystem.allCases
        where system != .android || row.listed?.allSatisfy({ $0.version != nil }) != false {
            var device = SimulatedDevice.iPhone()
            device.evidence.system = system
            (device.attributes, device.evidence.isRegistered) = (row.app, row.counts)
            var phone = Phone(device, account)
            let outcome = try phone.attest()
            #expect(outcome.rejections == (row.isRegistered ? [] : ["app-not-registered"]))
            #expect(outcome.flags == (row.isRegistered ? ["new-did"] : ["app-not-registered", "new-did"]))
        }
    }

    @Test("R15.1 the observed flag is beside it", arguments: [true, false])
    func observedStands(isListed: Bool) throws {
        var account = try Account.sample()
        if isListed { try account.append(Registration(signature: Self.signature)) }
        var device = SimulatedDevice.android()
        (device.attributes, device.flags) = (Self.app, ["app-not-registered"])
        var phone = Phone(device, account)
        #expect(try phone.attest().rejections == ["app-not-registered"])
    }

    @Test("R15.1 it is worked out at every attestation and not persisted") func isNotPersisted() throws {
        var account = try Account.sample()
        account.listRegistrations()
        var device = SimulatedDevice.android()
        device.attributes = Self.app
        var phone = Phone(device, account)
        #expect(try phone.attest().rejections == ["app-not-registered"])
        #expect(try phone.state == [])
        try phone.change {
            try $0.append(Registration(signature: Self.signature, package: Self.package, version: "2.0(3)"))
        }
        #expect(try phone.attest().passed)
    }

    /// When a temporary registration ends, and whether the app is registered.
    struct Expiry: LabelledRow {
        let label: String
        let expiries: [Int?]
        let second: Int
        let isRegistered: Bool
    }

    static let expiries = [
        Expiry(label: "a second before", expiries: [100], second: 99, isRegistered: true),
        Expiry(label: "when it ends", expiries: [100], second: 100, isRegistered: false),
        Expiry(label: "later", expiries: [100], second: 100_000, isRegistered: false),
        Expiry(label: "permanent", expiries: [nil], second: 1_000_000_000, isRegistered: true),
        Expiry(label: "registered again for shorter", expiries: [100, 50], second: 99, isRegistered: true),
        Expiry(label: "registered again for longer", expiries: [50, 100], second: 99, isRegistered: true),
        Expiry(label: "both over", expiries: [100, 50], second: 100, isRegistered: false),
        Expiry(label: "permanent, registered again for a time", expiries: [nil, 50], second: 1000, isRegistered: true),
        Expiry(label: "for a time, registered again for good", expiries: [50, nil], second: 1000, isRegistered: true),
    ]

    @Test("R15.2 a temporary one ends at its expiry, and registering again never shortens it", arguments: expiries)
    func registrationEnds(_ row: Expiry) throws {
        var account = try Account.sample()
        for expiry in row.expiries {
            try account.append(
                Registration(
                    signature: Self.signature, package: Self.package, version: "2.0(3)",
                    expiry: expiry.map(Sample.time(after:))))
        }
        var device = SimulatedDevice.iPhone()
        device.attributes = Self.app
        var phone = Phone(device, account)
        phone.wait(seconds: row.second)
        #expect(try phone.attest().rejections == (row.isRegistered ? [] : ["app-not-registered"]))
    }

    /// When an app is registered, or no more, and when an attestation shows it.
    static let moments: [Case<Int, Bool>] = [
        Case("at once", 0, gives: false), Case("29 s", 29, gives: false),
        Case("30 s", 30, gives: true), Case("5 min", 300, gives: true),
    ]

    @Test("R1.5 a change of a registration is in force propagation after it is made", arguments: moments)
    func changeTakesItsTime(_ row: Case<Int, Bool>) throws {
        let registration = Registration(signature: Self.signature, package: Self.package, version: "2.0(3)")
        var account = try Account.sample().changed { $0.propagation = 30 }
        account.listRegistrations()
        var device = SimulatedDevice.android()
        device.attributes = Self.app
        var phone = Phone(device, account)
        try phone.change { try $0.append(registration) }
        phone.wait(seconds: row.input)
        #expect(try phone.attest().passed == row.expected)
        phone.wait(seconds: 1000)
        try phone.change { try $0.removeRegistration(registration.overallSignature) }
        phone.wait(seconds: row.input)
        #expect(try phone.attest().passed == !row.expected)
    }
}

@Suite("R21.5 Apps in development") struct DevelopmentTests {
    struct Row: LabelledRow {
        let label: String
        /// The key that the account has, and the one that the app gives.
        let known, said: String?
        let isDevelopment: Bool
    }

    static let rows = [
        Row(label: "the account's key", known: "caf\u{E9}", said: "caf\u{E9}", isDevelopment: true),
        Row(label: "another key", known: "key", said: "other", isDevelopment: false),
        Row(label: "the same letters in other bytes", known: "caf\u{E9}", said: "cafe\u{301}", isDevelopment: false),
        Row(label: "no key in the account", known: nil, said: "key", isDevelopment: false),
        Row(label: "no key in the app", known: "key", said: nil, isDevelopment: false),
        Row(label: "no key at all", known: nil, said: nil, isDevelopment: false),
    ]

    @Test("R21.5 emulators, simulators and missing registrations are overlooked, and nothing else", arguments: rows)
    func overlooked(_ row: Row) throws {
        var account = try Account.sample()
        account.developmentKey = row.known
        account.listRegistrations()
        var (service, platforms) = (SimulatedService(account), PlatformServices())
        var device = SimulatedDevice.android()
        device.flags = ["emulator", "ios-simulator", "rooted"]
        device.evidence.developmentKey = row.said
        let flags = Set(try service.attest(&device, with: &platforms).flags)
        #expect(flags.contains("rooted"))
        let overlooked: Set = ["emulator", "ios-simulator", "app-not-registered"]
        #expect(flags.intersection(overlooked) == (row.isDevelopment ? [] : overlooked))
    }
}
