internal import Columns
internal import Documents

/// The findings in the values of a dictionary that all workers know: what one of them has looked at, no other looks at.
///
/// Only findings that are the same whoever looks. If a stream has several dictionaries, those of the one that a worker began last.
final class SharedFindings<Found: Finding>: Sendable {
    private let known = Lock(NumberedFindings<Found>())

    /// Begins with a dictionary, unless another worker has.
    func begin(_ dictionary: ColumnDictionary) {
        known.withLock { if $0.dictionary !== dictionary { $0.begin(dictionary) } }
    }

    /// Adds what others have found to the findings of a worker.
    ///
    /// - Parameters:
    ///   - keys: The keys of values; those in which nobody looked are left.
    ///   - findings: The findings of the worker in the same dictionary.
    func add(_ keys: inout [Int], to findings: inout NumberedFindings<Found>) {
        known.withLock { known in
            guard known.dictionary === findings.dictionary else { return }
            keys.removeAll { key in
                guard let found = known[key] else { return false }
                findings.note(found, at: key)
                return true
            }
        }
    }

    /// Takes what a worker has found.
    func take(_ keys: [Int], of findings: NumberedFindings<Found>) {
        guard !keys.isEmpty else { return }
        known.withLock { known in
            guard known.dictionary === findings.dictionary else { return }
            for key in keys { if let found = findings[key] { known.note(found, at: key) } }
        }
    }
}

/// Hands the same shared findings to all workers of a replay, who ask for them by the same numbers.
final class FindingsExchange: Sendable {
    private let shared = Lock<[Int: any Sendable]>([:])

    /// The numbers of what is found in every record, whatever the examiner.
    static let (flags, systems) = (-1, -2)

    /// The findings of a field.
    ///
    /// - Parameter field: The field, by its index among those of the examiner; lists of flags and systems have numbers of their own.
    func findings<Found: Finding>(ofField field: Int) -> SharedFindings<Found>? {
        shared.withLock { shared in
            if let known = shared[field] { return known as? SharedFindings<Found> }
            let new = SharedFindings<Found>()
            shared[field] = new
            return new
        }
    }
}

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
