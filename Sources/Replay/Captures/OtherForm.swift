internal import PolicyEngine

/// A form of records that is no capture, and that a command turns into one.
package enum OtherForm: Hashable, Sendable {
    /// One JSON array of all records.
    case array
    /// A line of names, and lines of values, such as CSV.
    case table
    /// A file of Parquet.
    case parquet
    /// Text of which each character has two bytes.
    case utf16

    /// Recognises a form by the start of a file that is no capture; `nil` for any other.
    ///
    /// A table has a comma, a semicolon or a tab in its first line, and at least as many of these in its second.
    init?(_ start: Span<UInt8>) {
        if start.begins(with: "PAR1") {
            self = .parquet
        } else if start.isUTF16 {
            self = .utf16
        } else if start.firstVisible == UInt8(ascii: "[") {
            self = .array
        } else if start.isTable(with: ",") || start.isTable(with: ";") || start.isTable(with: "\t") {
            self = .table
        } else {
            return nil
        }
    }

    /// The form, and the form that a capture has instead.
    var message: String {
        switch self {
        case .array: "a JSON array; a capture has each object on a line of its own"
        case .table: "a table, such as CSV; a capture has a JSON object on each line"
        case .parquet: "a file of Parquet; a capture in columns has the form of Arrow"
        case .utf16: "text in UTF-16; a capture is in UTF-8"
        }
    }

    /// The command that writes the records as lines.
    var hint: String {
        switch self {
        case .array: "`jq -c '.[]' FILE` writes such lines, and `-` reads them from a pipe"
        case .table:
            "`python3 -c 'import csv, json, sys; [print(json.dumps(r)) for r in csv.DictReader(sys.stdin)]' < FILE` "
                + "writes such lines; names of columns are keys of records"
        case .parquet:
            "`python3 -c 'import polars, sys; polars.read_parquet(sys.argv[1]).write_ipc(sys.argv[2])' FILE day.arrow` "
                + "writes one"
        case .utf16: "`iconv -f UTF-16 -t UTF-8 FILE` writes such text, and `-` reads it from a pipe"
        }
    }
}

extension Span<UInt8> {
    // A mark of the byte order, or a first character of ASCII and its zero.
    fileprivate var isUTF16: Bool {
        guard count >= 2 else { return false }
        let pair = (self[0], self[1])
        return pair == (0xFF, 0xFE) || pair == (0xFE, 0xFF) || (pair.0 == 0) != (pair.1 == 0)
    }

    // The first byte that is no white space.
    fileprivate var firstVisible: UInt8? {
        for offset in indices where !" \t\r\n".utf8.contains(self[offset]) { return self[offset] }
        return nil
    }

    // True if the first line has a divider, and the second at least as many, of which some may be in values.
    fileprivate func isTable(with divider: Unicode.Scalar) -> Bool {
        var (counts, line) = ([0, 0], 0)
        for offset in indices {
            if self[offset] == UInt8(ascii: divider) { counts[line] += 1 }
            guard self[offset] == UInt8(ascii: "\n") else { continue }
            line += 1
            if line == counts.count { break }
        }
        return counts[0] > 0 && counts[0] <= counts[1]
    }
}
