internal import PolicyEngine

/// The findings in values, each as the number of one of few distinct findings.
///
/// A value has an index, such as its key in a dictionary.
struct NumberedFindings<Found: Finding>: Sendable {
    /// By index of a value, the number of the finding: in a byte, so that those of many values stay near the processor.
    private(set) var numbers: [UInt8] = []
    // By index, the numbers that a byte has no room for; empty while there are none.
    private var farNumbers: [UInt32] = []
    /// The distinct findings by number; the first is nothing.
    var findings: [Found] { known.keys }
    private var known = Numbering<Found>([.nothing])

    /// The number for a value that nobody has looked at.
    static var unknown: UInt8 { .max }
    /// The number for a value whose number is a far one; all above the near ones are larger than those.
    static var far: UInt8 { .max - 1 }
    private static var nearFindings: Int { 16 }

    /// - Parameter count: The number of values, at none of which anybody looked.
    init(count: Int) { extend(to: count) }

    /// Takes further values, at none of which anybody looked.
    mutating func extend(to count: Int) {
        let more = count - numbers.count
        guard more > 0 else { return }
        numbers.append(contentsOf: repeatElement(Self.unknown, count: more))
        if !farNumbers.isEmpty { farNumbers.append(contentsOf: repeatElement(0, count: more)) }
    }

    /// The findings in a value; `nil` if nobody has looked at it.
    @inline(__always)
    subscript(index: Int) -> Found? {
        switch numbers[index] {
        case Self.unknown: nil
        case Self.far: known[Int(farNumbers[index])]
        default: known[Int(numbers[index])]
        }
    }

    /// Notes what was found in a value.
    mutating func note(_ found: Found, at index: Int) { note(number: number(of: found), at: index) }

    /// Notes what others found in values that follow one another.
    mutating func note(_ others: NumberedFindings, at start: Int) {
        let translated = others.findings.map { number(of: $0) }
        for index in others.numbers.indices where others.numbers[index] != Self.unknown {
            let isFar = others.numbers[index] == Self.far
            let number = isFar ? others.farNumbers[index] : UInt32(others.numbers[index])
            note(number: translated[Int(number)], at: start + index)
        }
    }

    private mutating func note(number: UInt32, at index: Int) {
        numbers[index] = number < Self.far ? UInt8(number) : Self.far
        if number < Self.far { return }
        if farNumbers.isEmpty { farNumbers = Array(repeating: 0, count: numbers.count) }
        farNumbers[index] = number
    }

    private mutating func number(of found: Found) -> UInt32 {
        // Few findings make most values.
        for number in 0..<min(Self.nearFindings, known.count) where known[number] == found { return UInt32(number) }
        return UInt32(known.number(of: found))
    }
}
