@testable import PolicyEngine
@testable import TestSupport

/// An iPhone with one app.
struct IPhoneWalk: Walk {
    private let alphabet: [IPhoneEvent]
    private var side: IPhoneSide
    private var platforms = PlatformServices()
    private var now = Sample.time

    /// 2020-07, months since January of the year 0.
    static let firstMonth = 2020 * 12 + 6
    /// The seconds of 13 months from any month's 23rd to another's, but for a few days.
    static let months = (count: 13, seconds: 396 * 86_400)

    /// Starts a walk.
    ///
    /// - Parameters:
    ///   - bits: The bits that the account uses.
    ///   - alphabet: The events that happen.
    ///   - length: The number of events of a sequence.
    ///   - start: What Apple has of the phone at the start.
    ///   - reference: What the reference takes the account for; another one than it is must be found out.
    init(
        bits: DeviceCheckSettings.Bits, alphabet: [IPhoneEvent], length: Int, start: ReferenceBits? = nil,
        reference: ReferenceDeviceCheck? = nil
    ) throws {
        self.alphabet = alphabet
        let deviceCheck = reference ?? ReferenceDeviceCheck(bits: bits.rawValue)
        side = try IPhoneSide(
            bits: bits, reference: ReferenceIPhone(deviceCheck, bits: start, month: Self.firstMonth),
            installs: length + 1, at: now)
        guard let start else { return }
        guard let month = CalendarMonth(year: start.month / 12, month: start.month % 12 + 1) else {
            throw TestFailure("no month: \(start)")
        }
        platforms.deviceCheck.update(PhysicalDevice(number: 1), team: "TEAM", bits: UInt8(start.count), in: month)
    }

    var events: [IPhoneEvent] { alphabet.filter(side.canHappen) }

    mutating func apply(_ event: IPhoneEvent) throws -> String? {
        if event == .monthsPass {
            now = now + Self.months.seconds
            side.updateReference(month: side.reference.month + Self.months.count, bits: side.reference.bits)
        }
        return try side.apply(event, at: now, &platforms) ?? side.difference(platforms)
    }
}
