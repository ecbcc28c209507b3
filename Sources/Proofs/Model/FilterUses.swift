internal import PolicyEngine

/// The uses of filters by one account, as far as verdicts depend on them.
struct FilterUses {
    /// The consequences of a match of a filter.
    struct Use: Hashable {
        /// Reject, ban, risky, execute the filtered policy; and the restriction to new devices.
        let options: Filter.Options
        /// The filter's index, if it is an input of a conjunction.
        let index: Int?
    }

    /// A filter on an attribute.
    struct Ordinary {
        let position: (key: String, index: Int)
        let use: Use
    }

    /// Filters on the list of flags with the same consequences.
    struct OfFlags {
        var tests: [Filter.Test]
        let use: Use
    }

    let ordinary: [Ordinary]
    let ofFlags: [OfFlags]
    let conjunctions: [(inputs: [Int], options: Filter.Options)]

    /// - Parameters:
    ///   - side: Its index.
    ///   - classes: The classes of its tests.
    init(_ account: Account, side: Int, _ classes: FilterClasses) {
        var ordinary: [Ordinary] = []
        var ofFlags: [OfFlags] = []
        for (filter, use) in Self.uses(in: account) {
            guard let key = filter.test.key else { continue }
            guard DeviceSpace.listKeys.contains(key) else {
                let isKnown = { (known: Ordinary, index: Int) in
                    known.use == use && ExactText(known.position.key) == ExactText(key) && known.position.index == index
                }
                if let index = classes.number(of: filter.test), !ordinary.contains(where: { isKnown($0, index) }) {
                    ordinary.append(Ordinary(position: (key, index), use: use))
                }
                continue
            }
            if let known = ofFlags.firstIndex(where: { $0.use == use }) {
                ofFlags[known].tests.append(filter.test)
            } else {
                ofFlags.append(OfFlags(tests: [filter.test], use: use))
            }
        }
        (self.ordinary, self.ofFlags) = (ordinary, ofFlags)
        conjunctions = Self.conjunctions(of: account).map { ($0.inputs, $0.options) }
    }

    /// The ordinary filters of an account that its verdicts depend on, in filter order.
    static func uses(in account: Account) -> [(filter: Filter, use: Use)] {
        let conjunctions = conjunctions(of: account)
        return account.filters.enumerated().compactMap { index, filter in
            guard filter.inputs == nil else { return nil }
            let isInput = conjunctions.contains { $0.inputs.contains(index) }
            let acting = acting(filter, of: account)
            guard isInput || !acting.isEmpty else { return nil }
            let options = acting.union(filter.options.intersection(.newDevicesOnly))
            return (filter, Use(options: options, index: isInput ? index : nil))
        }
    }

    // A conjunction with a missing input never matches (R7.4).
    private static func conjunctions(of account: Account) -> [(inputs: [Int], options: Filter.Options)] {
        account.filters.compactMap { filter in
            guard let names = filter.inputs, !acting(filter, of: account).isEmpty else { return nil }
            let inputs = names.compactMap { name in account.filters.firstIndex { $0.name == name } }
            guard inputs.count == names.count else { return nil }
            return (inputs, acting(filter, of: account).union(filter.options.intersection(.newDevicesOnly)))
        }
    }

    private static func acting(_ filter: Filter, of account: Account) -> Filter.Options {
        let acting: Filter.Options = [.reject, .ban, .risky, .executeFilteredPolicy]
        let options = filter.options.intersection(acting)
        return account.effectiveFilteredPolicy == nil ? options.subtracting(.executeFilteredPolicy) : options
    }
}
