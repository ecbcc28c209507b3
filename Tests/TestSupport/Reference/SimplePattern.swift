/// A pattern so plain that simple comparison of bytes decides it.
struct SimplePattern: Hashable, Sendable {
    var fromStart = false
    let alternatives: [String]
    var toEnd = false

    /// The pattern in the language of regular expressions.
    var source: String {
        let escaped = alternatives.map { $0.replacing(".", with: "\\.") }
        return "\(fromStart ? "^" : "")(?:\(escaped.joined(separator: "|")))\(toEnd ? "$" : "")"
    }

    /// True if it is found in a value without line breaks.
    func isFound(in value: String) -> Bool {
        alternatives.contains { isFound(Array($0.utf8), in: Array(value.utf8)) }
    }

    private func isFound(_ text: [UInt8], in value: [UInt8]) -> Bool {
        guard text.count <= value.count else { return false }
        let last = value.count - text.count
        let first = toEnd ? last : 0
        let end = fromStart ? 0 : last
        guard first <= end else { return false }
        return (first...end).contains { start in Array(value[start..<start + text.count]) == text }
    }
}
