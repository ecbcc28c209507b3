internal import Columns
internal import Documents

/// The findings in the values of a dictionary, each of which was looked at once, for all who read its batches.
struct DictionaryFindings<Found: Finding>: Sendable {
    private(set) var dictionary: ColumnDictionary
    private var known: NumberedFindings<Found>
    // The keys of the only values in which something is found, if these are few.
    private var fewKeys: [Int32]?
    private let sought: [[UInt8]]?

    /// Looks at a value.
    typealias Examine = (Span<UInt8>) -> Found

    /// Keys for each of which it costs less to compare all rows than to look up the findings of the rows.
    private static var fewKeys: Int { 4 }
    /// Values that a worker examines before it takes others.
    private static var piece: Int { 16_384 }

    /// Examines a dictionary.
    ///
    /// - Parameters:
    ///   - dictionary: The dictionary.
    ///   - sought: The only values in which something can be found; `nil` for all.
    ///   - jobs: The number of workers.
    ///   - makeExaminer: Makes for a worker what looks at a value.
    /// - Complexity: O(values), of which only those that are sought are looked at.
    init(
        _ dictionary: ColumnDictionary, sought: [[UInt8]]?, jobs: Int,
        by makeExaminer: @escaping @Sendable () -> Examine
    ) {
        (self.dictionary, self.sought) = (dictionary, sought)
        known = NumberedFindings(count: dictionary.values.count)
        examine(from: 0, jobs: jobs, by: makeExaminer)
    }

    /// Takes another dictionary in place of its own. Of one that begins with the same values, only the others are examined.
    mutating func take(_ other: ColumnDictionary, jobs: Int, by makeExaminer: @escaping @Sendable () -> Examine) {
        guard dictionary !== other else { return }
        let start = other.begins(with: dictionary) ? dictionary.count : 0
        dictionary = other
        if start == 0 { known = NumberedFindings(count: 0) }
        known.extend(to: other.values.count)
        examine(from: start, jobs: jobs, by: makeExaminer)
    }

    private mutating func examine(
        from start: Int, jobs: Int, by makeExaminer: @escaping @Sendable () -> Examine
    ) {
        fewKeys = nil
        if let sought {
            let (keys, examine) = (dictionary.keys(ofTexts: sought), makeExaminer())
            for key in keys { known.note(found(Int(key), examine), at: Int(key)) }
            if keys.count <= Self.fewKeys {
                fewKeys = keys
            } else {
                for key in dictionary.values.indices where known[key] == nil { known.note(.nothing, at: key) }
            }
            return
        }
        let end = dictionary.values.count
        let pieces = stride(from: start, to: end, by: Self.piece).map { $0..<min($0 + Self.piece, end) }
        let found = Workers.map(pieces, jobs: jobs) { [self] keys, _ in
            var found = NumberedFindings<Found>(count: keys.count)
            let examine = makeExaminer()
            for key in keys { found.note(self.found(key, examine), at: key - keys.lowerBound) }
            return found
        }
        for (keys, found) in zip(pieces, found) { known.note(found, at: keys.lowerBound) }
    }

    private func found(_ key: Int, _ examine: Examine) -> Found {
        guard dictionary.isText else {
            return dictionary.withText(ofKey: Int32(key)) { examine($0.extracting($1)) } ?? .nothing
        }
        let (value, bytes) = (dictionary.values[key], dictionary.bytes)
        return value.isAbsent ? .nothing : examine(bytes.span.extracting(value.range))
    }

    /// Adds to each record what is found in its value.
    ///
    /// - Parameters:
    ///   - keys: For each record the key of its value.
    ///   - found: Takes what is found, besides what is there.
    ///   - memory: Memory that is used again.
    func add(_ keys: [Int32], to found: inout [Found], using memory: inout [UInt8]) {
        precondition(keys.count <= found.count, "each record has its result")
        if let fewKeys {
            for key in fewKeys where keys.span.contains(key) {
                guard let one = known[Int(key)] else { continue }
                for row in keys.indices where keys[row] == key { found[row].formUnion(one) }
            }
            return
        }
        let largest = readNumbers(keys, into: &memory)
        if largest == 0 { return }
        var all = found.mutableSpan
        if largest >= NumberedFindings<Found>.far {
            for row in keys.indices { if let one = known[Int(keys[row])] { all[row].formUnion(one) } }
            return
        }
        let findings = known.findings
        let (numbers, known) = (memory.span, findings.span)
        for row in keys.indices { all[row].formUnion(known[Int(numbers[row])]) }
    }

    // In a loop that does nothing else, so that waiting for memory overlaps. Returns the largest number.
    private func readNumbers(_ keys: [Int32], into memory: inout [UInt8]) -> UInt8 {
        if memory.count < keys.count { memory = Array(repeating: 0, count: keys.count) }
        let known = known.numbers
        let (keys, numbers) = (keys.span, known.span)
        var largest: UInt8 = 0
        var current = memory.mutableSpan
        for row in keys.indices {
            let number = numbers[Int(keys[row])]
            current[row] = number
            largest = max(largest, number)
        }
        return largest
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
