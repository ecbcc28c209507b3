internal import Documents

/// Reads what must hold of requests at the end (R19.6).
enum RequestCheckLoader {
    /// A figure that was named, and what must hold of it; `nil` after noting an error.
    struct Check {
        let found: RequestCheck?
    }

    /// Reads one figure.
    ///
    /// - Parameters:
    ///   - entry: Its name, and what it must be.
    ///   - group: Of which group; `nil` is of all.
    ///   - reader: Gets what is wrong.
    /// - Returns: `nil` for a name of nothing.
    static func load(_ entry: Node.Entry, group: Int?, _ reader: inout DocumentReader) -> Check? {
        guard let figure = RequestCheck.Figure.all.first(where: { $0.name == entry.key }) else { return nil }
        let what = entry.key.quoted
        let range =
            figure == .longestBlocked
            ? duration(entry.value, what, &reader) : CountLoader.load(entry.value, what, &reader)
        return Check(
            found: range.map { RequestCheck(figure: figure, group: group, position: entry.keyPosition, range: $0) })
    }

    private static func duration(_ node: Node, _ what: String, _ reader: inout DocumentReader) -> CountRange? {
        guard case .mapping = node.content, var fields = reader.mapping(node, what) else {
            return reader.duration(node, what).map { CountRange($0) }
        }
        let (least, most) = (fields.take("at-least"), fields.take("at-most"))
        fields.finish(&reader)
        guard least != nil || most != nil else {
            reader.error("\(what) needs a duration, `at-least` or `at-most`", at: node.position)
            return nil
        }
        let low = least.map { reader.duration($0, "`at-least`") } ?? 0
        let high = most.map { reader.duration($0, "`at-most`") } ?? Int.max
        guard let low, let high else { return nil }
        guard low <= high else {
            reader.error("\(what) can never be both", at: node.position)
            return nil
        }
        return CountRange(atLeast: low, atMost: high)
    }
}
