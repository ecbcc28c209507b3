import Testing

@testable import PolicyEngine
@testable import TestSupport

/// App bundles, SDK IDs and certificates of registrations (R15.1; manual, Android App Signing Certificates).
@Suite struct BundleRegistrationTests {
    private static let known = "C0:F3:15:9B:A5:6C:A8:E1"
    private static let app = [
        "app-sig": "raw=", "app-id-sig": "identity=", "appid": "a", "app-version": "1", "sdkid": "4000",
    ]

    /// A registration, an app, and whether the app is registered.
    struct Row: LabelledRow {
        let label: String
        let registration: Registration
        var systems: [OperatingSystem] = [.android]
        /// The attributes that differ from the usual app's; an empty value is none.
        var app: [String: String] = [:]
        let isRegistered: Bool
    }

    private static func bundle(_ signature: String, version: String? = "1", libraryID: String? = nil) -> Registration {
        Registration(signature: signature, package: "a", version: version, libraryID: libraryID, isBundle: true)
    }

    private static func package(_ signature: String, version: String? = "1", sdk: String? = nil) -> Registration {
        Registration(signature: signature, package: "a", version: version, sdk: sdk)
    }

    static let kinds = [
        Row(label: "a bundle by its identity", registration: bundle("identity="), isRegistered: true),
        Row(label: "a bundle not by the raw signature", registration: bundle("raw="), isRegistered: false),
        Row(label: "a package by the raw signature", registration: package("raw="), isRegistered: true),
        Row(label: "a package not by an identity", registration: package("identity="), isRegistered: false),
        Row(label: "a bundle of another version", registration: bundle("identity=", version: "2"), isRegistered: false),
        Row(
            label: "an unversioned bundle", registration: bundle("identity=", version: nil),
            app: ["app-version": "9"], isRegistered: true),
        Row(
            label: "a bundle without an identity", registration: bundle("identity="), app: ["app-id-sig": ""],
            isRegistered: false),
        Row(
            label: "unversioned on Android: a bundle", registration: package("identity=", version: nil),
            isRegistered: true),
        Row(
            label: "unversioned on Android: no package", registration: package("raw=", version: nil),
            isRegistered: false),
        Row(
            label: "unversioned elsewhere: a package", registration: package("raw=", version: nil),
            systems: [.ios, .unknown], isRegistered: true),
        Row(
            label: "unversioned elsewhere: no bundle", registration: package("identity=", version: nil),
            systems: [.ios, .unknown], isRegistered: false),
        Row(
            label: "unversioned with an SDK of Android",
            registration: package("identity=", version: nil, sdk: "Android(2.6.0)"),
            systems: OperatingSystem.allCases, isRegistered: true),
        Row(
            label: "unversioned with an SDK of iOS", registration: package("raw=", version: nil, sdk: "iOS(2.6.0)"),
            systems: OperatingSystem.allCases, isRegistered: true),
    ]

    static let libraries = [
        Row(label: "the SDK", registration: bundle("identity=", libraryID: "4000"), isRegistered: true),
        Row(label: "another SDK", registration: bundle("identity=", libraryID: "4505"), isRegistered: false),
        Row(
            label: "no SDK on the device", registration: bundle("identity=", libraryID: "4505"), app: ["sdkid": ""],
            isRegistered: true),
        Row(
            label: "another SDK of a package",
            registration: Registration(signature: "raw=", package: "a", version: "1", libraryID: "4505"),
            systems: OperatingSystem.allCases, isRegistered: false),
    ]

    static let certificates = [
        Row(label: "known", registration: bundle("identity="), app: ["app-cert": known], isRegistered: true),
        Row(
            label: "known, in other letters and whole", registration: bundle("identity="),
            app: ["app-cert": "c0:f3:15:9b:a5:6c:a8:e1:01:02"], isRegistered: true),
        Row(
            label: "unknown", registration: bundle("identity="), app: ["app-cert": "00:11:22:33:44:55:66:77"],
            isRegistered: false),
        Row(label: "no fingerprint", registration: bundle("identity="), app: ["app-cert": "mine"], isRegistered: false),
        Row(
            label: "a package has none", registration: package("raw="), app: ["app-cert": "00:11:22:33:44:55:66:77"],
            isRegistered: true),
    ]

    @Test("R15.1 bundles, SDK IDs and certificates", arguments: kinds + libraries + certificates)
    func isRegistered(_ row: Row) throws {
        for system in row.systems {
            var account = try Account.sample()
            try account.append(row.registration)
            try account.addAppSigningCertificate(Self.known)
            var device = SimulatedDevice.android(answering: nil)
            device.evidence.system = system
            device.attributes = Self.app.merging(row.app) { $1 }.filter { !$0.value.isEmpty }
            var phone = Phone(device, account)
            #expect(try phone.attest().rejections == (row.isRegistered ? [] : ["app-not-registered"]))
        }
    }

    @Test("R1.5 a certificate affects apps launched after it is in force") func certificatesAtTheLaunch() throws {
        var account = try Account.sample().changed { $0.propagation = 30 }
        try account.append(Self.bundle("identity="))
        var device = SimulatedDevice.android(answering: nil)
        device.attributes = Self.app.merging(["app-cert": Self.known]) { $1 }
        var phone = Phone(device, account)
        #expect(try phone.attest().rejections == ["app-not-registered"])
        try phone.change { try $0.addAppSigningCertificate(Self.known) }
        phone.wait(seconds: 1000)
        #expect(try phone.attest().rejections == ["app-not-registered"])
        phone.launch()
        #expect(try phone.attest().passed)
        try phone.change { try $0.removeAppSigningCertificate(Self.known) }
        phone.wait(seconds: 1000)
        #expect(try phone.attest().passed)
        phone.launch()
        #expect(try phone.attest().rejections == ["app-not-registered"])
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
