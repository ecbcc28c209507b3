import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R6, R8 Every short story of one iPhone") struct IPhoneWalkTests {
    /// Everything that one account and one iPhone can go through.
    static let everything: [IPhoneEvent] = [
        .attest, .ban, .unban, .removeEntry, .reinstall, .launch, .clear, .keyOff, .keyOn, .monthsPass,
    ]

    @Test("R6, R8 every story of some events", arguments: DeviceCheckSettings.Bits.allCases)
    func everyStory(bits: DeviceCheckSettings.Bits) throws {
        let length = Exhaustive.count(4, whole: 6)
        let result = try IPhoneWalk(bits: bits, alphabet: Self.everything, length: length).walk(length)
        #expect(result.difference == nil)
        // Eight can happen at any time, among them one of the key's, and an entry that is there can go.
        #expect(result.sequences >= Exhaustive.power(8, length))
    }

    /// With other answers, the failover and bans by filter.
    static let answers: [IPhoneEvent] = [
        .attest, .attestAtFailover, .unban, .filterComes, .filterGoes, .reinstall, .launch, .clear, .nowAvailable,
        .nowUnavailable, .nowInvalid,
    ]

    @Test("R7.5, R8.2, R14.3 with answers, filters and the failover", arguments: DeviceCheckSettings.Bits.allCases)
    func everyAnswer(bits: DeviceCheckSettings.Bits) throws {
        let length = Exhaustive.count(4, whole: 5)
        let result = try IPhoneWalk(bits: bits, alphabet: Self.answers, length: length).walk(length)
        #expect(result.difference == nil)
        // Nine can happen at any time: one of the filter's and two of the answers can not.
        #expect(result.sequences == Exhaustive.power(9, length))
    }

    /// Apple's setting at the start.
    struct Start: LabelledRow {
        let count: Int
        let month: Int

        var testDescription: String { ReferenceBits(count: count, month: month).description }
    }

    static let starts = (0...3).flatMap { count in
        [0, 12, 13].map { Start(count: count, month: IPhoneWalk.firstMonth - $0) }
    }.rows(12)

    @Test("R8.3 whatever Apple has at the start", arguments: starts, DeviceCheckSettings.Bits.allCases)
    func everyStart(start: Start, bits: DeviceCheckSettings.Bits) throws {
        let walk = try IPhoneWalk(
            bits: bits, alphabet: Self.everything, length: 3,
            start: ReferenceBits(count: start.count, month: start.month))
        let result = try walk.walk(3)
        #expect(result.difference == nil)
        #expect(result.sequences >= 512)
    }

    /// The wrong settings that the reference assumes, and the first story that shows the mistake.
    struct Mistake: LabelledRow {
        let label: String
        let bits: DeviceCheckSettings.Bits
        let reference: ReferenceDeviceCheck
        let difference: String
    }

    static let mistakes = [
        Mistake(
            label: "another bit", bits: .bit0, reference: ReferenceDeviceCheck(bits: "bit1"),
            difference: "attest, attest, attest, ban, attest: Apple has 1 of 2020-07 instead of 2 of 2020-07"),
        Mistake(
            label: "no bits", bits: .bit1, reference: ReferenceDeviceCheck(bits: "none"),
            difference: "attest, attest, attest, ban, attest: Apple has 2 of 2020-07 instead of nothing"),
        Mistake(
            label: "a counter", bits: .bit1, reference: ReferenceDeviceCheck(bits: "both"),
            difference: "attest: Apple has nothing instead of 0 of 2020-07"),
        Mistake(
            label: "a longer expiry, with a bit", bits: .bit0,
            reference: ReferenceDeviceCheck(bits: "bit0", expiry: 13),
            difference: "ban, attest, reinstall, monthsPass, attest: flags are [devicecheck-completed,new-did] "
                + "instead of [devicecheck-ban,devicecheck-completed,new-did]"),
        Mistake(
            label: "a longer expiry, with a counter", bits: .both,
            reference: ReferenceDeviceCheck(bits: "both", expiry: 13),
            difference: "attest, attest, reinstall, monthsPass, attest: "
                + "Apple has 0 of 2021-08 instead of 1 of 2021-08"),
    ]

    @Test("a walk finds what differs, and the events before it", arguments: mistakes)
    func differencesAreFound(_ row: Mistake) throws {
        let walk = try IPhoneWalk(bits: row.bits, alphabet: Self.everything, length: 5, reference: row.reference)
        #expect(try walk.walk(5).difference == row.difference)
    }
}
