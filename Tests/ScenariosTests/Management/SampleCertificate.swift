import Foundation
import Testing

@testable import TestSupport

/// A certificate of C=UK, L=Edinburgh, O=CriticalBlue, CN=ANOther.
enum SampleCertificate {
    /// The first eight bytes of its SHA-256, as OpenSSL's own command prints them.
    static let fingerprint = "46:1A:BC:D7:53:30:3F:74"

    /// The certificate in DER.
    static func bytes() throws -> Data { try #require(Data(base64Encoded: encoded)) }

    private static let encoded =
        "MIIB6TCCAY+gAwIBAgIUJBUo+A5Lb5JVuFOkRzr7A9VyfRowCgYIKoZIzj0EAwIwSjELMAkGA1UEBhMCVUsxEjAQBgNVBAcMCUVk"
        + "aW5idXJnaDEVMBMGA1UECgwMQ3JpdGljYWxCbHVlMRAwDgYDVQQDDAdBTk90aGVyMB4XDTI2MTEyMTA3NDk1NFoXDTQxMDUyMTA3"
        + "NDk1NFowSjELMAkGA1UEBhMCVUsxEjAQBgNVBAcMCUVkaW5idXJnaDEVMBMGA1UECgwMQ3JpdGljYWxCbHVlMRAwDgYDVQQDDAdB"
        + "Tk90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2RaPYx2mfoM9OeqTmJEfe0gU0rYmczSBHsvjzc0yJGc/A1Y+1Kdvc9bz"
        + "5YxSaqa0UGA+ckdj8q3u/0Kg7WWLDqNTMFEwHQYDVR0OBBYEFCv5k/bnQrKjAMD4gdVBpptJnj6xMB8GA1UdIwQYMBaAFCv5k/bn"
        + "QrKjAMD4gdVBpptJnj6xMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAPe6G3sqWHjBv39MmgZgYoxKjTfvZNJh"
        + "g1uie02f+gYNAiAEERRmVwaiWs9na6VWGMMPsqdTA4+Ivpi9OOdvntVT8w=="
}
