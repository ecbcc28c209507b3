internal import Documents
internal import PolicyEngine

/// A line of a file of labels: its fields by their names.
struct LabelLine {
    /// From 1.
    let line: Int
    private(set) var fields: [Field] = []

    struct Field {
        let name: String
        let text: String
        /// From 1, in Unicode scalars.
        let column: Int
    }

    /// The field of a name; `nil` where it is missing or empty.
    subscript(name: String) -> Field? { fields.first { $0.name == name && !$0.text.isEmpty } }

    fileprivate init(line: Int) { self.line = line }

    fileprivate mutating func add(_ field: Field) { fields.append(field) }
}

/// Takes a file of labels apart: CSV with a line of names (RFC 4180), or JSON Lines.
struct LabelText {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    private(set) var lines: [LabelLine] = []
    /// The names of the columns; none of JSON Lines.
    private(set) var names: [LabelLine.Field]?
    /// The mistakes, by their positions.
    private(set) var mistakes: [(position: SourcePosition, message: String)] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        let first = bytes.first { !Self.isSpace($0) }
        if first == UInt8(ascii: "{") { readObjects() } else { readTable() }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private var position: SourcePosition {
        let column = bytes[lineStart..<min(offset, bytes.count)].count { $0 & 0xC0 != 0x80 }
        return SourcePosition(line: line, column: column + 1)
    }

    private mutating func note(_ message: String, at position: SourcePosition) { mistakes.append((position, message)) }
}

// MARK: CSV

extension LabelText {
    private mutating func readTable() {
        while offset < bytes.count {
            let start = line
            guard let cells = readRow() else { continue }
            guard let names else {
                self.names = cells
                continue
            }
            guard cells.count <= names.count else {
                note("there are more fields than columns", at: SourcePosition(line: start, column: 1))
                continue
            }
            var row = LabelLine(line: start)
            for (name, cell) in zip(names, cells) {
                row.add(.init(name: name.text, text: cell.text, column: cell.column))
            }
            lines.append(row)
        }
    }

    // The fields of a row; `nil` for a blank line.
    private mutating func readRow() -> [LabelLine.Field]? {
        var cells: [LabelLine.Field] = []
        while true {
            let start = position
            cells.append(.init(name: "", text: readCell(), column: start.column))
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: ",") else { break }
            offset += 1
        }
        skipLineEnd()
        return cells.count == 1 && cells[0].text.isEmpty ? nil : cells
    }

    private mutating func readCell() -> String {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { return readPlainCell() }
        let start = position
        var text: [UInt8] = []
        offset += 1
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\"") {
                guard offset < bytes.count, bytes[offset] == byte else {
                    if !isAtCellEnd {
                        note("there is text behind a closing quote", at: position)
                        _ = readPlainCell()
                    }
                    return String(decoding: text, as: UTF8.self)
                }
                offset += 1
            }
            text.append(byte)
            if byte == 0x0A { (line, lineStart) = (line + 1, offset) }
        }
        note("a double quote is not closed", at: start)
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func readPlainCell() -> String {
        let start = offset
        while !isAtCellEnd { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private var isAtCellEnd: Bool {
        offset >= bytes.count || bytes[offset] == UInt8(ascii: ",") || isAtLineEnd
    }

    private var isAtLineEnd: Bool {
        guard offset < bytes.count else { return true }
        return bytes[offset] == 0x0A
            || bytes[offset] == 0x0D && (offset + 1 >= bytes.count || bytes[offset + 1] == 0x0A)
    }

    private mutating func skipLineEnd() {
        guard offset < bytes.count else { return }
        if bytes[offset] == 0x0D { offset += 1 }
        if offset < bytes.count { offset += 1 }
        (line, lineStart) = (line + 1, offset)
    }
}

// MARK: JSON Lines

extension LabelText {
    private mutating func readObjects() {
        while offset < bytes.count {
            let end = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
            let part = Array(bytes[offset..<end])
            if part.contains(where: { !Self.isSpace($0) }) { readObject(part) }
            offset = end + 1
            (line, lineStart) = (line + 1, offset)
        }
    }

    private mutating func readObject(_ part: [UInt8]) {
        do throws(JSONFailure) {
            guard case .object(let members) = try JSONParser.parse(part) else {
                return note("a label is an object", at: position)
            }
            var row = LabelLine(line: line)
            for member in members where member.value != .null {
                guard let text = member.value.text else {
                    note("\(member.name.text.quoted) is not text", at: position)
                    continue
                }
                row.add(.init(name: member.name.text, text: text, column: 1))
            }
            lines.append(row)
        } catch {
            offset += error.offset
            note(error.message, at: position)
            offset -= error.offset
        }
    }
}
