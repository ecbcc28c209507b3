internal import Documents

/// The entries of a TOML file, written in one form: texts in double quotes, and an entry a line.
enum TOMLText {
    /// A file that has these entries.
    static func text(of entries: [TOMLEntry]) -> String {
        var (lines, table) = ([String](), "")
        for entry in entries {
            if entry.table != table {
                table = entry.table
                lines.append("[\(table)]")
            }
            lines.append("\(entry.key) = \(text(of: entry.value))")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func text(of value: TOMLValue) -> String {
        switch value {
        case .string(let text): quoted(text)
        case .strings(let texts): "[\(texts.map(quoted).joined(separator: ", "))]"
        case .integer(let number): "\(number)"
        case .decimal(let text): text
        case .boolean(let isTrue): "\(isTrue)"
        }
    }

    private static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            guard scalar == "\"" || scalar == "\\" || scalar.properties.generalCategory == .control else {
                return String(scalar)
            }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"\(scalars.joined())\""
    }
}
