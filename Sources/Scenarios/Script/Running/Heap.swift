/// Values of which the least is directly available.
struct Heap<Value: Comparable> {
    // INVARIANT: no value is less than the one at half its index, counted from 1.
    private var values: [Value] = []

    /// The least value; `nil` where there is none.
    var least: Value? { values.first }

    /// Adds a value.
    ///
    /// - Complexity: O(log *n*).
    mutating func insert(_ value: Value) {
        values.append(value)
        var index = values.count - 1
        while index > 0, values[index] < values[(index - 1) / 2] {
            values.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Takes the least value away.
    ///
    /// - Complexity: O(log *n*).
    mutating func popLeast() -> Value? {
        guard !values.isEmpty else { return nil }
        values.swapAt(0, values.count - 1)
        let least = values.popLast()
        var index = 0
        while let child = lesserChild(of: index), values[child] < values[index] {
            values.swapAt(index, child)
            index = child
        }
        return least
    }

    private func lesserChild(of index: Int) -> Int? {
        let (left, right) = (2 * index + 1, 2 * index + 2)
        guard left < values.count else { return nil }
        return right < values.count && values[right] < values[left] ? right : left
    }
}
