import Testing

@testable import PolicyEngine
@testable import TestSupport

extension SafetyNetTests {
    @Suite("R9.2 Outcomes") struct Outcomes {
        /// An outcome, what is persisted of it, and what the policies default and strict object to.
        struct Row: LabelledRow {
            let outcome: SafetyNetOutcome
            var hasCertificates = true
            let persisted: [String]
            var isRisky = true
            let rejections: [String]
            let strictRejections: [String]

            var testDescription: String { "\(outcome.rawValue), \(hasCertificates ? "with" : "without") certificates" }
        }

        static let outcomes =
            [true, false].flatMap { hasCertificates in
                [
                    Row(
                        outcome: .pass, hasCertificates: hasCertificates, persisted: ["safetynet-completed"],
                        isRisky: false, rejections: [], strictRejections: []),
                    Row(
                        outcome: .failToken, hasCertificates: hasCertificates,
                        persisted: ["safetynet-completed", "safetynet-fail-token"],
                        rejections: ["safetynet-fail-token"], strictRejections: ["safetynet-fail-token"]),
                    Row(
                        outcome: .failIntegrity, hasCertificates: hasCertificates,
                        persisted: ["safetynet-completed", "safetynet-fail-integrity"],
                        rejections: ["safetynet-fail-integrity"], strictRejections: ["safetynet-fail-integrity"]),
                    Row(
                        outcome: .failProfile, hasCertificates: hasCertificates,
                        persisted: ["safetynet-completed", "safetynet-fail-profile"], rejections: [],
                        strictRejections: ["safetynet-fail-profile"]),
                    Row(
                        outcome: .unavailable, hasCertificates: hasCertificates, persisted: ["safetynet-unavailable"],
                        isRisky: false, rejections: [], strictRejections: ["safetynet-unavailable"]),
                ]
            } + [
                Row(
                    outcome: .failCertificate, persisted: ["safetynet-completed", "safetynet-fail-cert"],
                    rejections: ["safetynet-fail-cert"], strictRejections: ["safetynet-fail-cert"]),
                Row(
                    outcome: .failCertificate, hasCertificates: false, persisted: ["safetynet-completed"],
                    isRisky: false, rejections: [], strictRejections: []),
            ]

        @Test("R9.2 what an outcome comes to", arguments: outcomes) func outcome(_ row: Row) throws {
            for (policy, rejections) in [("default", row.rejections), ("strict", row.strictRejections)] {
                var account = try Account.sample("default,\(policy),all")
                account.safetyNet = SafetyNetSettings(apiKey: Phone.apiKey)
                if row.hasCertificates { try account.addAppSigningCertificate("C0:F3:15:9B:A5:6C:A8:E1") }
                var phone = Phone(.android(answering: row.outcome), account)
                let outcome = try phone.attest()
                #expect(outcome.flags == ["new-did"] + row.persisted + (row.isRisky ? ["risky-device"] : []))
                #expect(outcome.rejections == rejections)
                #expect(outcome.lifetime == (row.isRisky ? 120 : 300))
                #expect(try phone.state == row.persisted)
            }
        }

        /// An account that gets a certificate, or loses it, and an app that is launched and attests, in seconds.
        struct Moment: LabelledRow {
            let label: String
            var hadCertificate = false
            var propagation = 30
            let changed: Int
            let launched: Int
            let attests: Int
            let fails: Bool
        }

        static let moments = [
            Moment(
                label: "launched before it is added, attests long after", changed: 10, launched: 0, attests: 100,
                fails: false),
            Moment(
                label: "launched after it is added and before it is in force", changed: 10, launched: 39, attests: 100,
                fails: false),
            Moment(
                label: "launched when it comes into force", changed: 10, launched: 40, attests: 100, fails: true),
            Moment(label: "launched when it is in force", changed: 10, launched: 41, attests: 41, fails: true),
            Moment(
                label: "in force at once where changes are", propagation: 0, changed: 10, launched: 10, attests: 10,
                fails: true),
            Moment(
                label: "and not before", propagation: 0, changed: 10, launched: 9, attests: 10, fails: false),
            Moment(
                label: "removed: launched before that, attests long after", hadCertificate: true, changed: 10,
                launched: 0, attests: 100, fails: true),
            Moment(
                label: "removed: launched before that is in force", hadCertificate: true, changed: 10, launched: 39,
                attests: 100, fails: true),
            Moment(
                label: "removed: launched when that comes into force", hadCertificate: true, changed: 10, launched: 40,
                attests: 100, fails: false),
        ]

        @Test("R1.5, R9.2 a certificate bears on apps launched after it is in force", arguments: moments)
        func certificateBears(_ row: Moment) throws {
            let fingerprint = "C0:F3:15:9B:A5:6C:A8:E1"
            var account = try Account.sample()
            account.propagation = row.propagation
            account.safetyNet = SafetyNetSettings(apiKey: Phone.apiKey)
            if row.hadCertificate { try account.addAppSigningCertificate(fingerprint) }
            var service = SimulatedService(account)
            try service.change(at: Sample.time(after: row.changed)) { account in
                if row.hadCertificate { return try account.removeAppSigningCertificate(fingerprint) }
                try account.addAppSigningCertificate(fingerprint)
            }
            var device = SimulatedDevice.android(answering: .failCertificate)
            device.launch(at: Sample.time(after: row.launched))
            var platforms = PlatformServices()
            let outcome = try service.attest(&device, at: Sample.time(after: row.attests), with: &platforms)
            #expect(outcome.rejections == (row.fails ? ["safetynet-fail-cert"] : []))
            #expect(outcome.flags.contains("safetynet-completed"))
        }

        @Test("R9.2 a result that is persisted stays whatever certificates come and go", arguments: [true, false])
        func resultStays(hadCertificate: Bool) throws {
            var phone = try Phone.android(answering: .failCertificate)
            if hadCertificate { try phone.change { try $0.addAppSigningCertificate("C0:F3:15:9B:A5:6C:A8:E1") } }
            #expect(try phone.attest().passed == !hadCertificate)
            try phone.change { account in
                if hadCertificate { return try account.removeAppSigningCertificate("C0:F3:15:9B:A5:6C:A8:E1") }
                try account.addAppSigningCertificate("C0:F3:15:9B:A5:6C:A8:E1")
            }
            phone.launch()
            #expect(try phone.attest().passed == !hadCertificate)
        }
    }
}
