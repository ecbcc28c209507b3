package import PolicyEngine

/// A condition on a record of a possible device.
package indirect enum RecordCondition: Sendable {
    /// The flag was observed.
    case flag(String)
    /// An attribute passes a test; one that the record lacks does not.
    case test(Filter.Test)
    /// The record is of one of these devices.
    case devices(Set<DeviceID>)
    /// The account before fails the record, or passes it.
    case verdict(passed: Bool)
    /// The model of records says nothing of it.
    case unknown
    case not(RecordCondition)
    case all([RecordCondition])
    case any([RecordCondition])

    // The conditions that are not made of others.
    fileprivate var leaves: [RecordCondition] {
        switch self {
        case .flag, .test, .devices, .verdict, .unknown: [self]
        case .not(let inner): inner.leaves
        case .all(let parts), .any(let parts): parts.flatMap(\.leaves)
        }
    }

    /// The tests of attributes whose results the model has.
    var tests: [Filter.Test] {
        leaves.compactMap { if case .test(let test) = $0, test.isModelled { test } else { nil } }
    }

    /// All devices that it names.
    var devices: Set<DeviceID> {
        leaves.reduce(into: []) { if case .devices(let devices) = $1 { $0.formUnion(devices) } }
    }

    /// The devices of short lists, which may be found.
    var namedDevices: [DeviceID] {
        leaves.flatMap { leaf -> [DeviceID] in
            guard case .devices(let devices) = leaf, devices.count <= Self.listed else { return [] }
            return devices.sorted { $0.description < $1.description }
        }
    }

    private static let listed = 16
}

extension Filter.Test {
    // True if values are distinguished by it: it is a regular expression of an attribute that records give.
    fileprivate var isModelled: Bool {
        guard isRegular, let key else { return false }
        return !DeviceSpace.listKeys.contains(key) && !DeviceSpace.reservedKeys.contains(key)
    }
}

extension RuleModel {
    /// Demands that no record meets a condition. What the model does not know may hold or not.
    mutating func exclude(_ condition: RecordCondition) {
        for number in records.indices { require(!formula(condition, number)) }
    }

    private mutating func formula(_ condition: RecordCondition, _ number: Int) -> Formula {
        switch condition {
        case .flag(let name):
            if let index = space.flags.firstIndex(of: name) { return records[number].flags[index] }
            return variable()
        case .test(let test): return passes(test, number) ?? variable()
        case .devices(let devices):
            // Of a device without an entry the ID is chosen later.
            let general = devices.isEmpty ? Formula.no : kinds[0] && variable()
            return isDevice(among: space.devices.filter(devices.contains)) || general
        case .verdict(let isPassed):
            guard number == records.count - 1 else { return variable() }
            return isPassed ? passes[0] : !passes[0]
        case .unknown: return variable()
        case .not(let inner): return !formula(inner, number)
        case .all(let parts): return .conjunction(formulas(parts, number))
        case .any(let parts): return .disjunction(formulas(parts, number))
        }
    }

    private mutating func formulas(_ parts: [RecordCondition], _ number: Int) -> [Formula] {
        var formulas: [Formula] = []
        for part in parts { formulas.append(formula(part, number)) }
        return formulas
    }

    private func passes(_ test: Filter.Test, _ number: Int) -> Formula? {
        guard let key = test.key, let index = space.classNumber(of: test) else { return nil }
        return space.attribute(named: key).map { records[number].classes[$0][index] } ?? identityClasses[index]
    }
}
