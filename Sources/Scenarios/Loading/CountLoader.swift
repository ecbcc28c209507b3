internal import Documents

/// Reads how many there must be of something (formats: Scenario, expectations).
enum CountLoader {
    /// Reads a count.
    ///
    /// - Parameters:
    ///   - node: A number, or bounds.
    ///   - what: Its noun in messages.
    ///   - reader: Gets what is wrong.
    /// - Returns: `nil` after noting an error.
    static func load(_ node: Node, _ what: String, _ reader: inout DocumentReader) -> CountRange? {
        guard case .mapping = node.content else {
            return reader.integer(node, what, in: 0...Int.max).map { CountRange($0) }
        }
        guard var fields = reader.mapping(node, what) else { return nil }
        let (least, most, about) = (fields.take("at-least"), fields.take("at-most"), fields.take("about"))
        fields.finish(&reader)
        if let about {
            if least != nil || most != nil { reader.error("`about` stands alone", at: about.position) }
            return self.about(about, &reader)
        }
        guard least != nil || most != nil else {
            reader.error("\(what) needs a number, `at-least`, `at-most` or `about`", at: node.position)
            return nil
        }
        let low = least.map { reader.integer($0, "`at-least`", in: 0...Int.max) } ?? 0
        let high = most.map { reader.integer($0, "`at-most`", in: 0...Int.max) } ?? Int.max
        guard let low, let high else { return nil }
        guard low <= high else {
            reader.error("\(what) can never be at least \(low) and at most \(high)", at: node.position)
            return nil
        }
        return CountRange(atLeast: low, atMost: high)
    }

    private static func about(_ node: Node, _ reader: inout DocumentReader) -> CountRange? {
        guard var fields = reader.mapping(node, "`about`") else { return nil }
        let limit = 0...1_000_000_000_000
        let value = fields.require("value", &reader).flatMap { reader.integer($0, "`value`", in: limit) }
        let within = fields.require("within", &reader).flatMap { reader.integer($0, "`within`", in: limit) }
        fields.finish(&reader)
        guard let value, let within else { return nil }
        return CountRange(atLeast: max(0, value - within), atMost: value + within)
    }
}
