internal import Columns

/// The findings in the values of a dictionary: each value is looked at when a record has it for the first time. Where tests
/// look for a few values alone, these are looked for in the whole dictionary at once.
///
/// They are kept as long as the dictionary is the same, or has the same content.
struct KeyFindings<Found: Finding> {
    private var dictionary: ColumnDictionary?
    // By key, the number of the finding: in a byte, so that those of many values stay near the processor.
    private var numbers: [UInt8] = []
    // By key, the numbers that a byte has no room for; empty while there are none.
    private var farNumbers: [UInt32] = []
    // The distinct findings by number; the first is nothing.
    private var findings: [Found] = [.nothing]
    private var numbersByFinding: [Found: UInt32] = [:]
    // The keys of the only values in which something can be found, if these are few.
    private var soughtKeys: [Int32]?
    // Of the current records, the numbers of their findings.
    private var current: [UInt8] = []

    /// The number for a value that nobody has looked at.
    private static var unknown: UInt8 { .max }
    /// The number for a value whose number is a far one; all above the near ones are larger than those.
    private static var far: UInt8 { .max - 1 }
    private static var nearFindings: Int { 16 }
    /// Keys for each of which it costs less to compare all rows than to look up the findings of the rows.
    private static var fewKeys: Int { 4 }

    /// Adds to each record what is found in its value.
    ///
    /// - Parameters:
    ///   - keys: For each record the key of its value.
    ///   - dictionary: Has the values.
    ///   - found: Takes what is found, besides what is there.
    ///   - sought: The only values in which something can be found; `nil` for all.
    ///   - examine: Looks at a value.
    mutating func add(
        _ keys: [Int32], of dictionary: ColumnDictionary, to found: inout [Found], sought: [[UInt8]]? = nil,
        examine: (Span<UInt8>) -> Found
    ) {
        if self.dictionary != dictionary { begin(dictionary, sought) }
        precondition(keys.count <= found.count, "each record has its result")
        if let soughtKeys {
            for key in soughtKeys where keys.span.contains(key) {
                add(to: &found, at: keys.indices.filter { keys[$0] == key }, keys, dictionary, examine)
            }
            return
        }
        let largest = readNumbers(keys)
        if largest == 0 { return }
        if largest >= Self.far {
            add(to: &found, at: keys.indices.filter { current[$0] >= Self.far }, keys, dictionary, examine)
        }
        var all = found.mutableSpan
        let (numbers, known) = (current.span, findings.span)
        for row in keys.indices { all[row].formUnion(known[Int(numbers[row])]) }
    }

    private mutating func begin(_ dictionary: ColumnDictionary, _ sought: [[UInt8]]?) {
        self.dictionary = dictionary
        (findings, numbersByFinding) = ([.nothing], [.nothing: 0])
        farNumbers = []
        numbers.removeAll(keepingCapacity: true)
        numbers.append(contentsOf: repeatElement(Self.unknown, count: dictionary.values.count))
        soughtKeys = sought.map { dictionary.keys(ofTexts: $0) }.flatMap { $0.count > Self.fewKeys ? nil : $0 }
    }

    // In a loop that does nothing else, so that waiting for memory overlaps. Returns the largest number.
    private mutating func readNumbers(_ keys: [Int32]) -> UInt8 {
        if current.count < keys.count { current = Array(repeating: 0, count: keys.count) }
        let known = numbers
        let (keys, numbers) = (keys.span, known.span)
        var largest: UInt8 = 0
        var current = current.mutableSpan
        for row in keys.indices {
            let number = numbers[Int(keys[row])]
            current[row] = number
            largest = max(largest, number)
        }
        return largest
    }

    // Adds the findings of rows that have no near number, which they get for now: nothing, if what was found is added.
    private mutating func add(
        to found: inout [Found], at rows: [Int], _ keys: [Int32], _ dictionary: ColumnDictionary,
        _ examine: (Span<UInt8>) -> Found
    ) {
        let (bytes, values, isText) = (dictionary.bytes, dictionary.values, dictionary.isText)
        for row in rows {
            let key = Int(keys[row])
            if numbers[key] == Self.unknown {
                let one =
                    isText
                    ? values[key].isAbsent ? .nothing : examine(bytes.span.extracting(values[key].range))
                    : dictionary.withText(ofKey: keys[row]) { examine($0.extracting($1)) } ?? .nothing
                if one.isLasting { note(one, at: key) }
                found[row].formUnion(one)
            } else {
                let isFar = numbers[key] == Self.far
                found[row].formUnion(findings[isFar ? Int(farNumbers[key]) : Int(numbers[key])])
            }
            if soughtKeys == nil { current[row] = 0 }
        }
    }

    private mutating func note(_ found: Found, at key: Int) {
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

extension Span<Int32> {
    // Many are compared at a time, as none ends the loop.
    fileprivate func contains(_ key: Int32) -> Bool {
        var count: Int32 = 0
        for index in indices { count &+= self[index] == key ? 1 : 0 }
        return count > 0
    }
}
