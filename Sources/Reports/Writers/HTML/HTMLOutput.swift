internal import Documents

/// HTML as bytes, put together piece by piece. Nothing else writes markup.
struct HTMLOutput {
    /// The output so far.
    private(set) var bytes: [UInt8] = []

    /// An attribute of an element: a name that is written in the program, and any value.
    typealias Attribute = (name: StaticString, value: String)

    /// Writes an element with what is inside.
    mutating func element(
        _ name: StaticString, _ attributes: [Attribute] = [], _ content: (inout HTMLOutput) -> Void
    ) {
        open(name, attributes)
        content(&self)
        close(name)
    }

    /// Writes an element with a text inside.
    mutating func element(_ name: StaticString, _ attributes: [Attribute] = [], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// Writes the start of an element; of one that has no end, the whole.
    mutating func open(_ name: StaticString, _ attributes: [Attribute] = []) {
        raw("<")
        raw(name)
        for (name, value) in attributes {
            raw(" ")
            raw(name)
            raw("=\"")
            text(value)
            raw("\"")
        }
        raw(">")
    }

    /// Writes the end of an element.
    mutating func close(_ name: StaticString) {
        raw("</")
        raw(name)
        raw(">")
    }

    /// Writes a text; whatever it holds, it becomes no markup.
    mutating func text(_ text: String) {
        Escape.append(html: text, to: &bytes)
    }

    /// Writes an end of a line, for whoever reads the source.
    mutating func line() { raw("\n") }

    /// Writes a text that is written in the program and is markup already.
    mutating func raw(_ text: StaticString) { Escape.append(literal: text, to: &bytes) }
}

// Texts with emphasis.
extension HTMLOutput {
    /// Writes a text of which parts have an emphasis.
    mutating func write(_ text: ReportText) {
        for span in text.spans { write(span.text, span.emphasis) }
    }

    fileprivate mutating func write(_ text: String, _ emphasis: ReportText.Emphasis) {
        switch emphasis {
        case .plain: quoted(text)
        case .strong: element("strong") { $0.quoted(text) }
        case .good, .bad: element("b", [("class", emphasis.className)]) { $0.quoted(text) }
        }
    }

    // Words between backticks are shown as what is typed.
    private mutating func quoted(_ text: String) {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        guard parts.count % 2 == 1 else { return self.text(text) }
        for (index, part) in parts.enumerated() {
            if index % 2 == 1 { element("code") { $0.command(part) } } else { self.text(part) }
        }
    }
}

extension ReportText.Emphasis {
    /// The name of the emphasis in the style of a page.
    var className: String {
        switch self {
        case .plain: "plain"
        case .strong: "strong"
        case .good: "better"
        case .bad: "worse"
        }
    }
}

// Cells of tables.
extension HTMLOutput {
    /// Writes the words of a cell.
    mutating func write(_ cell: ReportTable.Cell) {
        switch cell {
        case .code(let text): code(text)
        case .name(_, let spoken): name(spoken)
        case .difference(let expected, let actual):
            element("dl", [("class", "ea")]) { output in
                output.element("dt", text: "expected")
                output.element("dd", [("class", "better")], text: "− \(expected)")
                output.element("dt", text: "actual")
                output.element("dd", [("class", "worse")], text: "+ \(actual)")
            }
        case .text, .time, .number, .share, .seconds, .interval: write(cell.text, cell.emphasis)
        }
    }

    // Long words without a space may end a line here and there, which a copy of them does not show.
    private mutating func code(_ text: String) {
        guard !text.isEmpty else { return }
        element("code") { output in
            if text.contains(" ") { return output.command(text) }
            output.pieces(of: text) { last, length in
                length >= Self.pieceLength || (Self.joints.contains(last) && length > 3)
            }
        }
    }

    /// Writes a command or a line of output, whose options are not broken behind their dashes.
    mutating func command(_ text: String) {
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { self.text(" ") }
            if word.hasPrefix("-"), (2..<Self.optionLength).contains(word.utf8.count) {
                element("span", [("class", "option")], text: String(word))
            } else {
                self.text(String(word))
            }
        }
    }

    private static let optionLength = 32

    // A line ends behind these rather than within a word.
    private static let joints: Set<Character> = ["-", ":", "=", ",", "/"]

    private static let pieceLength = 12

    // The name of an app may end a line behind its parts; a very long one is cut instead.
    private mutating func name(_ text: String) {
        guard text.utf8.count <= Self.nameLength else { return self.text(text) }
        pieces(of: text) { last, length in (last == "." || last == "-") && length > 3 }
    }

    private static let nameLength = 200

    /// Writes a title, which may end a line behind the parts of a policy or a path.
    mutating func title(_ text: String) {
        pieces(of: text) { last, length in (last == "," || last == "/") && length > 3 }
    }

    private mutating func pieces(of text: String, isEnd: (_ last: Character, _ length: Int) -> Bool) {
        var (piece, length) = ("", 0)
        for character in text {
            if let last = piece.last, isEnd(last, length) {
                self.text(piece)
                open("wbr")
                (piece, length) = ("", 0)
            }
            piece.append(character)
            length += 1
        }
        self.text(piece)
    }
}
