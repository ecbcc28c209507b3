internal import Columns
internal import Documents
internal import Figures
internal import PolicyEngine

/// Finds out, from single columns of an image, which records have a value that some filter matches; each thing once.
final class ImageColumns: Sendable {
    // The numbers of records that have values, by key.
    private let counts: Lock<[ExactText: Int]>
    private let found = Lock<[Filter.Test: RowSet]>([:])

    /// The tests whose records are kept.
    private static let keptTests = 64
    // The keys of a record's own data, whose columns have forms of their own.
    private static let ownKeys = Set(RecordField.names.map { ExactText($0.name) }).subtracting([ExactText("device")])

    /// - Parameter counts: The numbers of records that have values, by key, as far as they are known.
    init(counts: [ExactText: Int]) { self.counts = Lock(counts) }

    /// The keys of the records; none where they cannot be read.
    static func keys(of image: CaptureImage) -> [ExactText] {
        (try? image.columns())?.keys.map { ExactText($0) } ?? []
    }

    /// The numbers of records that have attributes.
    ///
    /// - Returns: `nil` where a column does not say.
    func presences(of names: [String], in image: CaptureImage) -> [ComparisonFigures.Presence]? {
        var presences: [ComparisonFigures.Presence] = []
        for name in names {
            let known = counts.withLock { $0[ExactText(name)] }
            guard let count = known ?? rows(of: name, in: image, where: { _ in true })?.count else { return nil }
            counts.withLock { $0[ExactText(name)] = count }
            presences.append(.init { ($0.attribute, $0.records) = (name, count) })
        }
        return presences
    }

    /// The records that a filter matches.
    ///
    /// - Parameter filter: A filter that looks at an attribute.
    /// - Returns: `nil` where the column does not say, or a search in a value is given up (R7.2).
    func rows(matching filter: Filter, in image: CaptureImage) -> RowSet? {
        if let known = found.withLock({ $0[filter.test] }) { return known }
        var account = Account()
        guard let key = filter.key, (try? account.append(filter)) != nil else { return nil }
        var (filters, matcher) = (AttributeFilters(account), PatternMatcher())
        let rows = rows(of: key, in: image) { value in
            let match = filters.match(value, at: 0, matcher: matcher)
            return match.hasLimitHits ? nil : match != .none
        }
        guard let rows else { return nil }
        found.withLock { found in
            if found.count >= Self.keptTests { found.removeAll() }
            found[filter.test] = rows
        }
        return rows
    }

    // The records with a value that passes a test; `nil` where one of a dictionary or a column of text has no answer, or the
    // column is none of text. A value of a dictionary is tested once.
    private func rows(of key: String, in image: CaptureImage, where test: (Span<UInt8>) -> Bool?) -> RowSet? {
        guard !Self.ownKeys.contains(ExactText(key)) else { return nil }
        do throws(CaptureFailure) {
            guard try image.columns().keys.contains(where: { ExactText($0) == ExactText(key) }) else {
                return RowSet(count: image.records)
            }
            let bytes = try CaptureFile(image).columns
            return try bytes.attempt { () throws(ColumnFailure) in
                let reader = try ColumnReader(bytes) { _ in ColumnChoice(names: [key]) }
                guard let index = reader.schema.fields.firstIndex(where: { ExactText($0.name) == ExactText(key) })
                else {
                    return nil
                }
                var (batch, column, search) = (ColumnBatch(), Column(), RowSearch(image.records))
                while try reader.read(&batch) {
                    try batch.decode(0..<batch.count, ofColumn: index, into: &column)
                    guard search.examine(column, of: batch, where: test) else { return nil }
                }
                return search.count == image.records ? search.rows : nil
            }
        } catch {
            return nil
        }
    }
}

/// A search through one column, batch by batch.
private struct RowSearch {
    /// The records that were found.
    private(set) var rows: RowSet
    /// The number of records that were searched.
    private(set) var count = 0
    // The answers by key of the dictionary that was examined last.
    private var examined: ColumnDictionary?
    private var answers: [Bool] = []

    init(_ records: Int) { rows = RowSet(count: records) }

    // Returns false where that is no column of text, or a test has no answer.
    mutating func examine(
        _ column: borrowing Column, of batch: borrowing ColumnBatch, where test: (Span<UInt8>) -> Bool?
    ) -> Bool {
        guard column.content == .text || column.dictionary?.isText == true else { return false }
        defer { count += batch.count }
        guard let dictionary = column.dictionary else {
            guard let answers = Self.answers(column.values, column.bytes(in: batch), test) else { return false }
            for (row, isFound) in answers.enumerated() where isFound { rows.insert(count + row) }
            return true
        }
        if examined !== dictionary {
            guard let answers = Self.answers(dictionary.values, dictionary.bytes, test) else { return false }
            (examined, self.answers) = (dictionary, answers)
        }
        for (row, key) in column.keys.enumerated() where answers[Int(key)] { rows.insert(count + row) }
        return true
    }

    private static func answers(
        _ values: [ColumnValue], _ bytes: [UInt8], _ test: (Span<UInt8>) -> Bool?
    ) -> [Bool]? {
        var answers: [Bool] = []
        for value in values {
            guard let answer = value.isAbsent ? false : test(bytes.span.extracting(value.range)) else { return nil }
            answers.append(answer)
        }
        return answers
    }
}

/// A set of records by their numbers among all: a bit for each.
struct RowSet: Sendable {
    private var words: [UInt64]
    /// The number of records in the set.
    private(set) var count = 0

    /// - Parameter count: The number of all records.
    init(count: Int) { words = Array(repeating: 0, count: (count + 63) >> 6) }

    /// Adds a record that is not in the set.
    mutating func insert(_ row: Int) {
        words[row >> 6] |= 1 << UInt64(row & 63)
        count += 1
    }

    /// True if a record is in the set.
    @inline(__always)
    func contains(_ row: Int) -> Bool { words[row >> 6] & 1 << UInt64(row & 63) != 0 }
}
