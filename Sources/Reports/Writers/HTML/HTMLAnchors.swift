/// Names for the parts of a page that can be linked to: each once, of letters, digits and hyphens.
struct HTMLAnchors {
    private var taken: Set<String> = []
    // The highest number that was given behind a name.
    private var numbers: [String: Int] = [:]

    /// The number of characters after which a name is cut; the number of a repeated one comes behind that.
    static let limit = 80

    /// The name for what a text says; a second one of the same text gets a number.
    ///
    /// - Complexity: O(1) on average, however many names are equal.
    mutating func name(for text: String) -> String {
        let plain = Self.plain(text)
        var number = (numbers[plain] ?? 0) + 1
        var name = number == 1 ? plain : "\(plain)-\(number)"
        // Another text may say the same with its number.
        while !taken.insert(name).inserted {
            number += 1
            name = "\(plain)-\(number)"
        }
        numbers[plain] = number
        return name
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
