internal import Columns

/// The findings in the values of a dictionary: each value is looked at when a record has it for the first time.
///
/// They are kept as long as the dictionary is the same, or has the same content.
struct KeyFindings<Found: Finding> {
    private var dictionary: ColumnDictionary?
    // By key, the index of the finding.
    private var indices: [UInt32] = []
    // The distinct findings; the first is nothing.
    private var findings: [Found] = [.nothing]
    private var indicesByFinding: [Found: UInt32] = [:]

    /// The index for a value that nobody has looked at.
    private static var unknown: UInt32 { .max }
    private static var nearFindings: Int { 16 }

    /// Adds to each record what is found in its value.
    ///
    /// - Parameters:
    ///   - keys: For each record the key of its value.
    ///   - dictionary: Has the values.
    ///   - found: Takes what is found, besides what is there.
    ///   - examine: Looks at a value.
    mutating func add(
        _ keys: [Int32], of dictionary: ColumnDictionary, to found: inout [Found], examine: (Span<UInt8>) -> Found
    ) {
        begin(dictionary)
        precondition(keys.count <= found.count, "each record has its result")
        var all = found.mutableSpan
        let keys = keys.span
        for row in keys.indices {
            let key = Int(keys[row])
            var index = indices[key]
            if index == Self.unknown {
                let bytes = dictionary.bytes
                let new = examine(bytes.span.extracting(dictionary.values[key].range))
                guard new.isLasting else {
                    all[row].formUnion(new)
                    continue
                }
                index = self.index(of: new)
                indices[key] = index
            }
            if index > 0 { all[row].formUnion(findings[Int(index)]) }
        }
    }

    private mutating func begin(_ dictionary: ColumnDictionary) {
        guard self.dictionary != dictionary else { return }
        self.dictionary = dictionary
        indices.removeAll(keepingCapacity: true)
        for value in dictionary.values { indices.append(value.isAbsent ? 0 : Self.unknown) }
        (findings, indicesByFinding) = ([.nothing], [.nothing: 0])
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
