import Testing

@testable import PolicyEngine
@testable import TestSupport

extension SafetyNetTests {
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
                label: "so many, and one too many", dailyQuota: 2,
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

        @Test("R9.3 what comes to nothing by itself uses up nothing") func unavailableIsNotCounted() throws {
            var phone = try Phone.android(answering: .unavailable, quota: 1)
            for _ in 0..<3 {
                #expect(try phone.attest().flags.contains("safetynet-unavailable"))
                phone.launch()
            }
            phone.device.evidence.safetyNet = .pass
            #expect(try phone.attest().flags == ["safetynet-completed"])
        }

        @Test("R9.3 the quota is settable, and a raised one bears on the same day") func quotaIsRaised() throws {
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
