package import PolicyEngine

/// The devices of a part of a comparison, by the values that they showed.
package struct ShownDevices: Addable, FigureValue, Sendable {
    /// The keys as they were typed.
    package let keys: [String]
    /// The values by number.
    package var values: [Value] { numbers.keys }
    /// By the numbers of the values that devices showed, in rising order.
    package private(set) var groups: [[Int]: Count] = [:]
    /// True if no record of a part has `new-did`, so that what depends on new devices is left out.
    package private(set) var isInDoubt: Bool
    private var numbers = Numbering<Value>()

    /// A value of a key, by the index of the key.
    package struct Value: Hashable, Comparable, Sendable {
        package let key: Int
        package let text: ExactText

        package init(key: Int, text: ExactText) { (self.key, self.text) = (key, text) }

        package static func < (left: Value, right: Value) -> Bool { (left.key, left.text) < (right.key, right.text) }
    }

    /// Devices that showed the same.
    package struct Count: Hashable, Sendable {
        /// Those of which it is known what the change does to them, and the newly rejected ones among them.
        package var devices, affected: Int
        /// The same without what depends on new devices.
        package var doubtfulDevices, doubtfulAffected: Int

        package init(devices: Int, affected: Int, doubtfulDevices: Int, doubtfulAffected: Int) {
            (self.devices, self.affected) = (devices, affected)
            (self.doubtfulDevices, self.doubtfulAffected) = (doubtfulDevices, doubtfulAffected)
        }

        fileprivate init?(_ numbers: ArraySlice<Int>) {
            let all = Array(numbers)
            guard all.count == 4, all.allSatisfy((0...JSONContent.largestCount).contains), all[1] <= all[0],
                all[3] <= all[2]
            else { return nil }
            self.init(devices: all[0], affected: all[1], doubtfulDevices: all[2], doubtfulAffected: all[3])
        }

        fileprivate var numbers: [Int] { [devices, affected, doubtfulDevices, doubtfulAffected] }
    }

    package init(keys: [String], isInDoubt: Bool) { (self.keys, self.isInDoubt) = (keys, isInDoubt) }

    /// The number of a value, given one at first sight.
    package mutating func number(of value: Value) -> Int { numbers.number(of: value) }

    /// Adds devices by the numbers of their values, each once, in any order.
    package mutating func add(_ count: Count, of numbers: [Int]) {
        let shown = numbers.sorted()
        let known = groups[shown]?.numbers ?? [0, 0, 0, 0]
        groups[shown] = Count(zip(known, count.numbers).map(+)[...])
    }

    package mutating func add(_ other: ShownDevices) {
        isInDoubt = isInDoubt && other.isInDoubt
        let renumbered = other.values.map { number(of: $0) }
        for (shown, count) in other.groups { add(count, of: shown.map { renumbered[$0] }) }
    }
}

// The counts of a group and the numbers of its values are one text, because there may be millions of them.
extension ShownDevices {
    package var partial: JSONValue {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var renumbered = Array(repeating: 0, count: values.count)
        for (number, index) in order.enumerated() { renumbered[index] = number }
        let rows = groups.map { shown, count in (shown.map { renumbered[$0] }.sorted(), count) }
        let sorted = rows.sorted { $0.0.lexicographicallyPrecedes($1.0) }
        return .ordered([
            ("keys", keys.partial), ("in-doubt", isInDoubt.partial),
            ("values", .array(order.map { .array([values[$0].key.partial, values[$0].text.partial]) })),
            (
                "groups",
                .array(sorted.map { .string(($1.numbers + $0).map { String($0) }.joined(separator: " ")) })
            ),
        ])
    }

    package init?(partial content: JSONContent) {
        guard let keys: [String] = content.member("keys"), let isInDoubt: Bool = content.member("in-doubt"),
            let values = content["values"]?.items, let groups: [String] = content.member("groups")
        else { return nil }
        self.init(keys: keys, isInDoubt: isInDoubt)
        for value in values where !readValue(value) { return nil }
        for group in groups where !readGroup(group) { return nil }
    }

    // False for what is not a value of its own.
    private mutating func readValue(_ content: JSONContent) -> Bool {
        guard let (key, text): (Int, ExactText) = content.pair(), keys.indices.contains(key),
            numbers.known(Value(key: key, text: text)) == nil
        else { return false }
        _ = number(of: Value(key: key, text: text))
        return true
    }

    // False for what is not a group of its own.
    private mutating func readGroup(_ text: String) -> Bool {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count, let count = Count(numbers.prefix(4)) else { return false }
        let shown = Array(numbers.dropFirst(4))
        guard shown.allSatisfy(values.indices.contains), Set(shown).count == shown.count, groups[shown] == nil
        else { return false }
        add(count, of: shown)
        return true
    }
}
