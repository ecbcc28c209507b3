internal import PolicyEngine

/// The rules as statements about one device that attests some times: the possible contents of its records, and the decision of
/// either account on the last of them.
struct RuleModel {
    /// The possible contents of a record of the device.
    struct Record {
        /// True if it is the first, at which a device is new (R10, step 2).
        let isFirst: Bool
        /// By flag of the space: whether it was observed.
        let flags: [Formula]
        /// By attribute: whether it is absent, then whether it has the value of each row.
        let values: [[Formula]]
        /// By attribute and class: whether the value passes a test of it.
        let classes: [[Formula]]
        /// By expiry: whether the record is not before it.
        let isLate: [Formula]
        /// True if the failover answers, during an outage of the primary service (R14.3).
        let isInOutage: Formula
    }

    /// The treatment of tests that are no regular expressions.
    enum Reading {
        /// The result of PCRE2 for the values that are known: not all there are.
        case concrete
        /// Anything at all.
        case loose
    }

    let space: DeviceSpace
    private(set) var constraints = Constraints()
    private(set) var records: [Record] = []
    /// The formula that it is a device without an entry, then those that it is each device with one.
    let kinds: [Formula]
    /// Of a device without an entry: whether its ID is that of each row.
    let identityRows: [Formula]
    /// By class of tests of the ID: whether the device's passes.
    let identityClasses: [Formula]
    /// By account: whether the device is sampled at the last record (R7.6).
    private(set) var isSampled: [Formula] = []
    /// By account: whether the last record passes.
    private(set) var passes: [Formula] = []
    private let reading: Reading

    /// - Parameters:
    ///   - space: The space of devices.
    ///   - count: The number of attestations, 1 through 3. That is enough: the device is new or not, and either account remembers
    ///     a ban or does not.
    ///   - reading: The treatment of tests that are no regular expressions.
    ///   - mayHaveOutages: True if the failover may answer any of the attestations.
    init(
        _ space: DeviceSpace, count: Int, _ reading: Reading, mayHaveOutages: Bool, _ budget: ProofBudget
    ) throws(Undecided) {
        (self.space, self.reading) = (space, reading)
        kinds = constraints.oneOf(space.devices.count + 1)
        (identityRows, identityClasses) = Self.identity(of: space, kinds, reading, &constraints)
        for number in 0..<count { addRecord(isFirst: number == 0, mayHaveOutages) }
        isSampled = sampling()
        let model = self
        var constraints = constraints
        for side in space.accounts.indices {
            var rules = AccountRules(space, side: side)
            var passes = Formula.no
            for number in 0..<count {
                passes = try rules.evaluate(number, of: model, isLast: number == count - 1, &constraints, budget)
            }
            self.passes.append(passes)
        }
        self.constraints = constraints
    }

    /// True if tests that are no regular expressions may match anything at all.
    var isLoose: Bool { reading == .loose }

    /// A statement of which nothing is known.
    mutating func variable() -> Formula { constraints.variable() }

    /// Demands more.
    mutating func require(_ formula: Formula) { constraints.require(formula) }

    /// The formula that the device is one of some.
    func isDevice(among ids: [DeviceID]) -> Formula {
        .disjunction(
            zip(space.devices, kinds.dropFirst()).compactMap { device, kind in ids.contains(device) ? kind : nil })
    }

    private static func identity(
        of space: DeviceSpace, _ kinds: [Formula], _ reading: Reading, _ constraints: inout Constraints
    ) -> (rows: [Formula], classes: [Formula]) {
        guard let key = space.identity else { return ([], []) }
        let known = reading == .concrete ? key.rows : key.looseRows
        let rows = constraints.oneOf(max(1, known.count))
        // If no ID is left, every device has an entry.
        if known.isEmpty, let general = kinds.first { constraints.require(!general) }
        let classes = space.identityTests.enumerated().map { number, tests -> Formula in
            let named = zip(space.devices, kinds.dropFirst()).compactMap { device, kind in
                tests.contains { $0.passes(device.description) } ? kind : nil
            }
            var general = zip(known, rows).compactMap { row, holds in row.classes.contains(number) ? holds : nil }
            if reading == .loose, key.isOpaque(number) { general.append(constraints.variable()) }
            return .disjunction(named + [kinds[0] && .disjunction(general)])
        }
        return (rows, classes.map { constraints.name($0) })
    }

    private mutating func addRecord(isFirst: Bool, _ mayHaveOutages: Bool) {
        let flags = space.flags.map { name in
            // A capture tells which devices are new by this flag: so the first record of one has it.
            isFirst && name == "new-did" ? .yes : constraints.variable()
        }
        var (values, classes): ([[Formula]], [[Formula]]) = ([], [])
        for attribute in space.attributes {
            let rows = reading == .concrete ? attribute.rows : attribute.looseRows
            let chosen = constraints.oneOf(rows.count + 1)
            values.append(chosen)
            classes.append(
                (0..<attribute.classCount).map { number in
                    var holds = zip(rows, chosen.dropFirst()).compactMap { row, holds in
                        row.classes.contains(number) ? holds : nil
                    }
                    if reading == .loose, attribute.isOpaque(number) {
                        holds.append(!chosen[0] && constraints.variable())
                    }
                    return constraints.name(.disjunction(holds))
                })
        }
        let late = space.expiries.map { _ in constraints.variable() }
        for (earlier, later) in zip(late, late.dropFirst()) { constraints.require(earlier || !later) }
        for (before, now) in zip(records.last?.isLate ?? [], late) { constraints.require(!before || now) }
        records.append(
            Record(
                isFirst: isFirst, flags: flags, values: values, classes: classes, isLate: late,
                isInOutage: mayHaveOutages ? constraints.variable() : .no))
    }

    // One number decides for both accounts if they have one name; else any two will be found.
    private mutating func sampling() -> [Formula] {
        let shares = space.accounts.map { $0.effectiveFilteredPolicy == nil ? .zero : $0.samplingPercentage }
        let sampled = shares.map { share in
            share == .zero ? Formula.no : share == .hundred ? .yes : constraints.variable()
        }
        if ExactText(space.accounts[0].name) == ExactText(space.accounts[1].name) {
            let (less, more) = shares[0] <= shares[1] ? (0, 1) : (1, 0)
            constraints.require(!sampled[less] || sampled[more])
            if shares[0] == shares[1] { constraints.require(!sampled[more] || sampled[less]) }
        }
        return sampled
    }
}
