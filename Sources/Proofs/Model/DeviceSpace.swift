internal import PolicyEngine

/// The space of devices: all differences between them that affect two accounts.
struct DeviceSpace {
    /// The accounts: the one before, then the one after.
    let accounts: [Account]
    /// The flags that a record may have, by name: those of either account, but for `risky-device`, which is derived (R2.4).
    let flags: [String]
    /// The devices that either account has an entry of, and those that are asked for by their IDs.
    let devices: [DeviceID]
    /// Devices that are found only by an entry.
    let avoided: Set<DeviceID>
    /// The uses of filters; by account.
    let filters: [FilterUses]
    // The tests of lists of flags; by account.
    private let lists: [[FlagListTest]]
    /// The attributes that verdicts depend on, but for the device's ID.
    let attributes: [ValueKey]
    /// The tests of the ID of a device without an entry; `nil` where there are none.
    let identity: ValueKey?
    // The tests of either account, by key.
    private let classes: FilterClasses
    /// The tests of the device's ID, by class.
    let identityTests: [[Filter.Test]]
    /// The times at which registrations end that were removed, in ascending order (R15.2).
    let expiries: [Instant]

    /// The names under which filters know the list of flags (R7.2).
    static let listKeys = ["flags-all", "public-flags"]
    // The keys under which records describe themselves; their values are no values of attributes.
    static let reservedKeys = ["time", "flags", "rejection-flags"]

    /// - Parameters:
    ///   - before: The account before.
    ///   - after: The account after.
    ///   - flags: The flags that records may have; `nil` for all that either account knows.
    ///   - excluded: The condition on records that are not asked for, of which it must be known whether one meets it.
    init(
        before: Account, after: Account, flags: [String]?, excluding excluded: RecordCondition? = nil,
        _ budget: ProofBudget
    ) throws(Undecided) {
        let accounts = [before, after]
        self.accounts = accounts
        let known = before.catalogue.declaredNames
        let all = known + after.catalogue.declaredNames.filter { !known.contains($0) }
        self.flags = all.filter { $0 != "risky-device" && flags?.contains($0) != false }
        avoided = excluded?.devices ?? []
        let named = accounts.flatMap(\.devices).map(\.id) + (excluded?.namedDevices ?? [])
        devices = named.reduce(into: []) { devices, id in
            if !id.isFilteredPolicy, !devices.contains(id) { devices.append(id) }
        }
        let removed =
            accounts.flatMap(\.removedRegistrations)
            + accounts.filter { !$0.removedRegistrations.isEmpty }
            .flatMap { $0.registrations ?? [] }
        expiries = Set(removed.compactMap(\.expiry)).sorted()
        var classes = FilterClasses(accounts)
        for registration in removed { classes.addValues(of: registration) }
        for test in excluded?.tests ?? [] { classes.add(test) }
        let filters = accounts.indices.map { FilterUses(accounts[$0], side: $0, classes) }
        self.filters = filters
        lists = try Self.lists(filters, accounts, of: self.flags, areOthersLeftOut: flags != nil, budget)
        var (attributes, identity): ([ValueKey], ValueKey?) = ([], nil)
        var identityTests: [[Filter.Test]] = []
        for (key, members) in classes.byKey where !Self.listKeys.contains(key) {
            let isReserved = Self.reservedKeys.contains(key)
            let tests = members.map(\.tests)
            if key == ValueKey.identityKey {
                identityTests = tests
                identity = try ValueKey(identities: tests, without: devices, budget)
            } else {
                attributes.append(try ValueKey(key, tests, areOpaque: isReserved, budget))
            }
        }
        self.classes = classes
        (self.attributes, self.identity, self.identityTests) = (attributes, identity, identityTests)
    }

    /// The index of an attribute; `nil` for the device's ID.
    func attribute(named key: String) -> Int? { attributes.firstIndex { ExactText($0.name) == ExactText(key) } }

    /// The class of a test of a registration, or of records that are not asked for.
    func classNumber(of test: Filter.Test) -> Int? { classes.number(ofOwn: test) }

    /// The test of the list of flags under an account.
    func listTest(_ test: Filter.Test, side: Int) -> FlagListTest? { lists[side].first { $0.test == test } }

    // Flags that an account does not know come last, in the order in which a stream brings them (R2.3); `new-did` is in no list
    // (R7.2).
    private static func lists(
        _ filters: [FilterUses], _ accounts: [Account], of flags: [String], areOthersLeftOut: Bool,
        _ budget: ProofBudget
    ) throws(Undecided) -> [[FlagListTest]] {
        var lists: [[FlagListTest]] = []
        for (uses, account) in zip(filters, accounts) {
            let numbers = flags.map(account.catalogue.namedFlag)
            let listed = flags.enumerated().map { (number: $0, name: $1) }.filter { $0.name != "new-did" }
            let known = listed.filter { numbers[$0.number] != nil }
                .sorted { (numbers[$0.number]?.index ?? 0) < (numbers[$1.number]?.index ?? 0) }
            var tests: [FlagListTest] = []
            for test in uses.ofFlags.flatMap(\.tests) where !tests.contains(where: { $0.test == test }) {
                tests.append(
                    try FlagListTest(
                        test, known: known, others: listed.filter { numbers[$0.number] == nil },
                        areOthersLeftOut: areOthersLeftOut, budget))
            }
            lists.append(tests)
        }
        return lists
    }

    /// The filters of which it is not known exactly when they match, in the order of the accounts.
    var openFilters: [OpenFilter] {
        let searching = attributes.flatMap(\.opaqueTests) + (identity?.opaqueTests ?? [])
        var open: [OpenFilter] = []
        for (side, account) in accounts.enumerated() {
            for filter in account.filters where !open.contains(where: { $0.name == filter.name }) {
                if searching.contains(filter.test) {
                    let isReserved = filter.test.key.map(Self.reservedKeys.contains) ?? false
                    open.append(OpenFilter(name: filter.name, reason: isReserved ? .reservedKey : .pattern))
                } else if let reason = listTest(filter.test, side: side)?.openReason {
                    open.append(OpenFilter(name: filter.name, reason: reason))
                }
            }
        }
        return open
    }
}

/// A filter of which it is not known exactly when it matches.
package struct OpenFilter: Hashable, Sendable {
    package let name: String
    package let reason: Reason

    /// The reason why that is not known.
    package enum Reason: Hashable, Sendable {
        /// Its pattern is no regular expression.
        case pattern
        /// It looks at a key under which records describe themselves.
        case reservedKey
        /// It looks at a list of flags whose order depends on what a stream brought first (R2.3).
        case order
        /// It looks at a list of flags in which flags make a difference that no account declares (R2.2); some of them.
        case unknownFlags(example: String?)

        /// True if its matches are known as long as all flags are declared.
        var isBeyondKnownFlags: Bool { if case .unknownFlags = self { true } else { false } }
    }
}
