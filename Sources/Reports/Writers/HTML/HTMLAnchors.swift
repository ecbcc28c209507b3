/// Names for the parts of a page that can be linked to: each once, of letters, digits and hyphens.
struct HTMLAnchors {
    private var used: [String: Int] = [:]

    /// After how many characters a name is cut.
    private static let limit = 80

    /// The name for what a text says; a second one of the same text gets a number.
    mutating func name(for text: String) -> String {
        let name = Self.plain(text)
        let count = used[name, default: 0] + 1
        used[name] = count
        guard count > 1 else { return name }
        return self.name(for: "\(name)-\(count)")
    }

    private static func plain(_ text: String) -> String {
        var name = ""
        for byte in text.utf8.prefix(limit) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): name.unicodeScalars.append(Unicode.Scalar(byte | 0x20))
            default: if !name.hasSuffix("-") { name += "-" }
            }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return name.isEmpty ? "part" : name
    }
}
