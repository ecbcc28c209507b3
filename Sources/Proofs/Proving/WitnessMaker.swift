internal import PolicyEngine

/// Makes a device with its records from a solution of a model.
struct WitnessMaker {
    private let model: RuleModel
    // The values of the model's variables in the solution.
    private let values: [Bool]
    private var space: DeviceSpace { model.space }

    // The time of attestations that the solution does not restrict: 2020-01-01T00:00:00Z.
    private static let usualTime = Instant(secondsSinceEpoch: 1_577_836_800)
    // The last second before the year 10000, since captures have no later times.
    private static let lastTime = Instant(secondsSinceEpoch: 253_402_300_799)

    init(_ model: RuleModel, _ values: [Bool]) {
        (self.model, self.values) = (model, values)
    }

    /// The device with its records, as both accounts evaluate it.
    ///
    /// - Parameter budget: The time that the search for a device may take.
    /// - Throws: ``Undecided`` if no device is found that both accounts sample as the solution demands, or if the time ends first.
    func witness(_ budget: ProofBudget) throws(Undecided) -> ProofWitness {
        var records = model.records.map { record in
            ProofWitness.Record(
                time: bounds(of: record).lowerBound, flags: flags(of: record), attributes: attributes(of: record),
                service: record.isInOutage.holds(in: values) ? .failover : .primary)
        }
        let (device, time) = try sampled(model.records[records.count - 1], budget)
        records[records.count - 1].time = time
        return ProofWitness(
            device: device, records: records, before: space.accounts[0], after: space.accounts[1])
    }

    private func flags(of record: RuleModel.Record) -> [String] {
        zip(space.flags, record.flags).compactMap { $1.holds(in: values) ? $0 : nil }
    }

    private func attributes(of record: RuleModel.Record) -> [ProofWitness.Attribute] {
        zip(space.attributes, record.values).compactMap { attribute, chosen in
            // The first choice is that the attribute is absent, and each further one is a row.
            guard let number = chosen.firstIndex(where: { $0.holds(in: values) }), number > 0 else { return nil }
            let rows = model.isLoose ? attribute.looseRows : attribute.rows
            return ProofWitness.Attribute(key: attribute.name, value: rows[number - 1].value)
        }
    }

    // The times that a record may have. Expiries are in the order of time, and the record is before those that have not passed.
    private func bounds(of record: RuleModel.Record) -> ClosedRange<Instant> {
        let passed = record.isLate.count { $0.holds(in: values) }
        let end = passed < space.expiries.count ? space.expiries[passed] + -1 : Self.lastTime
        let start = passed > 0 ? space.expiries[passed - 1] : min(Self.usualTime, end)
        return start...max(start, end)
    }

    // A device, and a time of the last record at which both accounts sample the device as the solution demands.
    private func sampled(
        _ record: RuleModel.Record, _ budget: ProofBudget
    ) throws(Undecided) -> (DeviceID, Instant) {
        let bounds = bounds(of: record)
        let required = requiredDevice
        let wanted = model.isSampled.map { $0.holds(in: values) }
        // An account that samples none or all of the devices need not be asked.
        let isDemanded = model.isSampled.map { $0.constant == nil }
        var sampling = space.accounts.map(DeviceSampling.init)
        var devices = DeviceTable()
        var (number, time) = (UInt64(0), bounds.lowerBound)
        while true {
            if number % 256 == 0 { try budget.check(.samples) }
            let device = required ?? Self.device(number)
            let index = devices.intern(device)
            let isFound = sampling.indices.allSatisfy { side in
                !isDemanded[side]
                    || (sampling[side]?.isSampled(index, at: time, devices: devices) ?? false) == wanted[side]
            }
            if isFound, required != nil || !space.devices.contains(device) && !space.avoided.contains(device) {
                return (device, time)
            }
            number += 1
            // Tries each day first, and then another device from the first day on.
            if time + Instant.secondsPerDay <= bounds.upperBound {
                time = time + Instant.secondsPerDay
            } else if required == nil {
                time = bounds.lowerBound
            } else {
                throw .sampling
            }
        }
    }

    // The ID that the solution demands; `nil` if any ID will do for which no account has an entry.
    private var requiredDevice: DeviceID? {
        if let number = model.kinds.dropFirst().firstIndex(where: { $0.holds(in: values) }) {
            return space.devices[number - 1]
        }
        guard let identity = space.identity else { return nil }
        let rows = model.isLoose ? identity.looseRows : identity.rows
        return model.identityRows.firstIndex { $0.holds(in: values) }.flatMap { number in
            number < rows.count ? DeviceID(rows[number].value) : nil
        }
    }

    // Any ID. The caller passes over an ID for which an account has an entry, and one that it is to avoid.
    private static func device(_ number: UInt64) -> DeviceID {
        DeviceID(first: 0, second: number)
    }
}
