internal import PolicyEngine

/// Makes the records of a device out of the values of a model's variables.
struct WitnessMaker {
    private let model: RuleModel
    private let values: [Bool]
    private var space: DeviceSpace { model.space }

    // The time of attestations, if nothing asks for another: 2020-01-01T00:00:00Z.
    private static let usualTime = Instant(secondsSinceEpoch: 1_577_836_800)
    // Times of captures lie before the year 10000.
    private static let lastTime = Instant(secondsSinceEpoch: 253_402_300_799)

    init(_ model: RuleModel, _ values: [Bool]) {
        (self.model, self.values) = (model, values)
    }

    /// The device with its records, as both accounts evaluate it.
    ///
    /// - Throws: ``Undecided`` if no device is found that is sampled as it has to be.
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
            guard let number = chosen.firstIndex(where: { $0.holds(in: values) }), number > 0 else { return nil }
            let rows = model.isLoose ? attribute.looseRows : attribute.rows
            return ProofWitness.Attribute(key: attribute.name, value: rows[number - 1].value)
        }
    }

    // The times that a record may have: behind the expiries that it is not before, and before the others.
    private func bounds(of record: RuleModel.Record) -> ClosedRange<Instant> {
        let passed = record.isLate.count { $0.holds(in: values) }
        let end = passed < space.expiries.count ? space.expiries[passed] + -1 : Self.lastTime
        let start = passed > 0 ? space.expiries[passed - 1] : min(Self.usualTime, end)
        return start...max(start, end)
    }

    // A device and a time of the last record at which both accounts sample it as they have to.
    private func sampled(
        _ record: RuleModel.Record, _ budget: ProofBudget
    ) throws(Undecided) -> (DeviceID, Instant) {
        let bounds = bounds(of: record)
        let named = named
        let wanted = model.isSampled.map { $0.holds(in: values) }
        let isAsked = model.isSampled.map { $0.constant == nil }
        var sampling = space.accounts.map(DeviceSampling.init)
        var devices = DeviceTable()
        var (number, time) = (UInt64(0), bounds.lowerBound)
        while true {
            if number % 256 == 0 { try budget.check(.samples) }
            let device = named ?? unnamed(number)
            let index = devices.intern(device)
            let isFound = sampling.indices.allSatisfy { side in
                !isAsked[side]
                    || (sampling[side]?.isSampled(index, at: time, devices: devices) ?? false) == wanted[side]
            }
            if isFound, named != nil || !space.devices.contains(device) && !space.avoided.contains(device) {
                return (device, time)
            }
            number += 1
            // Another day, or where there is none another device.
            if time + Instant.secondsPerDay <= bounds.upperBound {
                time = time + Instant.secondsPerDay
            } else if named == nil {
                time = bounds.lowerBound
            } else {
                throw .sampling
            }
        }
    }

    // `nil` for a device of any ID that no account has an entry of.
    private var named: DeviceID? {
        if let number = model.kinds.dropFirst().firstIndex(where: { $0.holds(in: values) }) {
            return space.devices[number - 1]
        }
        guard let identity = space.identity else { return nil }
        let rows = model.isLoose ? identity.looseRows : identity.rows
        return model.identityRows.firstIndex { $0.holds(in: values) }.flatMap { number in
            number < rows.count ? DeviceID(rows[number].value) : nil
        }
    }

    // Those that an account has an entry of, and those that are not asked for, are passed over.
    private func unnamed(_ number: UInt64) -> DeviceID {
        DeviceID(first: 0, second: number)
    }
}
