internal import PolicyEngine

/// A value of which a capture has few different ones.
protocol Mixed: Hashable, Sendable {
    /// Bits that differ for most different values.
    var mixedBits: UInt64 { get }
}

/// Numbers for values, in the order of first sight, of which most are found without hashing.
struct MixedNumbers<Value: Mixed>: Sendable {
    private var numbers = Numbering<Value>()
    // The numbers of some of them and 1, where a part of the bits says; 0 where there is none.
    private var recent: [UInt32]
    private let shift: UInt64

    /// - Parameter recentBits: The binary logarithm of how many values are found without hashing.
    init(recentBits: Int) {
        recent = Array(repeating: 0, count: 1 << recentBits)
        shift = UInt64(64 - recentBits)
    }

    /// By number.
    var all: [Value] { numbers.keys }

    /// The number of a value, given one at first sight.
    @inline(__always)
    mutating func number(of value: Value) -> Int {
        let slot = slot(of: value)
        let known = Int(recent[slot])
        if known > 0, numbers[known - 1] == value { return known - 1 }
        return number(of: value, keptAt: slot)
    }

    /// The number of a value that has one; otherwise `nil`.
    mutating func known(_ value: Value) -> Int? {
        let slot = slot(of: value)
        let known = Int(recent[slot])
        if known > 0, numbers[known - 1] == value { return known - 1 }
        return numbers.known(value) == nil ? nil : number(of: value, keptAt: slot)
    }

    private func slot(of value: Value) -> Int {
        Int(truncatingIfNeeded: (value.mixedBits &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    @inline(never)
    private mutating func number(of value: Value, keptAt slot: Int) -> Int {
        let number = numbers.number(of: value)
        recent[slot] = UInt32(number + 1)
        return number
    }
}
