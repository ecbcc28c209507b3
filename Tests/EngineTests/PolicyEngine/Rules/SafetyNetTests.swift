import Testing

@testable import PolicyEngine
@testable import TestSupport

// Stories of phones are in Tests/Rules/R09, every short story of one Android phone in Walks.
@Suite("R9 SafetyNet") struct SafetyNetTests {
    @Test("R9.3 the quota is settable, and a raised one affects the same day") func quotaIsRaised() throws {
        var phone = try Phone.android(quota: 1)
        try expect(phone.attest().flags, equals: ["new-did", "safetynet-completed"])
        phone.reinstall()
        try expect(phone.attest().flags, equals: ["new-did", "safetynet-unavailable"])
        phone.change { $0.safetyNet?.dailyQuota = 2 }
        phone.launch()
        try expect(phone.attest().flags, equals: ["safetynet-completed"])
    }
}
