internal import PolicyEngine

/// Fields whose values mostly come together, such as an app's name, version and signature: they are looked for as one, by
/// the bytes from the first value to the last.
///
/// Between those two, the bytes hold the keys, so they say which fields a record has. A group is only looked at in records
/// that ``RecordWalk`` understood, where its first and its last field are there, and apart for each kind of capture.
struct ValueGroups {
    /// The groups.
    private(set) var all: [Group] = []
    /// Differs where groups do.
    private(set) var revision = 0

    struct Group {
        /// The column of the bytes of all its fields; absent in a row where they are not together.
        let column: Int
        /// The columns of its fields, in the order of the template.
        let columns: [Int]
    }

    /// The maximum number of groups.
    static let limit = 4

    init(_ all: [Group] = [], revision: Int = 0) {
        self.all = all
        self.revision = revision
    }
}

/// Finds out which fields come together, by looking at some records.
struct GroupTrial {
    // By field: the hashes of its values.
    private var hashes: [[UInt64]] = []
    private var count = 0

    /// Records that are looked at.
    private static let length = 4096

    /// True if enough records were seen.
    var isOver: Bool { count >= Self.length }

    /// Looks at records.
    ///
    /// - Parameters:
    ///   - rows: Their values.
    ///   - columns: The fields that may be grouped.
    mutating func look(at rows: borrowing ValueRows, columns: [Int]) {
        if hashes.isEmpty { hashes = columns.map { _ in [] } }
        let end = min(rows.count, Self.length - count)
        for (index, column) in columns.enumerated() {
            for row in 0..<end {
                let value = rows[row, column]
                hashes[index].append(
                    value.isAbsent ? 0 : rows.withBytes(of: value) { ByteHash.process.hash($0, range: $1) })
            }
        }
        count += end
    }

    /// The fields that come together.
    ///
    /// - Parameter runs: Fields that follow one another, by their indices among those that were looked at.
    /// - Returns: Some of these, each time two or more.
    func groups(in runs: [[Int]]) -> [[Int]] {
        var groups: [[Int]] = []
        for run in runs {
            var rest = run[...]
            while let first = rest.popFirst() {
                var (group, combined) = ([first], hashes[first])
                guard isRepeated(combined) else { continue }
                while let next = rest.first {
                    let more = zip(combined, hashes[next]).map { ($0 &* 0x9E37_79B9_7F4A_7C15) ^ $1 }
                    guard isRepeated(more) else { break }
                    (group, combined) = (group + [next], more)
                    rest.removeFirst()
                }
                if group.count > 1 { groups.append(group) }
            }
        }
        return groups
    }

    // True if three quarters or more of the second half were in the first half, too.
    private func isRepeated(_ hashes: [UInt64]) -> Bool {
        let half = hashes.count / 2
        let seen = Set(hashes[..<half])
        return hashes[half...].count { !seen.contains($0) } * 4 <= hashes.count - half
    }
}
