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
        expect(result.sequences, equals: Exhaustive.power(9, length))
    }

    @Test("R8.10 where each app attests after everything that happens to it", arguments: others)
    func everyDenserStory(other: DeviceCheckSettings.Bits) throws {
        let length = Exhaustive.count(4, whole: 5)
        let walk = try SharedBitsWalk(
            bits: [.bit0, other], alphabet: [.ban, .unban, .reinstall], attestsAfterEach: true, length: length)
        let result = try walk.walk(length)
        #expect(result.difference == nil)
        // Three for each app.
        expect(result.sequences, equals: Exhaustive.power(6, length))
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

/// An iPhone with two apps, each under an account of its own; both accounts are of one team (R8.10).
struct SharedBitsWalk: Walk {
    private let alphabet: [IPhoneEvent]
    private let attestsAfterEach: Bool
    private var sides: [IPhoneSide]
    private var platforms = PlatformServices()
    private var now = Sample.time

    /// Starts a walk.
    ///
    /// - Parameters:
    ///   - bits: The bits that each account uses.
    ///   - alphabet: The events that happen to each app; months pass for both.
    ///   - attestsAfterEach: Whether an app attests after everything that happens to it.
    ///   - length: The number of events of a sequence.
    init(
        bits: [DeviceCheckSettings.Bits], alphabet: [IPhoneEvent], attestsAfterEach: Bool, length: Int
    ) throws {
        self.alphabet = alphabet
        self.attestsAfterEach = attestsAfterEach
        let start = now
        sides = try bits.enumerated().map { number, bits in
            let reference = ReferenceIPhone(ReferenceDeviceCheck(bits: bits.rawValue), month: IPhoneWalk.firstMonth)
            return try IPhoneSide(
                bits: bits, reference: reference, firstDevice: number * 100, installs: length + 1, at: start)
        }
    }

    var events: [SharedBitsEvent] {
        alphabet.flatMap { event in
            sides.indices.filter { app in sides[app].canHappen(event) && (app == 0 || event != .monthsPass) }
                .map { SharedBitsEvent(app: $0, event: event) }
        }
    }

    mutating func apply(_ event: SharedBitsEvent) throws -> String? {
        if let difference = try happen(event.event, to: event.app) { return difference }
        guard attestsAfterEach, event.event != .monthsPass else { return nil }
        return try happen(.attest, to: event.app)
    }

    private mutating func happen(_ event: IPhoneEvent, to app: Int) throws -> String? {
        var month = sides[app].reference.month
        if event == .monthsPass {
            now = now + IPhoneWalk.months.seconds
            month += IPhoneWalk.months.count
        }
        if let difference = try sides[app].apply(event, at: now, &platforms) { return difference }
        for index in sides.indices { sides[index].updateReference(month: month, bits: sides[app].reference.bits) }
        return sides[0].difference(platforms) ?? sides[1].difference(platforms)
    }
}

/// An event of one of two apps on an iPhone, or of the account that evaluates it.
struct SharedBitsEvent: Hashable, Sendable, CustomStringConvertible {
    /// 0 or 1.
    let app: Int
    let event: IPhoneEvent

    var description: String { "\(event) of \(app)" }
}
