internal import Columns
internal import Documents
internal import PolicyEngine

/// Finds out, from single columns of an image, which records have a value and which of them filters match; each thing once.
final class ImageColumns: Sendable {
    private let image: CaptureImage
    private let counts: Lock<[ExactText: Int]>
    private let found = Lock<[Filter.Test: RowSet]>([:])

    /// The tests whose records are kept.
    private static let keptTests = 64
    // The keys of a record's own data, whose columns have forms of their own.
    private static let ownKeys = Set(RecordField.names.map { ExactText($0.name) }).subtracting([ExactText("device")])

    /// - Parameters:
    ///   - image: The image.
    ///   - counts: The numbers of records that have values, by key, as far as they are known.
    init(_ image: CaptureImage, counts: [ExactText: Int]) {
        self.image = image
        self.counts = Lock(counts)
    }

    /// The keys of the records; none where they cannot be read.
    var keys: [ExactText] { (try? image.columns())?.keys.map { ExactText($0) } ?? [] }

    /// The numbers of records that have values.
    ///
    /// - Parameter keys: The keys of the values.
    /// - Returns: By key, or `nil` where a column does not say.
    func counts(of keys: [String]) -> [Int]? {
        let known = counts.withLock { $0 }
        let missing = keys.filter { known[ExactText($0)] == nil }
        var found = missing.map { _ in 0 }
        guard !missing.isEmpty else { return keys.compactMap { known[ExactText($0)] } }
        let isRead = read(missing) { key, column, _, _ in
            if let dictionary = column.dictionary {
                let areThere = dictionary.values.map { !$0.isAbsent }
                for value in column.keys where areThere[Int(value)] { found[key] += 1 }
            } else {
                for value in column.values where !value.isAbsent { found[key] += 1 }
            }
            return true
        }
        guard isRead else { return nil }
        return counts.withLock { [found] counts in
            for (key, count) in zip(missing, found) { counts[ExactText(key)] = count }
            return keys.compactMap { counts[ExactText($0)] }
        }
    }

    /// The records that a filter matches.
    ///
    /// - Parameter filter: A filter that looks at an attribute.
    /// - Returns: `nil` where the column does not say, or a search in a value is not done quickly (R7.2).
    func rows(matching filter: Filter) -> RowSet? {
        if let known = found.withLock({ $0[filter.test] }) { return known }
        var account = Account()
        guard let key = filter.attributeKey, (try? account.append(filter)) != nil else { return nil }
        var (filters, matcher) = (AttributeFilters(account), PatternMatcher())
        var rows = RowSet(count: image.records)
        // By key of the dictionary that was examined last.
        var (examined, matches) = (ColumnDictionary?.none, [AttributeMatches]())
        let isRead = read([key]) { _, column, bytes, first in
            guard let dictionary = column.dictionary else {
                for (row, value) in column.values.enumerated() where !value.isAbsent {
                    let match = filters.match(bytes.span.extracting(value.range), at: 0, matcher: matcher)
                    if match.hasLimitHits { return false }
                    if match != .none { rows.insert(first + row) }
                }
                return true
            }
            if examined !== dictionary {
                let bytes = dictionary.bytes
                matches = dictionary.values.map { value in
                    guard !value.isAbsent else { return .none }
                    return filters.match(bytes.span.extracting(value.range), at: 0, matcher: matcher)
                }
                examined = dictionary
            }
            if matches.contains(where: \.hasLimitHits) { return false }
            let isMatch = matches.map { $0 != .none }
            for (row, key) in column.keys.enumerated() where isMatch[Int(key)] { rows.insert(first + row) }
            return true
        }
        guard isRead else { return nil }
        found.withLock { [rows] found in
            if found.count >= Self.keptTests { found.removeAll() }
            found[filter.test] = rows
        }
        return rows
    }

    // Reads columns batch by batch; returns false where one is no column of text, or somebody gave up.
    private func read(
        _ keys: [String], _ body: (_ key: Int, _ column: Column, _ bytes: [UInt8], _ first: Int) -> Bool
    ) -> Bool {
        guard !keys.contains(where: { Self.ownKeys.contains(ExactText($0)) }) else { return false }
        do throws(CaptureFailure) {
            let known = Set(try image.columns().keys.map { ExactText($0) })
            let there = keys.filter { known.contains(ExactText($0)) }
            guard !there.isEmpty else { return true }
            let bytes = try CaptureFile(image).columns
            return try bytes.attempt { () throws(ColumnFailure) in
                let reader = try ColumnReader(bytes) { _ in ColumnChoice(names: Set(there)) }
                let names = reader.schema.fields.map { ExactText($0.name) }
                let columns = keys.enumerated().compactMap { key, name in
                    names.firstIndex(of: ExactText(name)).map { (key, $0) }
                }
                var (batch, column, first) = (ColumnBatch(), Column(), 0)
                while try reader.read(&batch) {
                    for (key, index) in columns {
                        try batch.decode(0..<batch.count, ofColumn: index, into: &column)
                        guard column.content == .text || column.dictionary?.isText == true,
                            body(key, column, column.bytes(in: batch), first)
                        else { return false }
                    }
                    first += batch.count
                }
                return first == image.records
            }
        } catch {
            return false
        }
    }
}
