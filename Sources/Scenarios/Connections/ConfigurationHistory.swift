internal import PolicyEngine

/// The configurations of an account over time, on their way to its apps (R17.1).
///
/// A revision of domains or pins is everybody's, and knows no pin modes, since those are built into no app. One of pin modes
/// is of devices with a mode of their own: to all others nothing new is sent (R17.4).
struct ConfigurationHistory: Sendable {
    private var revisions: [Revision]
    // The pin modes of the account with every change made so far.
    private var latestModes: [DeviceID: PinMode]
    // The revisions that were forced, in the order of time (R17.4).
    private var forcings: [(revision: Int, inForceFrom: Instant)] = []

    private struct Revision: Sendable {
        let pins: PinConfiguration
        /// The domains as apps get them: the port on which certificates are watched is none of their business.
        let domains: [APIDomain]
        /// The pin modes that are not the usual one; empty in everybody's revisions.
        let modes: [DeviceID: PinMode]
        /// `nil` is from the beginning.
        let inForceFrom: Instant?
        /// Whose revision it is; `nil` is everybody's.
        let devices: Set<DeviceID>?

        func isInForce(at time: Instant) -> Bool { inForceFrom.map { $0 <= time } ?? true }

        func concerns(_ device: DeviceID) -> Bool { devices?.contains(device) ?? true }
    }

    /// Starts with an account that is in force from the beginning of time. Its pins are built into apps (R17.2), the pin
    /// modes of its entries are not.
    init(_ account: Account) {
        let first = Revision(
            pins: PinConfiguration(account), domains: Self.domains(of: account), modes: [:], inForceFrom: nil,
            devices: nil)
        revisions = [first]
        latestModes = Self.modes(of: account)
        append(latestModes, to: Set(latestModes.keys), inForceFrom: nil)
    }

    /// Notes a change of the account, which is a revision where it affects pins.
    ///
    /// - Parameters:
    ///   - account: The account after the change.
    ///   - time: When the change is made; not before the change before it.
    mutating func change(to account: Account, at time: Instant) {
        let (before, modes, inForce) = (latestModes, Self.modes(of: account), time + account.propagation)
        latestModes = modes
        let domains = Self.domains(of: account)
        guard domains == revisions[revisions.count - 1].domains else {
            revisions.append(
                Revision(
                    pins: PinConfiguration(account), domains: domains, modes: [:], inForceFrom: inForce, devices: nil))
            return append(modes, to: Set(modes.keys), inForceFrom: inForce)
        }
        let changed = Set(modes.keys).union(before.keys).filter { modes[$0] != before[$0] }
        append(modes, to: changed, inForceFrom: inForce)
    }

    // A revision of pin modes alone, for the devices that it concerns.
    private mutating func append(_ modes: [DeviceID: PinMode], to devices: Set<DeviceID>, inForceFrom: Instant?) {
        guard !devices.isEmpty else { return }
        let latest = revisions[revisions.count - 1]
        revisions.append(
            Revision(
                pins: latest.pins, domains: latest.domains, modes: modes, inForceFrom: inForceFrom, devices: devices))
    }

    /// Notes that the newest revision of everybody's is to be applied by running apps (R17.4).
    ///
    /// - Parameters:
    ///   - time: When.
    ///   - propagation: Seconds until that is in force.
    mutating func force(at time: Instant, propagation: Int) {
        forcings.append((revisions.lastIndex { $0.devices == nil } ?? 0, time + propagation))
    }

    /// True if nothing was ever changed, so that there is one revision for all.
    var isUnchanged: Bool { revisions.count == 1 }

    /// The newest revision in force that is a device's, or everybody's.
    ///
    /// - Complexity: O(revisions that are not in force yet, or are of other devices).
    func newest(for device: DeviceID, at time: Instant) -> Int {
        revisions.lastIndex { $0.isInForce(at: time) && $0.concerns(device) } ?? 0
    }

    /// The newest revision in force that is everybody's: what is built into an app at a time.
    func newest(at time: Instant) -> Int {
        revisions.lastIndex { $0.isInForce(at: time) && $0.devices == nil } ?? 0
    }

    /// When the newest revision of everybody's came into force; `nil` for one that was there from the beginning.
    func start(ofNewestAt time: Instant) -> Instant? { revisions[newest(at: time)].inForceFrom }

    /// The newest revision that was forced; `nil` where none was.
    func forced(at time: Instant) -> Int? { forcings.last { $0.inForceFrom <= time }?.revision }

    /// True if any device has a pin mode of its own in a revision.
    func hasModes(in revision: Int) -> Bool { !revisions[revision].modes.isEmpty }

    /// The pin mode that a device has in a revision.
    func mode(of device: DeviceID, in revision: Int) -> PinMode { revisions[revision].modes[device] ?? .pin }

    /// The pins of a revision.
    func pins(of revision: Int) -> PinConfiguration { revisions[revision].pins }

    private static func domains(of account: Account) -> [APIDomain] {
        account.apiDomains.map { domain in
            var sent = domain
            sent.monitorPort = nil
            return sent
        }
    }

    private static func modes(of account: Account) -> [DeviceID: PinMode] {
        let named = account.devices.compactMap { entry in entry.pinMode.map { (entry.id, $0) } }
        return Dictionary(named) { first, _ in first }.filter { $0.value != .pin }
    }
}
