internal import Columns

/// The findings in the values of a dictionary: each value is looked at when a record has it for the first time. Where tests
/// look for a few values alone, these are looked for in the whole dictionary at once.
///
/// They are kept as long as the dictionary is the same, or has the same content.
struct KeyFindings<Found: Finding> {
    private var dictionary: ColumnDictionary?
    // By key, the index of the finding.
    private var indices: [UInt32] = []
    // The distinct findings; the first is nothing.
    private var findings: [Found] = [.nothing]
    private var indicesByFinding: [Found: UInt32] = [:]
    // The keys of the only values in which something can be found, if these are few.
    private var soughtKeys: [Int32]?
    // Of the current records, the indices of their findings.
    private var current: [UInt32] = []

    /// The index for a value that nobody has looked at.
    private static var unknown: UInt32 { .max }
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
        var all = found.mutableSpan
        let rows = keys.span
        if let soughtKeys {
            for key in soughtKeys {
                for row in rows.indices where rows[row] == key {
                    all[row].formUnion(finding(of: key, in: dictionary, examine))
                }
            }
            return
        }
        readIndices(keys)
        for row in rows.indices {
            let index = current[row]
            if index == 0 { continue }
            let isKnown = index != Self.unknown
            all[row].formUnion(isKnown ? findings[Int(index)] : finding(of: rows[row], in: dictionary, examine))
        }
    }

    private mutating func begin(_ dictionary: ColumnDictionary, _ sought: [[UInt8]]?) {
        self.dictionary = dictionary
        (findings, indicesByFinding) = ([.nothing], [.nothing: 0])
        indices.removeAll(keepingCapacity: true)
        indices.append(contentsOf: repeatElement(Self.unknown, count: dictionary.values.count))
        soughtKeys = sought.map { dictionary.keys(ofTexts: $0) }.flatMap { $0.count > Self.fewKeys ? nil : $0 }
    }

    // In a loop that does nothing else, so that waiting for memory overlaps.
    private mutating func readIndices(_ keys: [Int32]) {
        if current.count < keys.count { current = Array(repeating: 0, count: keys.count) }
        let known = indices
        let (keys, indices) = (keys.span, known.span)
        var current = current.mutableSpan
        for row in keys.indices { current[row] = indices[Int(keys[row])] }
    }

    private mutating func finding(
        of key: Int32, in dictionary: ColumnDictionary, _ examine: (Span<UInt8>) -> Found
    ) -> Found {
        let index = indices[Int(key)]
        return index == Self.unknown ? look(at: key, of: dictionary, examine) : findings[Int(index)]
    }

    @inline(never)
    private mutating func look(
        at key: Int32, of dictionary: ColumnDictionary, _ examine: (Span<UInt8>) -> Found
    ) -> Found {
        guard let found = dictionary.withText(ofKey: key, { examine($0.extracting($1)) }) else {
            indices[Int(key)] = 0
            return .nothing
        }
        if found.isLasting { indices[Int(key)] = index(of: found) }
        return found
    }

    private mutating func index(of found: Found) -> UInt32 {
        // Few findings make most values.
        if let known = findings.prefix(Self.nearFindings).firstIndex(of: found) { return UInt32(known) }
        if let known = indicesByFinding[found] { return known }
        findings.append(found)
        indicesByFinding[found] = UInt32(findings.count - 1)
        return UInt32(findings.count - 1)
    }
}
