internal import Columns

/// The findings in values of a dictionary by key, each as the number of one of few distinct findings.
struct NumberedFindings<Found: Finding> {
    private(set) var dictionary: ColumnDictionary?
    /// By key, the number of the finding: in a byte, so that those of many values stay near the processor.
    private(set) var numbers: [UInt8] = []
    // By key, the numbers that a byte has no room for; empty while there are none.
    private var farNumbers: [UInt32] = []
    /// The distinct findings by number; the first is nothing.
    private(set) var findings: [Found] = [.nothing]
    private var numbersByFinding: [Found: UInt32] = [:]

    /// The number for a value that nobody has looked at.
    static var unknown: UInt8 { .max }
    /// The number for a value whose number is a far one; all above the near ones are larger than those.
    static var far: UInt8 { .max - 1 }
    private static var nearFindings: Int { 16 }

    /// Forgets all findings, and takes those in another dictionary.
    mutating func begin(_ dictionary: ColumnDictionary) {
        self.dictionary = dictionary
        (findings, numbersByFinding) = ([.nothing], [.nothing: 0])
        farNumbers = []
        numbers.removeAll(keepingCapacity: true)
        numbers.append(contentsOf: repeatElement(Self.unknown, count: dictionary.values.count))
    }

    /// The findings in a value; `nil` if nobody has looked at it.
    subscript(key: Int) -> Found? {
        switch numbers[key] {
        case Self.unknown: nil
        case Self.far: findings[Int(farNumbers[key])]
        default: findings[Int(numbers[key])]
        }
    }

    /// Notes what was found in a value.
    mutating func note(_ found: Found, at key: Int) {
        let number = number(of: found)
        numbers[key] = number < Self.far ? UInt8(number) : Self.far
        if number < Self.far { return }
        if farNumbers.isEmpty { farNumbers = Array(repeating: 0, count: numbers.count) }
        farNumbers[key] = number
    }

    private mutating func number(of found: Found) -> UInt32 {
        // Few findings make most values.
        for number in 0..<min(Self.nearFindings, findings.count) where findings[number] == found {
            return UInt32(number)
        }
        if let known = numbersByFinding[found] { return known }
        findings.append(found)
        numbersByFinding[found] = UInt32(findings.count - 1)
        return UInt32(findings.count - 1)
    }
}
