internal import PolicyEngine

/// Device information in the form of the manual's `device -getInfo`, which a replay reads (formats: Captures).
struct InformationText {
    private let engine: Engine
    private let symbols: SymbolTable
    // The clock by which times are printed.
    private let zone: ClockZone

    init(engine: Engine, symbols: SymbolTable, zone: ClockZone = .utc) {
        (self.engine, self.symbols, self.zone) = (engine, symbols, zone)
    }

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
