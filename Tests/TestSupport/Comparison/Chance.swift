import Documents

/// Chance for tests: equal seeds give equal draws on every machine.
struct Chance {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed, path: "tests")
    }

    /// A number in `0 ..< bound`.
    mutating func below(_ bound: Int) -> Int { Int(generator.next().multipliedFullWidth(by: UInt64(bound)).high) }

    /// True in that percentage of draws.
    mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    /// One of some values.
    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    /// Some of some values, each with this percentage, in their order.
    mutating func some<Value>(of values: [Value], _ percent: Int) -> [Value] { values.filter { _ in happens(percent) } }

    /// The values in another order.
    mutating func shuffled<Value>(_ values: [Value]) -> [Value] {
        var result = values
        for index in result.indices.reversed() { result.swapAt(index, below(index + 1)) }
        return result
    }
}
