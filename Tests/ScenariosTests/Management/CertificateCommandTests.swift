import Foundation
import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import Scenarios
@testable import TestSupport

/// App signing certificates by command (R16; manual, App Signing Certificates).
@Suite struct CertificateCommandTests {
    struct Row: LabelledRow {
        let name: String
        var account = "{}"
        let lines: [String]
        let certificates: [String]
    }

    private static let one = "C0:F3:15:9B:A5:6C:A8:E1"
    private static let two = "00:11:22:33:44:55:66:77"
    private static let given = "app-signing-certs: ['\(one)', '\(two)']"

    static let rows = [
        Row(name: "a fingerprint", lines: ["appsigncert -add \(one)"], certificates: [one]),
        Row(name: "in small letters", lines: ["appsigncert -add \(one.lowercased())"], certificates: [one]),
        // "The first 8 bytes of the SHA256 hash of the certificate are shown."
        Row(
            name: "the whole hash", lines: ["appsigncert -add \(one)\(String(repeating: ":AB", count: 24))"],
            certificates: [one]),
        Row(name: "two", lines: ["appsigncert -add \(two)", "appsigncert -add \(one)"], certificates: [two, one]),
        Row(name: "removed", account: given, lines: ["appsigncert -remove \(one)"], certificates: [two]),
        Row(
            name: "removed in small letters", account: given, lines: ["appsigncert -remove \(two.lowercased())"],
            certificates: [one]),
        Row(
            name: "removed and added again", account: given,
            lines: ["appsigncert -remove \(one)", "appsigncert -add \(one)"], certificates: [two, one]),
        Row(
            name: "all removed", account: given, lines: ["appsigncert -remove \(one)", "appsigncert -remove \(two)"],
            certificates: []),
    ]

    @Test("App Signing Certificates: are added and removed", arguments: rows) func areSet(_ row: Row) throws {
        let (account, effects) = try CommandBench.carryOut(row.lines, on: row.account)
        #expect(account.appSigningCertificates == row.certificates)
        #expect(effects.flatMap(\.warnings) == [])
    }

    private static let noFile = "no such file or directory; hint: a fingerprint can be given instead"
    private static let ten = (10...19).map { "'\($0):11:22:33:44:55:66:77'" }.joined(separator: ", ")

    static let refusals = [
        RefusedCommand(
            "one that is there", "appsigncert -add \(one)", on: given,
            says: "app signing certificate `\(one)` exists already"),
        RefusedCommand(
            "the same in its whole length", "appsigncert -add \(two):88", on: given,
            says: "app signing certificate `\(two)` exists already"),
        RefusedCommand(
            "the 11th", "appsigncert -add \(one)", on: "app-signing-certs: [\(ten)]",
            says: "app signing certificate `\(one)` is one too many; an account has at most 10"),
        RefusedCommand(
            "one that is not there", "appsigncert -remove C0:F3:15:9B:A5:6C:A8:E2", on: given,
            says: "there is no app signing certificate `C0:F3:15:9B:A5:6C:A8:E2`; hint: did you mean `\(one)`?"),
        RefusedCommand(
            "one that was removed", "appsigncert -remove \(one)", "appsigncert -remove \(one)", on: given,
            says: "there is no app signing certificate `\(one)`"),
        RefusedCommand(
            "none at all", "appsigncert -remove \(one)", says: "there is no app signing certificate `\(one)`"),
        RefusedCommand(
            "a file that is not there", "appsigncert -add nowhere/cert.der",
            says: "certificate `nowhere/cert.der`: \(noFile)"),
        RefusedCommand(
            "a fingerprint of seven bytes is taken for a file", "appsigncert -add C0:F3:15:9B:A5:6C:A8",
            says: "certificate `C0:F3:15:9B:A5:6C:A8`: \(noFile)"),
    ]

    @Test("R16 is refused", arguments: refusals) func refuses(_ row: RefusedCommand) throws {
        try row.expectRefusal()
    }

