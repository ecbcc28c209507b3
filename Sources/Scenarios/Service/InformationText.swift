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
            defer { if clears { information.newDevices.removeAll() } }
            return information.newDevices.inOrder.flatMap(text.newDeviceLines)
        case .information(.filteredDevices, let clears):
            defer { if clears { information.filteredDevices.removeAll() } }
            return information.filteredDevices.inOrder.flatMap(text.filteredLines)
        case .information(.device(let id), let clears): return try lines(on: id, clears: clears, text)
        case .fetches(let isTimed, let clears):
            defer { if clears { information.fetches.removeAll() } }
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
        guard let device = symbols.devices.index(of: id), let known = information.entries[device] else {
            throw CommandError(
                "there is no information on device \(id.description.quoted)",
                hint: "it is collected when the device attests while it has an entry")
        }
        if clears { information.entries[device] = nil }
        return text.lines(of: known)
    }
}

/// Device information in the form of the manual's `device -getInfo`, which a replay reads (formats: Captures).
struct InformationText {
    let engine: Engine
    let symbols: SymbolTable
    /// The clock by which times are printed.
    let zone: ClockZone

    /// One device on its own: `captured: …` and then its attributes.
    func lines(of information: DeviceInformation) -> [String] {
        [
            "captured: \(zone.fullText(of: information.decision.time))", rejections(of: information),
            Self.pair("public-flags", flags(of: information)),
        ] + attributes(of: information)
    }

    /// A new device as one of many.
    func newDeviceLines(of information: DeviceInformation) -> [String] {
        [
            header(of: information), rejections(of: information), Self.pair("public-flags", flags(of: information)),
        ] + attributes(of: information)
    }

    /// A filtered device as one of many; filters are what it is there for.
    func filteredLines(of information: DeviceInformation) -> [String] {
        let filters = engine.filterNames(information.decision.filters, of: information.decision)
        return [
            header(of: information), Self.pair("matched-filters", filters.joined(separator: ",")),
            Self.pair("flags-all", flags(of: information)),
        ] + attributes(of: information)
    }

    /// A fetch, with its time or without.
    func line(of fetch: InformationLog.Fetch, isTimed: Bool) -> String {
        let id = symbols.devices[fetch.device].description
        return isTimed ? "\(id) \(zone.fullText(of: fetch.time))" : id
    }

    private func header(of information: DeviceInformation) -> String {
        let id = symbols.devices[information.decision.device]
        return "--- \(id) \(zone.fullText(of: information.decision.time)) ---"
    }

    private func rejections(of information: DeviceInformation) -> String {
        let names = engine.rejections(of: information.decision, catalogue: symbols.catalogue)
        return Self.pair("rejection-flags", names.joined(separator: ","))
    }

    private func flags(of information: DeviceInformation) -> String {
        symbols.catalogue.names(of: Self.shownFlags(of: information.decision)).joined(separator: ",")
    }

    /// The flags that are shown, as in the manual's samples: without what the service knows of the device itself (R7.2).
    static func shownFlags(of decision: Decision) -> FlagSet {
        decision.flags.subtracting([.newDevice, .riskyDevice])
    }

    private func attributes(of information: DeviceInformation) -> [String] {
        let present = symbols.attributes.keys.filter { information.attestation.value(of: $0.key) != .absent }
        return Self.ordered(present).map { name, key in
            let value = symbols.attributes.text(of: information.attestation.value(of: key), for: key)
            return Self.pair(name, value)
        }
    }

    /// Attributes in the order of the manual's samples; others behind them by their names.
    static func ordered(_ attributes: [(name: String, key: AttributeKey)]) -> [(name: String, key: AttributeKey)] {
        attributes.sorted { left, right in
            let (first, second) = (Self.rank(of: left.name), Self.rank(of: right.name))
            return first == second ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8) : first < second
        }
    }

    /// A line of a record.
    static func pair(_ key: String, _ value: String) -> String {
        value.isEmpty || value.hasPrefix("\n") ? "\(key):\(value)" : "\(key): \(value)"
    }

    private static func rank(of name: String) -> Int {
        InformationKeys.samples.firstIndex(of: name) ?? InformationKeys.samples.count
    }
}
