internal import CValueLookup
internal import Columns

/// The values of some records as they are in memory: a row for each record, a column for each field.
///
/// They are stored row by row, or those of a capture that has columns column by column.
package struct ValueRows: Sendable {
    /// The number of columns.
    let width: Int
    /// The number of rows that are kept; one more is being filled in.
    private(set) var count = 0
    /// The memory that most values are in.
    var bytes: [UInt8] = []
    /// The values that are not in that memory as they are.
    var copied: [UInt8] = []
    // Row by row; unused if there are columns.
    private var ranges: [ValueRange]
    /// The columns, if the values are stored so; else none.
    private(set) var columns: [ValueColumn] = []
    // By row: true if its values are in the block in the order of the capture's template.
    private var isUsual: [Bool] = []

    /// - Parameter width: The number of columns.
    init(width: Int) {
        self.width = width
        ranges = Array(repeating: .absent, count: width)
    }

    /// Takes values by column.
    ///
    /// - Parameters:
    ///   - count: The number of rows.
    ///   - fill: Fills the columns, which are those of the rows before.
    mutating func setColumns(_ count: Int, _ fill: (inout [ValueColumn]) -> Void) {
        if columns.isEmpty { columns = Array(repeating: ValueColumn(), count: width) }
        fill(&columns)
        self.count = count
    }

    /// Forgets all rows, and keeps the memory.
    mutating func clear() {
        count = 0
        isUsual.removeAll(keepingCapacity: true)
    }

    /// Starts the row behind those that are kept.
    mutating func beginRow() {
        let (start, end) = (count * width, (count + 1) * width)
        if end > ranges.count { ranges.append(contentsOf: repeatElement(.absent, count: ranges.count)) }
        var row = ranges.mutableSpan
        for index in start..<end { row[index] = .absent }
    }

    /// Keeps the row that was filled in.
    ///
    /// - Parameter isUsual: True if its values are in the block in the order of the capture's template.
    mutating func keepRow(isUsual: Bool) {
        count += 1
        self.isUsual.append(isUsual)
    }

    /// Makes the values of some columns one value, in the rows where they are together.
    ///
    /// - Parameters:
    ///   - columns: The columns in the order of the template.
    ///   - joined: The column that takes the bytes from the first value to the last, with the keys between them.
    mutating func join(_ columns: [Int], into joined: Int) {
        guard let first = columns.first, let last = columns.last else { return }
        let (width, isUsual) = (width, isUsual)
        var all = ranges.mutableSpan
        for row in isUsual.indices where isUsual[row] {
            let start = row &* width
            let (left, right) = (all[start &+ first], all[start &+ last])
            if !left.isAbsent, !right.isAbsent { all[start &+ joined] = left.extended(to: right) }
        }
    }

    /// A value of the row that is being filled in.
    subscript(column: Int) -> ValueRange {
        get { ranges[count * width + column] }
        set { ranges[count * width + column] = newValue }
    }

    /// A value of a row; not in a dictionary.
    @inline(__always)
    subscript(row: Int, column: Int) -> ValueRange {
        columns.isEmpty ? ranges[row &* width &+ column] : columns[column][row]
    }

    /// Lets somebody fill in the row behind those that are kept.
    ///
    /// - Parameter fill: Gets the values of the row by column, all absent.
    mutating func fillRow<Result>(_ fill: (inout MutableSpan<ValueRange>) -> Result) -> Result {
        beginRow()
        let (start, end) = (count * width, (count + 1) * width)
        var all = ranges.mutableSpan
        var row = all._mutatingExtracting(start..<end)
        return fill(&row)
    }

    /// Hands over the memory of a value, wherever it is, and the range of the value in it.
    ///
    /// - Returns: `nil` if the row has no value in the column.
    func withValue<Result>(_ row: Int, _ column: Int, _ body: (Span<UInt8>, Range<Int>) -> Result) -> Result? {
        if !columns.isEmpty, let dictionary = columns[column].dictionary {
            return dictionary.withText(ofKey: columns[column].keys[row], body)
        }
        let value = self[row, column]
        return value.isAbsent ? nil : withBytes(of: value, body)
    }

    /// A value of a row as text; `nil` if there is none.
    func text(_ row: Int, _ column: Int) -> String? { withValue(row, column) { $0.text($1) } }

    /// Hands over the memory of a value, and the range of the value in it.
    @inline(__always)
    func withBytes<Result>(of value: ValueRange, _ body: (Span<UInt8>, Range<Int>) -> Result) -> Result {
        value.form == .plain ? body(bytes.span, value.range) : body(copied.span, value.range)
    }

    /// Hands over the values of a column as C knows them, from a row on.
    ///
    /// - Parameter body: Takes the value in the row and the number of values from one row to the next.
    @unsafe
    @inline(__always)
    func withRanges<Result>(
        ofColumn column: Int, from row: Int, _ body: (UnsafePointer<value_range>?, _ stride: Int) -> Result
    ) -> Result {
        let (all, stride, start) =
            columns.isEmpty ? (ranges, width, row * width + column) : (columns[column].ranges, 1, row)
        return unsafe all.withUnsafeBufferPointer { ranges in
            // SAFETY: both are two `UInt32`, the start and the end, with the same marks.
            unsafe ranges.withMemoryRebound(to: value_range.self) { ranges in
                // SAFETY: the caller knows that the column has the row.
                unsafe body(ranges.baseAddress.map { unsafe $0 + start }, stride)
            }
        }
    }
}

