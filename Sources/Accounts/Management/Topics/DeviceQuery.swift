internal import Documents
package import PolicyEngine

/// A question of a command about devices that attested; only the service can answer it, not the account.
package enum DeviceQuery: Hashable, Sendable {
    /// `device -getDeviceState id`
    case state(DeviceID)
    /// `device -getInfo new-did|filtered|id [-clear]`
    case information(InformationSource, clears: Bool)
    /// `device -getFetches timed|untimed [-clear]`
    case fetches(isTimed: Bool, clears: Bool)

    /// True if the printed items are discarded then.
    package var clears: Bool {
        switch self {
        case .information(_, let clears), .fetches(_, let clears): clears
        case .state: false
        }
    }

    /// The same question, which discards nothing.
    package var reading: DeviceQuery {
        switch self {
        case .information(let source, _): .information(source, clears: false)
        case .fetches(let isTimed, _): .fetches(isTimed: isTimed, clears: false)
        case .state: self
        }
    }

    /// The answer about a device that the service has not seen.
    package static let noState = "device state has not been set"

    /// The answer of a service at which no device has attested, as for an account that is a file.
    ///
    /// - Throws: ``CommandError`` for a device without an entry of its own, of which nothing would be collected.
    package func answerWithoutDevices(of account: Account) throws(CommandError) -> [String] {
        switch self {
        case .state: return [Self.noState]
        case .information(.device(let id), _):
            guard account.devices.contains(where: { $0.id == id }) else { throw .nothingCollected(on: id) }
            return []
        case .information, .fetches: return []
        }
    }

    /// A source of device information.
    package enum InformationSource: Hashable, Sendable {
        /// The latest new devices.
        case newDevices
        /// The latest devices that matched a filter which captures.
        case filteredDevices
        /// A device with an entry of its own.
        case device(DeviceID)
    }
}

extension CommandError {
    /// Information was asked for on a device that has no entry.
    package static func nothingCollected(on id: DeviceID) -> CommandError {
        CommandError(
            "there is no entry for device \(id.description.quoted), so no information is collected",
            hint: "`device -add` makes one")
    }
}
