internal import PolicyEngine

/// The tests of two accounts' filters, those together that have the same consequences everywhere: to them it makes no
/// difference which of them a value passes.
struct FilterClasses {
    /// Tests of one key.
    struct Class {
        var tests: [Filter.Test]
        fileprivate let consequences: [[FilterUses.Use]]
    }

    /// The classes by key, both in the order in which they are found.
    private(set) var byKey: [(key: String, classes: [Class])] = []

    init(_ accounts: [Account]) {
        var tests: [(test: Filter.Test, uses: [[FilterUses.Use]])] = []
        for (side, account) in accounts.enumerated() {
            for (filter, use) in FilterUses.uses(in: account) {
                if let known = tests.firstIndex(where: { $0.test == filter.test }) {
                    tests[known].uses[side].append(use)
                } else {
                    tests.append((filter.test, accounts.map { _ in [] }))
                    tests[tests.count - 1].uses[side].append(use)
                }
            }
        }
        for (test, uses) in tests { add(test, uses) }
    }

    private mutating func add(_ test: Filter.Test, _ uses: [[FilterUses.Use]]) {
        guard let key = test.key else { return }
        let position = position(of: key)
        let known = byKey[position].classes.firstIndex { !$0.consequences.isEmpty && $0.consequences == uses }
        if let known {
            byKey[position].classes[known].tests.append(test)
        } else {
            byKey[position].classes.append(Class(tests: [test], consequences: uses))
        }
    }

    private mutating func position(of key: String) -> Int {
        if let known = byKey.firstIndex(where: { ExactText($0.key) == ExactText(key) }) { return known }
        byKey.append((key, []))
        return byKey.count - 1
    }

    /// Adds the values that a registration compares, each in a class of its own (R15.1).
    mutating func addValues(of registration: Registration) {
        let versions = (registration.matchedVersions ?? []).map { ("app-version", Optional($0)) }
        let values =
            [
                ("app-sig", registration.signature), ("app-id-sig", registration.signature),
                ("appid", registration.package), ("sdkid", registration.libraryID),
            ] + versions
        for (key, value) in values {
            if let value { add(.exact(key: key, value: value)) }
        }
    }

    /// Adds a test that is no filter's, in a class of its own.
    mutating func add(_ test: Filter.Test) {
        guard let key = test.key else { return }
        let position = position(of: key)
        let isKnown = byKey[position].classes.contains { $0.consequences.isEmpty && $0.tests == [test] }
        if !isKnown { byKey[position].classes.append(Class(tests: [test], consequences: [])) }
    }

    /// The class that has the tests of a use, by its number among those of its key.
    func number(of test: Filter.Test) -> Int? {
        byKey.first { entry in test.key.map { ExactText($0) == ExactText(entry.key) } ?? false }?
            .classes.firstIndex { !$0.consequences.isEmpty && $0.tests.contains(test) }
    }

    /// The class of a test that is no filter's, by its number among those of its key.
    func number(ofOwn test: Filter.Test) -> Int? {
        byKey.first { entry in test.key.map { ExactText($0) == ExactText(entry.key) } ?? false }?
            .classes.firstIndex { $0.consequences.isEmpty && $0.tests == [test] }
    }
}