/// The range of a value in memory, in eight bytes.
struct ValueRange: Sendable {
    // Memory that is looked at at a time is much shorter than 2 GiB: the highest bit of `start` says that the value was
    // copied, that of `end` that it spans several lines.
    private let start: UInt32
    private let end: UInt32

    private static var mark: UInt32 { 0x8000_0000 }

    /// The memory that a value is in.
    enum Form {
        /// As it is in ``ValueRows/bytes``.
        case plain
        /// In ``ValueRows/copied``, since it has escapes.
        case unescaped
        /// In ``ValueRows/copied``, since it spans several lines (`probe-result` in the manual).
        case joined
    }

    /// The value is not there.
    static var absent: ValueRange { ValueRange(start: .max, end: .max) }

    init(_ range: Range<Int>, form: Form) {
        let (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound))
        switch form {
        case .plain: self.init(start: start, end: end)
        case .unescaped: self.init(start: start | Self.mark, end: end)
        case .joined: self.init(start: start | Self.mark, end: end | Self.mark)
        }
    }

    /// A value that is in the block as it is.
    @inline(__always)
    init(_ range: Range<Int>) {
        self.init(
            start: UInt32(truncatingIfNeeded: range.lowerBound), end: UInt32(truncatingIfNeeded: range.upperBound))
    }

    /// A value that is in the memory as it is, or is absent.
    @inline(__always)
    init(start: UInt32, end: UInt32) {
        (self.start, self.end) = (start, end)
    }

    /// The bytes from this value to the end of another one; neither was copied.
    @inline(__always)
    func extended(to last: ValueRange) -> ValueRange { ValueRange(start: start, end: last.end) }

    /// True if there is no value.
    @inline(__always) var isAbsent: Bool { start == .max }

    /// The bytes of the value, where there is one.
    @inline(__always) var range: Range<Int> { Int(start & ~Self.mark)..<Int(end & ~Self.mark) }

    /// The memory that the value is in.
    var form: Form { start & Self.mark == 0 ? .plain : end & Self.mark == 0 ? .unescaped : .joined }

    /// True if the value is in the block as it is.
    @inline(__always) var isPlain: Bool { start & Self.mark == 0 }

    /// True if the value spans several lines.
    var isJoined: Bool { !isAbsent && end & Self.mark != 0 }
}

extension ValueRows {
    /// Hands over the values of a column to what looks at many at once.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - besides: A column; rows that have a value there are left out.
    ///   - range: Which rows, no more than ``ValueSlots/rowsAtOnce``.
    @unsafe
    @inline(__always)
    func withColumn<Result>(
        _ column: Int, besides: Int?, of range: Range<Int>, _ body: (value_column) -> Result
    ) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count && range.count <= ValueSlots.rowsAtOnce)
        precondition(column < width && besides ?? 0 < width, "the columns are there")
        precondition(columns.isEmpty || besides == nil && columns[column].ranges.count == count, "a range for each row")
        return unsafe bytes.withUnsafeBufferPointer { plain in
            unsafe copied.withUnsafeBufferPointer { copied in
                unsafe withRanges(ofColumn: column, from: range.lowerBound) { first, stride in
                    // SAFETY: all rows that are kept have values of all columns, and another column is as far away as its
                    // number says. Nothing is read behind the memory.
                    unsafe body(
                        value_column(
                            plain: plain.baseAddress, plain_count: plain.count, copied: copied.baseAddress,
                            copied_count: copied.count, values: first,
                            besides: besides.flatMap { besides in unsafe first.map { unsafe $0 + besides - column } },
                            stride: stride, count: range.count))
                }
            }
        }
    }
}

/// The values of some records in one column of a capture that has columns.
struct ValueColumn: Sendable {
    /// For each record its value, in the memory of the rows (``ValueRows``); empty if the values are in a dictionary.
    var ranges: [ValueRange] = []
    /// For each record the key of its value in the dictionary.
    var keys: [Int32] = []
    /// The dictionary; `nil` if there is none.
    var dictionary: ColumnDictionary?

    /// Forgets the values, and keeps the memory.
    mutating func clear() {
        ranges.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        dictionary = nil
    }

    /// Keeps some of the records.
    mutating func keep(_ rows: [Int]) {
        if dictionary != nil {
            keys = rows.map { keys[$0] }
        } else if !ranges.isEmpty {
            ranges = rows.map { ranges[$0] }
        }
    }

    /// Takes values of a batch, in whose memory they are, in place of those that it has.
    mutating func take(_ values: [ColumnValue]) {
        ranges.removeAll(keepingCapacity: true)
        ranges.append(contentsOf: repeatElement(.absent, count: values.count))
        var all = ranges.mutableSpan
        let values = values.span
        for row in values.indices { all[row] = ValueRange(values[row]) }
    }

    /// The value of a record; there is no dictionary.
    subscript(row: Int) -> ValueRange { row < ranges.count ? ranges[row] : .absent }
}

extension ValueRange {
    /// A value of a batch, in whose memory it is.
    @inline(__always)
    init(_ value: ColumnValue) { self.init(start: value.start, end: value.end) }
}
