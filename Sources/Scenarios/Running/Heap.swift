/// Values of which the least is at hand.
struct Heap<Value: Comparable> {
    // INVARIANT: no value is less than the one at half its place, counted from 1.
    private var values: [Value] = []

    /// The least value; `nil` where there is none.
    var least: Value? { values.first }

    /// Adds a value.
    ///
    /// - Complexity: O(log *n*).
    mutating func insert(_ value: Value) {
        values.append(value)
        var place = values.count - 1
        while place > 0, values[place] < values[(place - 1) / 2] {
            values.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes the least value away.
    ///
    /// - Complexity: O(log *n*).
    mutating func popLeast() -> Value? {
        guard !values.isEmpty else { return nil }
        values.swapAt(0, values.count - 1)
        let least = values.popLast()
        var place = 0
        while let child = lesserChild(of: place), values[child] < values[place] {
            values.swapAt(place, child)
            place = child
        }
        return least
    }

    private func lesserChild(of place: Int) -> Int? {
        let (left, right) = (2 * place + 1, 2 * place + 2)
        guard left < values.count else { return nil }
        return right < values.count && values[right] < values[left] ? right : left
    }
}
