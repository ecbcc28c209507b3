internal import Figures
internal import PolicyEngine

/// The devices for which a search was given up (R7.2).
struct UnsearchedDevices {
    /// All of them.
    private(set) var all = DeviceSet()
    /// Those of each filter, by its name.
    private(set) var byFilter: [String: DeviceSet] = [:]

    /// Adds a device.
    ///
    /// - Parameter filter: The name of the filter.
    mutating func insert(_ device: Int, filter: String) {
        all.insert(device)
        byFilter[filter, default: DeviceSet()].insert(device)
    }

    /// Adds them to the devices that are not evaluated.
    func count(in figures: inout Figures.Unevaluated) {
        figures.addUnsearched(all.count, byFilter: byFilter.mapValues(\.count))
    }
}

/// Counts the devices for which a search was given up, as decisions are made.
struct UnsearchedCounter {
    // By revision and index of the filter.
    private var devices: [Key: DeviceSet] = [:]

    private struct Key: Hashable {
        let revision: Int
        let filter: Int
    }

    /// Counts a decision.
    mutating func count(_ decision: Decision) {
        for filter in decision.limitHits {
            let key = Key(revision: decision.revision, filter: filter)
            devices[key, default: DeviceSet()].insert(decision.device.offset)
        }
    }

    /// The devices of the filters that decisions depend on.
    ///
    /// - Parameter engine: The engine that made the decisions.
    func devices(engine: Engine) -> UnsearchedDevices {
        var found = UnsearchedDevices()
        for (key, devices) in devices where engine.decidingFilters(ofRevision: key.revision).contains(key.filter) {
            let name = engine.history.revisions[key.revision].account.filters[key.filter].name
            for device in devices.elements { found.insert(device, filter: name) }
        }
        return found
    }
}
