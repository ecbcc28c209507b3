import Testing

@testable import PolicyEngine
@testable import TestSupport

// Registering an App, Unversioned Registrations, Listing Registrations, Annotating a Registration.
@Suite("What registrations are called") struct OverallSignatureTests {
    @Test("what commands do not see makes no other signature") func othersDoNotMatter() {
        let plain = Registration(signature: "abc=", package: "p", version: "1", libraryID: "2")
        let full = Registration(
            signature: "abc=", package: "p", version: "1", libraryID: "2", sdk: "iOS(2.5.0)", label: "bobs",
            added: Sample.time, expiry: Sample.time)
        expect(full.overallSignature, equals: plain.overallSignature)
        #expect(full != plain)
    }

    @Test("the version is that of the attribute, with round brackets", arguments: ["2.0[3]", "2.0(3)"])
    func versionIsTheAttributes(text: String) {
        expect(Registration(signature: "abc=", version: text).version, equals: "2.0(3)")
    }

    /// The seconds since a registration, an age in days, and whether the registration is older than that. "the command will only
    /// remove apps last registered more than 30 days ago"
    static let ages: [(added: Int?, days: Int, isOlder: Bool)] = [
        (-2_592_001, 30, true), (-2_592_000, 30, false), (-2_505_600, 30, false), (nil, 30, true), (-1, 0, true),
        (0, 0, false),
    ]

    @Test("Removing Multiple Registrations: more than a number of days ago", arguments: ages)
    func isOlder(added: Int?, days: Int, isOlder: Bool) {
        let registration = Registration(signature: "abc=", added: added.map { Sample.time(after: $0) })
        expect(registration.isOlder(than: days * Instant.secondsPerDay, at: Sample.time), equals: isOlder)
    }
}

@Suite("Android App Signing Certificates") struct AppSigningCertificateTests {
    /// A certificate in DER with the subject of the manual's sample, made once with OpenSSL 3.
    static let certificate = [UInt8](
        hexadecimal: """
            308201ea3082018fa00302010202142778daadf5d1b9005c78372183c2d29f28224915300a06082a8648ce3d04030230\
            4a310b300906035504061302554b3112301006035504070c094564696e627572676831153013060355040a0c0c437269\
            746963616c426c75653110300e06035504030c07414e4f74686572301e170d3236313132313037313230335a170d3437\
            303931323037313230335a304a310b300906035504061302554b3112301006035504070c094564696e62757267683115\
            3013060355040a0c0c437269746963616c426c75653110300e06035504030c07414e4f746865723059301306072a8648\
            ce3d020106082a8648ce3d030107034200044df8b02ca1df55984f0063c51ba1fe7b11c240ce117622a73a7a7d0b68d1\
            73e9f8d3ef90029f34d9c64bd38dbb77a6c809c979ad9f647fb8af1e9ee693e8fd23a3533051301d0603551d0e041604\
            14d7c845d94581b59c8c6e74392e6ff62779e69ebd301f0603551d23041830168014d7c845d94581b59c8c6e74392e6f\
            f62779e69ebd300f0603551d130101ff040530030101ff300a06082a8648ce3d0403020349003046022100eca3018b9a\
            d306b9af559d7f79990fac12ce681ec37bbd819a64bcd3084145d1022100858e9f55b49f1e6097cb79e63bce4792b09e\
            224f697eb6abd16739af6cf48fb1
            """)

    /// The fingerprint that `openssl x509 -fingerprint -sha256` prints for it; Python's hashlib agrees.
    static let fingerprint =
        "10:0F:78:71:39:65:B1:01:E9:72:11:A5:44:96:49:D4:F6:93:4B:94:CD:1C:6C:DF:89:E3:5E:FC:F1:A7:BC:4E"

    @Test("the first 8 bytes of the SHA256 hash of the certificate, in hex") func firstEightBytes() {
        expect(Self.certificate.count, equals: 494)
        expect(AppSigningCertificate.fingerprint(of: Self.certificate), equals: "10:0F:78:71:39:65:B1:01")
    }

    @Test("the value that the Play Console shows is taken for the same") func wholeFingerprintIsTaken() throws {
        var account = try Account.sample()
        try account.append(AppSigningCertificate(fingerprint: Self.fingerprint))
        expect(account.appSigningCertificates, equals: [AppSigningCertificate.fingerprint(of: Self.certificate)])
        try account.removeAppSigningCertificate(AppSigningCertificate.fingerprint(of: Self.certificate))
        #expect(account.appSigningCertificates.isEmpty)
    }

    /// Digests by Python's hashlib.
    /// Bytes, and their digests by Python's hashlib.
    static let rows: [Case<[UInt8], String>] = [
        Case("no bytes", [], gives: "E3:B0:C4:42:98:FC:1C:14"),
        Case("abc", Array("abc".utf8), gives: "BA:78:16:BF:8F:01:CF:EA"),
        Case("64 bytes", Array(repeating: UInt8(ascii: "a"), count: 64), gives: "FF:E0:54:FE:7A:E0:CB:6D"),
    ]

    @Test("any bytes have one, with zeros where they are", arguments: rows)
    func fingerprints(_ row: Case<[UInt8], String>) {
        expect(AppSigningCertificate.fingerprint(of: row.input), equals: row.expected)
    }
}
