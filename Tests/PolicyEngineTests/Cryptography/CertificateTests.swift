import Foundation
import Testing

@testable import PolicyEngine

/// App signing certificates (manual, Android App Signing Certificates).
@Suite struct CertificateTests {
    // C=UK, L=Edinburgh, O=CriticalBlue, CN=ANOther, until 21 May 2041; its fingerprint is OpenSSL's own.
    private static let encoded =
        "MIIB6TCCAY+gAwIBAgIUJBUo+A5Lb5JVuFOkRzr7A9VyfRowCgYIKoZIzj0EAwIwSjELMAkGA1UEBhMCVUsxEjAQBgNVBAcMCUVk"
        + "aW5idXJnaDEVMBMGA1UECgwMQ3JpdGljYWxCbHVlMRAwDgYDVQQDDAdBTk90aGVyMB4XDTI2MTEyMTA3NDk1NFoXDTQxMDUyMTA3"
        + "NDk1NFowSjELMAkGA1UEBhMCVUsxEjAQBgNVBAcMCUVkaW5idXJnaDEVMBMGA1UECgwMQ3JpdGljYWxCbHVlMRAwDgYDVQQDDAdB"
        + "Tk90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2RaPYx2mfoM9OeqTmJEfe0gU0rYmczSBHsvjzc0yJGc/A1Y+1Kdvc9bz"
        + "5YxSaqa0UGA+ckdj8q3u/0Kg7WWLDqNTMFEwHQYDVR0OBBYEFCv5k/bnQrKjAMD4gdVBpptJnj6xMB8GA1UdIwQYMBaAFCv5k/bn"
        + "QrKjAMD4gdVBpptJnj6xMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAPe6G3sqWHjBv39MmgZgYoxKjTfvZNJh"
        + "g1uie02f+gYNAiAEERRmVwaiWs9na6VWGMMPsqdTA4+Ivpi9OOdvntVT8w=="

    private static func bytes() throws -> [UInt8] { Array(try #require(Data(base64Encoded: encoded))) }

    @Test func saysWhoseItIsAndHowLong() throws {
        let certificate = try #require(AppSigningCertificate(der: try Self.bytes()))
        #expect(certificate.fingerprint == "46:1A:BC:D7:53:30:3F:74")
        #expect(certificate.subject == "CN=ANOther,O=CriticalBlue,L=Edinburgh,C=UK")
        #expect(certificate.expiry == Instant(rfc3339: "2041-05-21T07:49:54Z"))
    }

    @Test func whatIsCutOrHasMoreBehindItIsNone() throws {
        let bytes = try Self.bytes()
        for count in 0..<bytes.count { #expect(AppSigningCertificate(der: Array(bytes.prefix(count))) == nil) }
        #expect(AppSigningCertificate(der: bytes + [0]) == nil)
        #expect(AppSigningCertificate(der: Array("-----BEGIN CERTIFICATE-----".utf8)) == nil)
    }
}
