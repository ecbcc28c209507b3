internal import Columns

/// The findings in the values of a dictionary: each value is looked at when a record has it for the first time. Where tests
/// look for a few values alone, these are looked for in the whole dictionary at once.
///
/// They are kept as long as the dictionary is the same, or has the same content.
struct KeyFindings<Found: Finding> {
    private var known = NumberedFindings<Found>()
    // Those that other workers know, too.
    private let shared: SharedFindings<Found>?
    // The keys of the only values in which something can be found, if these are few.
    private var soughtKeys: [Int32]?
    // Of the current records, the numbers of their findings.
    private var current: [UInt8] = []

    private typealias Numbered = NumberedFindings<Found>

    /// Keys for each of which it costs less to compare all rows than to look up the findings of the rows.
    private static var fewKeys: Int { 4 }

    /// - Parameter shared: What other workers have found in the same values.
    init(shared: SharedFindings<Found>? = nil) { self.shared = shared }

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
        if known.dictionary != dictionary { begin(dictionary, sought) }
        precondition(keys.count <= found.count, "each record has its result")
        if let soughtKeys {
            for key in soughtKeys where keys.span.contains(key) {
                add(to: &found, at: keys.indices.filter { keys[$0] == key }, keys, dictionary, examine)
            }
            return
        }
        let largest = readNumbers(keys)
        if largest == 0 { return }
        if largest >= Numbered.far {
            add(to: &found, at: keys.indices.filter { current[$0] >= Numbered.far }, keys, dictionary, examine)
        }
        var all = found.mutableSpan
        let findings = known.findings
        let (numbers, known) = (current.span, findings.span)
        for row in keys.indices { all[row].formUnion(known[Int(numbers[row])]) }
    }

    private mutating func begin(_ dictionary: ColumnDictionary, _ sought: [[UInt8]]?) {
        known.begin(dictionary)
        shared?.begin(dictionary)
        soughtKeys = sought.map { dictionary.keys(ofTexts: $0) }.flatMap { $0.count > Self.fewKeys ? nil : $0 }
    }

    // In a loop that does nothing else, so that waiting for memory overlaps. Returns the largest number.
    private mutating func readNumbers(_ keys: [Int32]) -> UInt8 {
        if current.count < keys.count { current = Array(repeating: 0, count: keys.count) }
        let known = known.numbers
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
        var unknown: [Int] = []
        if let shared {
            unknown = rows.lazy.map { Int(keys[$0]) }.filter { known.numbers[$0] == Numbered.unknown }
            shared.add(&unknown, to: &known)
        }
        let (bytes, values, isText) = (dictionary.bytes, dictionary.values, dictionary.isText)
        for row in rows {
            let key = Int(keys[row])
            if let one = known[key] {
                found[row].formUnion(one)
            } else {
                let one =
                    isText
                    ? values[key].isAbsent ? .nothing : examine(bytes.span.extracting(values[key].range))
                    : dictionary.withText(ofKey: keys[row]) { examine($0.extracting($1)) } ?? .nothing
                if one.isLasting { known.note(one, at: key) }
                found[row].formUnion(one)
            }
            if soughtKeys == nil { current[row] = 0 }
        }
        shared?.take(unknown, of: known)
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
