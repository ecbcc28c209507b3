import Foundation
import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// Files of app signing certificates (R16; manual, App Signing Certificates).
@Suite struct CertificateCommandTests {
    private static let fingerprint = SampleCertificate.fingerprint

    @Test(
        "App Signing Certificates: a file's fingerprint is the first 8 bytes of its SHA-256",
        arguments: ["cert.der", "keys/cert.der", "absolute"]) func aFile(name: String) throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.write(try SampleCertificate.bytes(), to: name)
        let context = CommandContext(folder: folder.path + "/")
        let (account, effects) = try CommandBench.carryOut(
            ["appsigncert -add \(name == "absolute" ? path : name)"], on: "{}", in: context)
        expect(account.appSigningCertificates, equals: [Self.fingerprint])
        expect(
            effects.map(\.reported),
            equals: [
                [
                    "successfully added \(Self.fingerprint) | Subject: CN=ANOther,O=CriticalBlue,L=Edinburgh,C=UK | "
                        + "Expiry: 21 May 2041"
                ]
            ])
        let twice = try CommandBench.refusal(
            of: ["appsigncert -add \(Self.fingerprint)", "appsigncert -add \(path)"], on: "{}", in: context)
        expect(twice, equals: "app signing certificate `\(Self.fingerprint)` exists already")
    }

    @Test("App Signing Certificates: a scenario's files lie beside it") func besideTheScenario() throws {
        let folder = try TemporaryFolder()
        try folder.write(try SampleCertificate.bytes(), to: "deep/cert.der")
        let path = try folder.write(
            """
            scenario: s
            account: {propagation: 0s, safetynet: {api-key: k}}
            devices: {bob: {os: android, safetynet: fail-cert}, amy: {os: android, safetynet: fail-cert}}
            steps:
              - {at: 0s, fetch: bob, expect: {verdict: pass, flags: [new-did, safetynet-completed]}}
              - {at: 1s, approov: appsigncert -add cert.der}
              - {at: 2s, launch: amy}
              - {at: 2s, fetch: amy, expect: {verdict: fail, rejections: [safetynet-fail-cert]}}
              - {at: 3s, approov: "appsigncert -remove \(Self.fingerprint)"}

            """, to: "deep/s.yaml")
        var diagnostics = Diagnostics()
        let scenario = try #require(ScenarioLoader.load(path: path, diagnostics: &diagnostics))
        let results = ScenarioRunner().run([scenario], diagnostics: &diagnostics)
        expect(diagnostics.all.map(\.rendered), equals: [])
        expect(results.flatMap(\.expectations).filter { !$0.passed }, equals: [])
        expect(results.flatMap(\.expectations).count, equals: 4)
    }
}

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
