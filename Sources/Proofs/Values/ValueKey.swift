internal import PolicyEngine

/// An attribute and the combinations of tests that its values can pass.
struct ValueKey {
    /// The attribute that is the device's ID.
    static let identityKey = "device-id"

    /// The attribute.
    let name: String
    /// The tests that are no regular expressions; by class.
    private let opaque: [[Filter.Test]]
    /// The combinations that exist, with a value each. Tests that are no regular expressions have their result for this very
    /// value.
    let rows: [ValueSearch.Row]
    /// The combinations of the other tests alone.
    let looseRows: [ValueSearch.Row]

    /// - Parameters:
    ///   - name: The attribute.
    ///   - classes: Tests of its values; to be in a class, a value has to pass one.
    ///   - areOpaque: True if nothing is known of the values.
    init(
        _ name: String, _ classes: [[Filter.Test]], areOpaque: Bool = false, _ budget: ProofBudget
    ) throws(Undecided) {
        self.name = name
        opaque = areOpaque ? classes : Self.opaque(classes)
        let regular = areOpaque ? classes.map { _ in [] } : classes
        if let rows = Self.exactRows(regular) {
            looseRows = rows
        } else {
            looseRows = try Self.searchedRows(regular, frame: nil, budget)
        }
        // Values of reserved keys are none that a record could have.
        rows = areOpaque ? [] : Self.concrete(looseRows, classes, opaque)
    }

    /// The ID of a device that no account has an entry of.
    init(
        identities classes: [[Filter.Test]], without devices: [DeviceID], _ budget: ProofBudget
    ) throws(Undecided) {
        name = Self.identityKey
        opaque = Self.opaque(classes)
        let texts = devices.map(\.description) + [DeviceID.filteredPolicyText]
        let excluded = texts.map { Filter.Test.exact(key: Self.identityKey, value: $0) }
        let digits = ScalarSet([0x2B...0x2B, 0x2F...0x39, 0x41...0x5A, 0x61...0x7A])
        let frame = PatternNode.sequence([
            .assertion(.textStart), .repeated(.character(digits), minimum: 22, maximum: 22),
            .character(ScalarSet("=")), .character(ScalarSet("=")), .assertion(.textEnd),
        ])
        looseRows = try Self.searchedRows(classes + [excluded], frame: frame, budget)
            .filter { !$0.classes.contains(classes.count) }
        rows = Self.concrete(looseRows, classes, opaque).filter {
            DeviceID($0.value) != nil && !texts.contains($0.value)
        }
    }

    /// The tests that are no regular expressions.
    var opaqueTests: [Filter.Test] { opaque.flatMap(\.self) }

    /// The number of classes.
    var classCount: Int { opaque.count }

    /// True if a class has a test that is no regular expression.
    func isOpaque(_ index: Int) -> Bool { !opaque[index].isEmpty }

    private static func opaque(_ classes: [[Filter.Test]]) -> [[Filter.Test]] {
        classes.map { tests in tests.filter { !$0.isRegular } }
    }

    // If only whole values are compared: each of them, and one that is none of them.
    private static func exactRows(_ classes: [[Filter.Test]]) -> [ValueSearch.Row]? {
        var values: [(value: ExactText, classes: [Int])] = []
        for (number, tests) in classes.enumerated() {
            for test in tests {
                guard case .exact(_, let value) = test else { return nil }
                if let known = values.firstIndex(where: { $0.value == ExactText(value) }) {
                    if !values[known].classes.contains(number) { values[known].classes.append(number) }
                } else {
                    values.append((ExactText(value), [number]))
                }
            }
        }
        let singles = (UInt32(0x61)...0xD7FF).lazy.compactMap { Unicode.Scalar($0) }.map { String($0) }
        let isFree = { (text: String) in !values.contains { $0.value == ExactText(text) } }
        let other = isFree("") ? "" : singles.first(where: isFree)
        let rows = [ValueSearch.Row(classes: [], value: other ?? "")]
        return rows + values.map { ValueSearch.Row(classes: $0.classes, value: $0.value.text) }
    }

    private static func searchedRows(
        _ classes: [[Filter.Test]], frame: PatternNode?, _ budget: ProofBudget
    ) throws(Undecided) -> [ValueSearch.Row] {
        let trees = classes.map { tests in
            tests.compactMap { $0.tree.flatMap { tree in PatternAutomaton([tree]) == nil ? nil : tree } }
        }
        guard let search = ValueSearch(trees, frame: frame) else { throw .size(.values) }
        return try search.rows(budget)
    }

    // The rows of known values, if some tests must be asked value by value.
    private static func concrete(
        _ rows: [ValueSearch.Row], _ classes: [[Filter.Test]], _ opaque: [[Filter.Test]]
    ) -> [ValueSearch.Row] {
        guard opaque.contains(where: { !$0.isEmpty }) else { return rows }
        let wanted = classes.joined().compactMap { test -> String? in
            if case .exact(_, let value) = test { value } else { nil }
        }
        return (rows.map(\.value) + wanted).map { value in
            ValueSearch.Row(
                classes: classes.indices.filter { number in classes[number].contains { $0.passes(value) } },
                value: value)
        }
    }
}
