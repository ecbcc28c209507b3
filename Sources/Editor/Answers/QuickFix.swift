internal import Analysis
internal import Documents

/// An edit that mends a problem, as its hint proposes.
struct QuickFix {
    let title: String
    let edit: TextEdit
    let diagnostic: Diagnostic

    /// The edits that mend a problem of a file.
    static func fixes(for diagnostic: Diagnostic, in file: AnalysedFile) -> [QuickFix] {
        guard let position = diagnostic.position else { return [] }
        let byte = ParserLines(file.positions).byte(at: position)
        var fixes: [QuickFix] = []
        let scalar = file.positions.scalar(ofByte: byte)
        if let right = proposal(of: diagnostic),
            let (wrong, range) = place(of: diagnostic, near: right, at: scalar, in: file)
        {
            let edit = TextEdit(path: file.path, range: file.positions.bytes(ofScalars: range), text: right)
            fixes.append(
                QuickFix(
                    title: "Write \(right.quoted) instead of \(wrong.quoted)", edit: edit, diagnostic: diagnostic))
        }
        if let code = diagnostic.lintCode {
            let edit = allowance(of: code, at: byte, in: file)
            fixes.append(
                QuickFix(title: "Allow \(code.quoted) here, because it is meant", edit: edit, diagnostic: diagnostic))
        }
        if diagnostic.hint == LintAllowance.removalHint {
            fixes.append(
                QuickFix(title: "Take the comment out", edit: removal(from: byte, in: file), diagnostic: diagnostic))
        }
        return fixes
    }

    // The word of a hint `did you mean …?`.
    private static func proposal(of diagnostic: Diagnostic) -> String? {
        guard let hint = diagnostic.hint, hint.hasPrefix("did you mean `"), hint.hasSuffix("`?") else { return nil }
        return String(hint.dropFirst("did you mean `".count).dropLast(2))
    }

    // The word that is wrong: one that the message quotes, or else a name in the text, which is near to the proposed one.
    private static func place(
        of diagnostic: Diagnostic, near right: String, at scalar: Int, in file: AnalysedFile
    ) -> (wrong: String, range: Range<Int>)? {
        let quoted = diagnostic.message.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        let isNear = { (word: String) in Suggestion.closest(to: word, among: [right]) != nil }
        if let wrong = quoted.first(where: isNear) {
            return range(of: wrong, at: scalar, in: file).map { (wrong, $0) }
        }
        let name = file.token(at: scalar).flatMap { file.names(in: $0).first { isNear($0.name) } }
        return name.flatMap { name in name.range.map { (name.name, $0) } }
    }

    // The only place of a word in the token that the diagnostic is about.
    private static func range(of word: String, at scalar: Int, in file: AnalysedFile) -> Range<Int>? {
        let range: Range<Int>
        if let token = file.token(at: scalar), let content = file.content(of: token) {
            range = content
        } else {
            let positions = file.positions
            let byte = positions.byte(ofScalar: scalar)
            let line = positions.line(positions.line(ofByte: byte))
            range = scalar..<max(scalar, positions.scalar(ofByte: line.upperBound))
        }
        let text = Array(file.positions.text(file.positions.bytes(ofScalars: range)).unicodeScalars)
        let word = Array(word.unicodeScalars)
        guard !word.isEmpty, text.count >= word.count else { return nil }
        let starts = (0...text.count - word.count).filter { text[$0..<$0 + word.count].elementsEqual(word) }
            .filter { start in
                let neighbours = [start - 1, start + word.count].filter(text.indices.contains).map { text[$0] }
                return !neighbours.contains { $0.properties.isAlphabetic || $0 == "-" || "0"..."9" ~= $0 }
            }
        guard starts.count == 1 else { return nil }
        return range.lowerBound + starts[0]..<range.lowerBound + starts[0] + word.count
    }

    // A comment on a line of its own above, with the indentation of the line.
    private static func allowance(of code: String, at byte: Int, in file: AnalysedFile) -> TextEdit {
        let line = file.positions.line(file.positions.line(ofByte: byte))
        let indentation = file.positions.bytes[line].prefix { $0 == 0x20 }.count
        let blanks = String(repeating: " ", count: indentation)
        let text = "\(blanks)# scenario: allow \(code) because it is meant\(file.lineBreak)"
        return TextEdit(path: file.path, range: line.lowerBound..<line.lowerBound, text: text)
    }

    // With its line, if there is nothing else on it.
    private static func removal(from byte: Int, in file: AnalysedFile) -> TextEdit {
        let positions = file.positions
        let number = positions.line(ofByte: byte)
        let line = positions.line(number)
        var start = min(max(byte, line.lowerBound), line.upperBound)
        while start > line.lowerBound, positions.bytes[start - 1] == 0x20 || positions.bytes[start - 1] == 0x09 {
            start -= 1
        }
        let end =
            start == line.lowerBound && number + 1 < positions.lineCount
            ? positions.line(number + 1).lowerBound : line.upperBound
        return TextEdit(path: file.path, range: start..<end, text: "")
    }
}

extension AnalysedFile {
    /// The line break of the file's first line.
    var lineBreak: String {
        guard positions.lineCount > 1 else { return "\n" }
        return positions.text(positions.line(0).upperBound..<positions.line(1).lowerBound)
    }
}
