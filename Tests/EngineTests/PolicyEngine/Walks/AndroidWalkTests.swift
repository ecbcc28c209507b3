import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R9 Every short story of one Android phone") struct AndroidWalkTests {
    /// Everything that one account and one phone can go through.
    static let everything: [AndroidEvent] = [
        .attest, .launch, .reinstall, .factoryReset, .clear, .keyOff, .newKey, .becomesUnavailable, .becomesPass,
        .nextDay,
    ]

    @Test("R9.1, R9.3 every story of some events, two attestations a day") func everyStory() throws {
        let length = Exhaustive.count(5, whole: 6)
        let result = try AndroidWalk(alphabet: Self.everything, length: length).walk(length)
        #expect(result.difference == nil)
        // Eight can happen at any time, and the key can be taken away where there is one.
        #expect(result.sequences >= Exhaustive.power(8, length))
    }

    /// The events that affect certificates; changes are in force two events later.
    static let certificates: [AndroidEvent] = [
        .attest, .launch, .factoryReset, .clear, .addCertificate, .removeCertificate, .keyOff, .newKey,
    ]

    @Test("R1.5, R9.2 certificates that come and go affect apps launched after that") func everyCertificate() throws {
        var setting = AndroidWalk.Setting(dailyQuota: 10, propagation: 30, pause: 15)
        (setting.failure, setting.failsAtFirst) = (.failCertificate, true)
        let length = Exhaustive.count(5, whole: 6)
        let result = try AndroidWalk(alphabet: Self.certificates, length: length, setting).walk(length)
        #expect(result.difference == nil)
        // Six at any time.
        #expect(result.sequences >= Exhaustive.power(6, length))
    }

    /// With failures and the failover.
    static let failures: [AndroidEvent] = [
        .attest, .attestAtFailover, .launch, .clear, .keyOff, .newKey, .becomesUnavailable, .becomesPass,
        .becomesFailing,
    ]

    @Test(
        "R9.2, R14.3 with failures and the failover",
        arguments: [SafetyNetOutcome.failToken, .failIntegrity, .failProfile])
    func everyFailure(failure: SafetyNetOutcome) throws {
        let setting = AndroidWalk.Setting(failure: failure)
        let length = Exhaustive.count(4, whole: 5)
        let result = try AndroidWalk(alphabet: Self.failures, length: length, setting).walk(length)
        #expect(result.difference == nil)
        // Seven at any time: five, and two of three outcomes.
        #expect(result.sequences >= Exhaustive.power(7, length))
    }

    @Test("R9.3 where everything happens in one minute") func everythingInAMinute() throws {
        let setting = AndroidWalk.Setting(dailyQuota: 100, pause: 1)
        let length = Exhaustive.count(7, whole: 9)
        let result = try AndroidWalk(alphabet: [.attest, .factoryReset, .clear], length: 12, setting).walk(length)
        #expect(result.difference == nil)
        expect(result.sequences, equals: Exhaustive.power(3, length))
    }

    /// The quota that the reference assumes instead of 2, and the first story that shows the mistake.
    struct Mistake: LabelledRow {
        let label: String
        let quota: Int
        let difference: String
    }

    static let mistakes = [
        Mistake(
            label: "one a day", quota: 1,
            difference: "attest, attest, attest, attest, factoryReset, attest: "
                + "flags are [new-did,safetynet-completed] instead of [new-did,safetynet-unavailable]"),
        Mistake(
            label: "three a day", quota: 3,
            difference: "attest, attest, factoryReset, attest, factoryReset, attest: "
                + "flags are [new-did,safetynet-unavailable] instead of [new-did,safetynet-completed]"),
    ]

    @Test("a walk finds what differs, and the events before it", arguments: mistakes)
    func differencesAreFound(_ row: Mistake) throws {
        let setting = AndroidWalk.Setting(referenceQuota: row.quota)
        let walk = try AndroidWalk(alphabet: Self.everything, length: 6, setting)
        try expect(walk.walk(6).difference, equals: row.difference)
    }
}
