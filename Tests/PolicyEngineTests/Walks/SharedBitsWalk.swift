@testable import PolicyEngine
@testable import TestSupport

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
