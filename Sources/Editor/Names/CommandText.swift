internal import Accounts

/// The words of a management command, and where they are in its text.
struct CommandText {
    /// A word as it is read.
    struct Word {
        let text: String
        /// The Unicode scalars before it; `nil` where it is written otherwise than it is read.
        let offset: Int?
    }

    let all: [Word]

    /// - Returns: `nil` for a text that cannot be split.
    init?(_ text: String) {
        guard let words = try? CommandWords.split(text) else { return nil }
        let raw = Self.parts(of: text)
        // A leading `$ approov` is left out. With a space in quotes the two do not match.
        let extra = raw.count - words.count
        let matches = 0...2 ~= extra
        all = words.enumerated().map { index, word in
            guard matches, raw.indices.contains(index + extra) else { return Word(text: word, offset: nil) }
            return Word(text: word, offset: Self.offset(of: word, in: raw[index + extra]))
        }
    }

    /// Each word that begins with a dash, and the word that belongs to it.
    var options: [(name: String, value: Word)] {
        all.indices.compactMap { index in
            let word = all[index]
            guard word.text.hasPrefix("-") else { return nil }
            if let equals = word.text.unicodeScalars.firstIndex(of: "=") {
                let name = String(word.text[..<equals])
                let value = String(word.text.unicodeScalars[equals...].dropFirst())
                return (name, Word(text: value, offset: word.offset.map { $0 + name.unicodeScalars.count + 1 }))
            }
            return index + 1 < all.count ? (word.text, all[index + 1]) : nil
        }
    }

    private static func parts(of text: String) -> [(text: String, offset: Int)] {
        var (parts, current, start) = ([(text: String, offset: Int)](), String.UnicodeScalarView(), 0)
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            if scalar.properties.isWhitespace {
                if !current.isEmpty { parts.append((String(current), start)) }
                current = .init()
            } else {
                if current.isEmpty { start = offset }
                current.append(scalar)
            }
        }
        if !current.isEmpty { parts.append((String(current), start)) }
        return parts
    }

    private static func offset(of word: String, in part: (text: String, offset: Int)) -> Int? {
        if part.text == word { return part.offset }
        return part.text == "'\(word)'" || part.text == "\"\(word)\"" ? part.offset + 1 : nil
    }
}
