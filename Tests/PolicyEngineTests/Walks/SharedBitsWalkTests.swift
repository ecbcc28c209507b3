import Testing

@testable import PolicyEngine

@Suite("R8.10 Every short story of two accounts of one team") struct SharedBitsWalkTests {
    /// The first account bans by bit 0.
    static let others: [DeviceCheckSettings.Bits] = [.bit0, .bit1, .both]

    @Test("R8.10 whatever the second account bans by", arguments: others)
    func everyStory(other: DeviceCheckSettings.Bits) throws {
        let walk = try SharedBitsWalk(
            bits: [.bit0, other], alphabet: [.attest, .ban, .unban, .reinstall, .monthsPass], attestsAfterEach: false,
            length: 5)
        let result = try walk.walk(5)
        #expect(result.difference == nil)
        // Four for each app, and the months.
        #expect(result.sequences == 59_049)
    }

    @Test("R8.10 where each app attests after everything that happens to it", arguments: others)
    func everyDenserStory(other: DeviceCheckSettings.Bits) throws {
        let walk = try SharedBitsWalk(
            bits: [.bit0, other], alphabet: [.ban, .unban, .reinstall], attestsAfterEach: true, length: 5)
        let result = try walk.walk(5)
        #expect(result.difference == nil)
        // Three for each app.
        #expect(result.sequences == 7_776)
    }

    @Test("R8.7, R8.9 with keys that come and go, and clearings", arguments: others)
    func keysAndClearings(other: DeviceCheckSettings.Bits) throws {
        let walk = try SharedBitsWalk(
            bits: [.bit0, other], alphabet: [.attest, .ban, .removeEntry, .reinstall, .clear, .keyOff, .keyOn],
            attestsAfterEach: false, length: 4)
        let result = try walk.walk(4)
        #expect(result.difference == nil)
        // Five for each app at any time.
        #expect(result.sequences >= 10_000)
    }
}
