internal import Documents
internal import Figures
internal import PolicyEngine

/// Comma-separated values as bytes (RFC 4180).
package struct CSVOutput {
    /// The output so far.
    private(set) var bytes: [UInt8] = []

    /// A field of a row.
    package enum Field: ExpressibleByStringLiteral {
        /// Words that a stranger may have chosen.
        case words(String)
        /// A text that no stranger chose, such as a device ID; it is written unchanged.
        case plain(String)

        package init(stringLiteral text: String) { self = .plain(text) }

        /// A value that is no list and no object; empty for null.
        init(_ value: JSONValue) {
            switch value {
            case .string(let text): self = .words(text)
            case .integer(let number): self = .plain("\(number)")
            case .number(let digits): self = .plain(digits)
            case .boolean(let isTrue): self = .truth(isTrue)
            case .null, .array, .sorted, .ordered, .written: self = .plain("")
            }
        }

        /// A count; empty where there is none.
        package static func count(_ count: Int?) -> Field { .plain(count.map(String.init) ?? "") }

        /// `true` or `false`.
        package static func truth(_ isTrue: Bool) -> Field { .plain(isTrue ? "true" : "false") }
    }

    // The last fields of each row.
    private let narrowed: [Field]

    /// - Parameters:
    ///   - columns: The names of the columns, which are the first row.
    ///   - narrowed: What the rows were narrowed to, which a last column says; without that column for `nil`.
    init(columns: [Field], narrowed: NarrowedRecords? = nil) {
        self.narrowed = narrowed.fields
        write(columns + narrowed.columns)
    }

    /// Writes a row.
    mutating func add(_ row: [Field]) { write(row + narrowed) }

    private mutating func write(_ row: [Field]) {
        for (index, field) in row.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            switch field {
            case .words(let text): Escape.append(csv: text, to: &bytes)
            case .plain(let text): bytes += text.utf8
            }
        }
        Escape.append(literal: "\r\n", to: &bytes)
    }
}

extension NarrowedRecords? {
    /// The columns that say what the rows were narrowed to.
    fileprivate var columns: [CSVOutput.Field] { map { _ in ["narrowed-to"] } ?? [] }

    /// The fields of each row in these columns.
    fileprivate var fields: [CSVOutput.Field] { map { [.words($0.words)] } ?? [] }
}
