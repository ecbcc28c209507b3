import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R8.10 Every short story of two accounts of one team") struct SharedBitsWalkTests {
    /// The first account bans by bit 0.
    static let others: [DeviceCheckSettings.Bits] = [.bit0, .bit1, .both]

    @Test("R8.10 whatever the second account bans by", arguments: others)
    func everyStory(other: DeviceCheckSettings.Bits) throws {
        let length = Exhaustive.count(4, whole: 5)
        let walk = try SharedBitsWalk(
            bits: [.bit0, other], alphabet: [.attest, .ban, .unban, .reinstall, .monthsPass], attestsAfterEach: false,
            length: length)
        let result = try walk.walk(length)
        #expect(result.difference == nil)
        // Four for each app, and the months.
        #expect(result.sequences == Exhaustive.power(9, length))
    }

    @Test("R8.10 where each app attests after everything that happens to it", arguments: others)
    func everyDenserStory(other: DeviceCheckSettings.Bits) throws {
        let length = Exhaustive.count(4, whole: 5)
        let walk = try SharedBitsWalk(
            bits: [.bit0, other], alphabet: [.ban, .unban, .reinstall], attestsAfterEach: true, length: length)
        let result = try walk.walk(length)
        #expect(result.difference == nil)
        // Three for each app.
        #expect(result.sequences == Exhaustive.power(6, length))
    }

    @Test("R8.7, R8.9 with keys that come and go, and clearings", arguments: others)
    func keysAndClearings(other: DeviceCheckSettings.Bits) throws {
        let length = Exhaustive.count(3, whole: 4)
        let walk = try SharedBitsWalk(
            bits: [.bit0, other], alphabet: [.attest, .ban, .removeEntry, .reinstall, .clear, .keyOff, .keyOn],
            attestsAfterEach: false, length: length)
        let result = try walk.walk(length)
        #expect(result.difference == nil)
        // Five for each app at any time.
        #expect(result.sequences >= Exhaustive.power(10, length))
    }
}
