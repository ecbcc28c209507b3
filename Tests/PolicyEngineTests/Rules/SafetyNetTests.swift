import Testing

@testable import PolicyEngine
@testable import TestSupport

// The sentences of the manual on SafetyNet are in ManualSafetyNetTests; every short story of one phone is in Walks.
// The steps and commands of scenarios are tested in SafetyNetScenarioTests.
@Suite("R9 SafetyNet") struct SafetyNetTests {
    static let stories = PhoneStory.table(
        """
        Android
        == R9.1 at the first attestation of a device ID
        keeps unset; attests new-did safetynet-completed; keeps safetynet-completed
        == R9.1 the result is persisted: it shows at every attestation
        attests new-did safetynet-completed; attests safetynet-completed; launch; attests safetynet-completed
        keeps safetynet-completed
        == R9.1, R1.3 a factory reset changes the ID, and so redoes it
        attests new-did safetynet-completed; comes-to fail-profile; reinstall; keeps unset
        attests new-did safetynet-completed safetynet-fail-profile risky-device
        == R9.1 a running app does it at the next attestation after the key is set
        Android quota=absent
        attests new-did; attests; safetynet key; attests safetynet-completed; keeps safetynet-completed
        == R9.1 without a key it is never done
        Android quota=absent
        attests new-did; launch; attests; keeps
        == R9.1 removing the key keeps the result
        attests new-did safetynet-completed; safetynet absent; attests safetynet-completed; keeps safetynet-completed
        reinstall; attests new-did; keeps
        == R9.1 what could not be obtained is tried again at the next launch only
        Android answering=unavailable
        attests new-did safetynet-unavailable; comes-to pass; attests safetynet-unavailable
        attests safetynet-unavailable; keeps safetynet-unavailable; launch; attests safetynet-completed
        keeps safetynet-completed
        == R9.1 until it completes
        Android answering=unavailable
        attests new-did safetynet-unavailable; launch; attests safetynet-unavailable; launch
        attests safetynet-unavailable; comes-to fail-token; launch
        attests safetynet-completed safetynet-fail-token! risky-device; comes-to pass; launch
        attests safetynet-completed safetynet-fail-token! risky-device
        == R9.1 what could not be obtained stays while there is no key
        Android answering=unavailable
        attests new-did safetynet-unavailable; safetynet absent; comes-to pass; launch; attests safetynet-unavailable
        keeps safetynet-unavailable
        == R9.1 nor does a new key try again before the next launch
        Android answering=unavailable
        attests new-did safetynet-unavailable; comes-to pass; safetynet another-key; attests safetynet-unavailable
        launch; attests safetynet-completed
        == R6.5 a clearing lets it be done again at once
        Android answering=fail-profile
        attests new-did safetynet-completed safetynet-fail-profile risky-device; comes-to pass; clear; keeps unset
        attests new-did safetynet-completed
        == R9 where the population does not say what the device can do it is not done
        Android answering=absent
        attests new-did safetynet-missing; keeps
        == R9.3 a quota of nothing
        Android quota=0
        attests new-did safetynet-unavailable; launch; attests safetynet-unavailable
        == R9.3 beyond the quota of a day it is unavailable, until a launch on another day
        Android quota=1
        attests new-did safetynet-completed; reinstall; attests new-did safetynet-unavailable; launch
        attests safetynet-unavailable; next-day; attests safetynet-unavailable; launch; attests safetynet-completed
        == R9.3 the quota is the key's: a new key has one of its own
        Android quota=1
        attests new-did safetynet-completed; reinstall; attests new-did safetynet-unavailable; safetynet another-key
        launch; attests safetynet-completed; reinstall; attests new-did safetynet-unavailable
        """)

    @Test("R9.1, R9.3 when it is done, and when not", arguments: stories) func story(_ story: PhoneStory) throws {
        try story.play()
    }

    @Test("R9 it is of Android alone", arguments: [OperatingSystem.ios, .unknown])
    func otherSystemsHaveNone(system: OperatingSystem) throws {
        var phone = try Phone.android(answering: .failToken)
        phone.device.evidence.system = system
        #expect(try phone.attest().flags == ["new-did"])
    }

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

