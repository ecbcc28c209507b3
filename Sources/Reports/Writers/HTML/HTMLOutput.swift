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
        HTMLText.append(text, to: &bytes)
    }

    /// Writes an end of a line, for whoever reads the source.
    mutating func line() { raw("\n") }

    /// Writes a text that is written in the program and is markup already.
    mutating func raw(_ text: StaticString) { VisibleText.appendLiteral(text, to: &bytes) }
}