    @Test("R16 the tenth is not refused") func theLimitCanBeReached() throws {
        let nine = (10...18).map { "'\($0):11:22:33:44:55:66:77'" }.joined(separator: ", ")
        let (account, _) = try CommandBench.carryOut(
            ["appsigncert -add \(Self.one)"], on: "app-signing-certs: [\(nine)]")
        #expect(account.appSigningCertificates.count == 10)
    }

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
        #expect(account.appSigningCertificates == [Self.fingerprint])
        #expect(
            effects.map(\.reported) == [
                [
                    "successfully added \(Self.fingerprint) | Subject: CN=ANOther,O=CriticalBlue,L=Edinburgh,C=UK | "
                        + "Expiry: 21 May 2041"
                ]
            ])
        let twice = try CommandBench.refusal(
            of: ["appsigncert -add \(Self.fingerprint)", "appsigncert -add \(path)"], on: "{}", in: context)
        #expect(twice == "app signing certificate `\(Self.fingerprint)` exists already")
    }

    @Test("App Signing Certificates: a file that is not a certificate in DER is refused") func noCertificate() throws {
        let folder = try TemporaryFolder()
        try folder.write("-----BEGIN CERTIFICATE-----\n", to: "cert.pem")
        let context = CommandContext(folder: folder.path + "/")
        let refusal = try CommandBench.refusal(of: ["appsigncert -add cert.pem"], on: "{}", in: context)
        #expect(
            refusal.map(folder.relative)
                == "`cert.pem` is not a certificate in DER; hint: a fingerprint can be given instead")
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
        #expect(diagnostics.all.map(\.rendered) == [])
        #expect(results.flatMap(\.expectations).filter { !$0.passed } == [])
        #expect(results.flatMap(\.expectations).count == 4)
    }

    @Test("App Signing Certificates: a file that is not beside the scenario is an error at the command")
    func notBesideTheScenario() throws {
        let folder = try TemporaryFolder()
        try folder.write(try SampleCertificate.bytes(), to: "cert.der")
        let marked = MarkedText(
            "scenario: s\nsteps:\n  - {at: 0s, approov: ①appsigncert -add cert.der}\nexpect: {metrics: {pass: 0}}\n")
        let path = try folder.write(marked.text, to: "deep/s.yaml")
        var diagnostics = Diagnostics()
        #expect(ScenarioLoader.load(path: path, diagnostics: &diagnostics).map(\.name) == nil)
        #expect(
            diagnostics.all.map { folder.relative($0.message) } == [
                "certificate `deep/cert.der`: no such file or directory"
            ])
        #expect(diagnostics.all.map(\.position) == [marked.positions["①"]])
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

/// Management commands of a scenario, which knows the time and the devices.
@Suite struct RehearsedCommandTests {
    // R6.2: which device that is, and so what has its label, is known only as the scenario runs.
    @Test func theLabelOfTheLatestDeviceMayBeMatched() throws {
        let output = try RunOutput(
            """
            devices: {bob: {}}
            steps:
              - {at: 0s, fetch: bob}
              - {at: 1s, approov: device -add latest -label x}
              - {at: 2s, approov: device -removeMatching x}
              - {at: 3s, approov: device -list}
            expect: {metrics: {pass: 1}}
            """)
        #expect(output.lines == ["0 devices:"])
    }

    @Test("R15.1a a release is rehearsed in a scenario") func rehearsal() throws {
        let output = try RunOutput(
            """
            start: 2020-01-01T00:00:00Z
            account:
              app-signing-certs: ["C0:F3:15:9B:A5:6C:A8:E1"]
              registrations: [{app-sig: old=, appid: a, app-version: "1", library-id: "4000"}]
            devices:
              old: {os: android, attributes: {app-sig: old=, appid: a, app-version: "1", sdkid: "4000"}}
              new:
                os: android
                attributes: {app-sig: x=, app-id-sig: new=, appid: a, app-version: "2", sdkid: "4001", app-cert: "c0:f3:15:9b:a5:6c:a8:e1"}
            steps:
              - {at: 0s, fetch: all, expect: [{group: old, verdict: pass}, {group: new, rejections: [app-not-registered]}]}
              - {at: 1m, approov: "registration -add a.aab -signature new= -appID a -appVersion 2 -libraryID 4001 -bundle -expireAfter 1d"}
              - {at: 1m29s, launch: all}
              - {at: 1m29s, fetch: new, expect: {verdict: fail}}
              - {at: 1m30s, launch: all}
              - {at: 1m30s, fetch: all, expect: {verdict: pass}}
              - {at: 1m30s, approov: registration -list}
            expect: {metrics: {pass: 3}}
            """)
        #expect(
            output.lines == [
                "2 app registrations:", " old=a-1-4000",
                " new=a-2-4001   registered:2020-01-01 00:01:00 expiry:2020-01-02 00:01:00",
            ])
    }

    @Test("Listing Registrations: a scenario prints them as they are then") func inAScenario() throws {
        let output = try RunOutput(
            """
            start: 2020-01-01T00:00:00Z
            account:
              registrations:
                - {app-sig: A=, appid: a, expiry: 2020-01-01T00:01:00Z}
                - {app-sig: B=, appid: b}
            steps:
              - {at: 0s, approov: registration -list}
              - {at: 59s, approov: registration -list}
              - {at: 60s, approov: registration -list}
              - {at: 60s, approov: registration -remove B=b-*}
              - {at: 60s, approov: registration -list}
            expect: {metrics: {pass: 0}, vacuous: allowed}
            """)
        let both = ["2 app registrations:", " A=a-*   expiry:2020-01-01 00:01:00", " B=b-*"]
        #expect(output.lines == both + both + ["1 app registration:", " B=b-*", "0 app registrations:"])
    }
}