        @Test("R9.2 the result of an outcome", arguments: outcomes) func outcome(_ row: Row) throws {
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

        @Test("R1.5, R9.2 a certificate affects apps launched after it is in force", arguments: moments)
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

    @Suite("R9.3 Quota") struct Quota {
        /// When somebody asks, since midnight of a day; and whether there is an attestation.
        struct Request: Sendable {
            var day = 0
            var second = 0
            var device: UInt32 = 1
            var key = "a"
            let isGranted: Bool
        }

        struct Row: LabelledRow {
            let label: String
            var dailyQuota = 10_000
            let requests: [Request]
        }

        static let rows = [
            Row(label: "nothing at all", dailyQuota: 0, requests: [Request(isGranted: false)]),
            Row(
                label: "the quota, and one too many", dailyQuota: 2,
                requests: [
                    Request(device: 1, isGranted: true), Request(second: 70, device: 2, isGranted: true),
                    Request(second: 140, device: 3, isGranted: false),
                    Request(second: 210, device: 1, isGranted: false),
                ]),
            Row(
                label: "a day ends at midnight UTC", dailyQuota: 1,
                requests: [
                    Request(second: 86_398, device: 1, isGranted: true),
                    Request(second: 86_399, device: 2, isGranted: false), Request(day: 1, device: 3, isGranted: true),
                    Request(day: 1, second: 1, device: 4, isGranted: false),
                ]),
            Row(
                label: "what was left of a day is no more the next day", dailyQuota: 1,
                requests: [Request(day: 1, isGranted: true), Request(day: 1, device: 2, isGranted: false)]),
            Row(
                label: "each key has its own", dailyQuota: 1,
                requests: [
                    Request(device: 1, key: "a", isGranted: true), Request(device: 2, key: "a", isGranted: false),
                    Request(device: 2, key: "b", isGranted: true), Request(device: 3, key: "b", isGranted: false),
                    Request(device: 3, key: "a", isGranted: false),
                ]),
            Row(
                label: "five a minute by device",
                requests: (0..<5).map { Request(second: $0, isGranted: true) }
                    + [
                        Request(second: 5, isGranted: false), Request(second: 6, isGranted: false),
                        Request(second: 6, device: 2, isGranted: true), Request(second: 120, isGranted: true),
                    ]),
            Row(
                label: "by device whatever the key",
                requests: (0..<5).map { Request(key: "key-\($0)", isGranted: true) }
                    + [Request(key: "another", isGranted: false), Request(second: 60, key: "another", isGranted: true)]),
            Row(
                label: "one refused by the minute does not use up the day", dailyQuota: 6,
                requests: (0..<5).map { _ in Request(isGranted: true) } + [
                    Request(isGranted: false), Request(second: 60, isGranted: true),
                    Request(second: 60, device: 2, isGranted: false),
                ]),
        ]

        @Test("R9.3 who gets an attestation", arguments: rows) func quota(_ row: Row) {
            var google = SafetyNetService()
            let midnight = Sample.time.dayNumber * Instant.secondsPerDay
            for (number, request) in row.requests.enumerated() {
                let seconds = midnight + request.day * Instant.secondsPerDay + request.second
                let isGranted = google.grantsAttestation(
                    of: PhysicalDevice(number: request.device), key: request.key, dailyQuota: row.dailyQuota,
                    at: Instant(secondsSinceEpoch: seconds))
                #expect(isGranted == request.isGranted, "request \(number)")
            }
        }

        @Test("R9.3 ten thousand a day by default, and not one more") func tenThousand() {
            var google = SafetyNetService()
            let quota = SafetyNetSettings(apiKey: "key").dailyQuota
            let granted = (0..<10_003).filter { number in
                google.grantsAttestation(
                    of: PhysicalDevice(number: UInt32(number)), key: "key", dailyQuota: quota, at: Sample.time)
            }
            #expect(granted == Array(0..<10_000))
        }

        @Test("R9.3 an attempt that fails by itself uses up nothing") func unavailableIsNotCounted() throws {
            var phone = try Phone.android(answering: .unavailable, quota: 1)
            for _ in 0..<3 {
                #expect(try phone.attest().flags.contains("safetynet-unavailable"))
                phone.launch()
            }
            phone.device.evidence.safetyNet = .pass
            #expect(try phone.attest().flags == ["safetynet-completed"])
        }

        @Test("R9.3 the quota is settable, and a raised one affects the same day") func quotaIsRaised() throws {
            var phone = try Phone.android(quota: 1)
            #expect(try phone.attest().flags == ["new-did", "safetynet-completed"])
            phone.reinstall()
            #expect(try phone.attest().flags == ["new-did", "safetynet-unavailable"])
            phone.change { $0.safetyNet?.dailyQuota = 2 }
            phone.launch()
            #expect(try phone.attest().flags == ["safetynet-completed"])
        }
    }
}
