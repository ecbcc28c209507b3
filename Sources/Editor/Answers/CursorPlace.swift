internal import Documents

/// The place in a document at which something is being typed, also while the document cannot be read.
struct CursorPlace {
    /// The token that is being typed.
    let token: TextToken
    /// The part of its text before the cursor.
    let typed: String
    /// The part of its text behind the cursor.
    let rest: String
    /// The document with a word at the cursor, so that it can be read.
    let document: AnalysedFile

    // A word that nobody writes.
    private static let mark = "qZcursorZq"

    /// Finds the place: a word is put there that makes the document readable in one of several forms.
    init?(_ file: AnalysedFile, byte: Int) {
        guard let kind = file.kind else { return nil }
        let line = file.positions.line(file.positions.line(ofByte: byte))
        let closing = Self.closing(file.positions.text(line.lowerBound..<max(line.lowerBound, byte)))
        for suffix in ["", ":"] + (closing.isEmpty ? [] : [closing, ":" + closing]) {
            let word = Self.mark + suffix
            let bytes = Array(file.positions.bytes[..<byte]) + Array(word.utf8) + file.positions.bytes[byte...]
            let tried = AnalysedFile(path: file.path, positions: TextPositions(bytes))
            guard tried.kind == kind, tried.document.root != nil,
                let token = tried.tokens.first(where: { $0.text.contains(Self.mark) }),
                let range = token.text.range(of: Self.mark)
            else { continue }
            self.token = token
            typed = String(token.text[..<range.lowerBound])
            rest = String(token.text[range.upperBound...])
            document = tried
            return
        }
        return nil
    }

    /// The forms that the value may have that is being typed, or the mapping whose key is being typed.
    func forms(_ schema: DocumentSchema) -> [Int] {
        var forms = schema.root
        for step in token.isKey ? token.path.dropLast() : token.path[...] {
            switch step {
            case .key(let key): forms = schema.value(of: key, in: forms).forms
            case .item: forms = schema.items(of: forms)
            }
        }
        return forms
    }

    // The brackets and braces that are open on a line.
    private static func closing(_ text: String) -> String {
        var (open, quote): ([Character], Character?) = ([], nil)
        for character in text {
            if let current = quote {
                if character == current { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == "{" || character == "[" {
                open.append(character)
            } else if character == "}" || character == "]" {
                _ = open.popLast()
            }
        }
        return (quote.map(String.init) ?? "") + open.reversed().map { $0 == "{" ? "}" : "]" }.joined()
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<Index>? { ranges(of: text).first }
}
