/// A small generator whose numbers follow from its seed alone, on every machine.
struct SplitMix64 {
    private var state: UInt64
    // Bytes that are handed out first, the last one first.
    private var tape: [UInt8] = []

    init(seed: UInt64) {
        state = seed
    }

    /// Draws by given bytes, one a number, and then by a fixed seed: each byte says which of some values comes up.
    init(tape: some Collection<UInt8>) {
        state = 0
        self.tape = tape.reversed()
    }

    mutating func next() -> UInt64 {
        // The upper bits say which value is drawn.
        if let byte = tape.popLast() { return UInt64(byte) << 56 }
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in `0 ..< bound`.
    mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(bound)).high) }

    /// True in that percentage of draws.
    mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    /// One of some values.
    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    /// Some of some values, each with this percentage, in their order.
    mutating func some<Value>(of values: [Value], _ percent: Int) -> [Value] {
        values.filter { _ in happens(percent) }
    }

    /// The values in another order.
    mutating func shuffled<Value>(_ values: [Value]) -> [Value] {
        var result = values
        for index in result.indices.reversed() { result.swapAt(index, below(index + 1)) }
        return result
    }
}
