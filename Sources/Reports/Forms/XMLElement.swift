/// An element of an XML document; text is escaped here and nowhere else writes markup.
struct XMLElement {
    let name: String
    var attributes: [(name: String, value: String)] = []
    var children: [XMLElement] = []
    var text = ""

    /// The document with this element as its root.
    var document: String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + lines(indent: "").joined(separator: "\n") + "\n"
    }

    private func lines(indent: String) -> [String] {
        let start = indent + "<" + name + attributes.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined()
        guard !children.isEmpty || !text.isEmpty else { return [start + "/>"] }
        guard !children.isEmpty else { return [start + ">" + Self.escaped(text) + "</\(name)>"] }
        return [start + ">"] + children.flatMap { $0.lines(indent: indent + "  ") } + [indent + "</\(name)>"]
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            case "\t": result += "&#9;"
            default: result.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
        return result
    }

    // The characters that XML 1.0 has; others cannot be written, not even escaped.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
