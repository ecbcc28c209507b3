internal import Accounts
internal import Documents
internal import PolicyEngine

// The answers of the service to questions about devices.
extension SimulatedService {
    /// The lines that a command prints.
    ///
    /// - Parameters:
    ///   - query: The question.
    ///   - zone: The clock by which times are printed.
    /// - Throws: ``CommandError`` for a device of which nothing is known.
    func answer(_ query: DeviceQuery, in zone: ClockZone = .utc) throws(CommandError) -> [String] {
        let text = InformationText(engine: engine, symbols: symbols, zone: zone)
        switch query {
        case .state(let id): return state(of: id)
        case .information(.newDevices, let clears):
            defer { if clears { information.clearNewDevices() } }
            return information.newDevices.inOrder.flatMap(text.newDeviceLines)
        case .information(.filteredDevices, let clears):
            defer { if clears { information.clearFilteredDevices() } }
            return information.filteredDevices.inOrder.flatMap(text.filteredLines)
        case .information(.device(let id), let clears): return try lines(on: id, clears: clears, text)
        case .fetches(let isTimed, let clears):
            defer { if clears { information.clearFetches() } }
            return information.fetches.inOrder.map { text.line(of: $0, isTimed: isTimed) }
        }
    }

    // R6.5; manual, Getting State of a Device.
    private func state(of id: DeviceID) -> [String] {
        guard let device = symbols.devices.index(of: id), let flags = engine.deviceState(of: device) else {
            return [DeviceQuery.noState]
        }
        return symbols.catalogue.names(of: flags)
    }

    private func lines(
        on id: DeviceID, clears: Bool, _ text: InformationText
    ) throws(CommandError) -> [String] {
        guard engine.history.latest.devices.contains(where: { $0.id == id }) else {
            throw .nothingCollected(on: id)
        }
        guard let device = symbols.devices.index(of: id), let known = information.information(on: device) else {
            throw CommandError(
                "there is no information on device \(id.description.quoted)",
                hint: "it is collected when the device attests while it has an entry")
        }
        if clears { information.clear(device) }
        return text.lines(of: known)
    }
}
