package import Documents
package import PolicyEngine

/// Values of the rules, as documents write them.
extension DocumentReader {
    /// Reads an RFC 3339 timestamp.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    /// - Returns: `nil` after noting an error.
    package mutating func instant(_ node: Node, _ what: String) -> Instant? {
        guard let text = text(node, what) else { return nil }
        if let instant = Instant(rfc3339: text) { return instant }
        let isDate = Instant(rfc3339: text + "T00:00:00Z") != nil
        let isWithoutOffset = Instant(rfc3339: text + "Z") != nil
        let completed = isDate ? text + "T00:00:00Z" : isWithoutOffset ? text + "Z" : nil
        refuse(
            text, node, "\(what) must be an instant such as `2020-07-23T00:00:00Z`",
            hint: completed.map { "write \($0.quoted)" })
        return nil
    }

    /// Reads a percentage with its sign, such as `0.1%`.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    /// - Returns: `nil` after noting an error.
    package mutating func percentage(_ node: Node, _ what: String) -> Percentage? {
        guard let text = text(node, what) else { return nil }
        if text.hasSuffix("%"), let share = Percentage(text.dropLast()) { return share }
        let hint = Percentage(text) == nil ? nil : "write \("\(text)%".quoted)"
        refuse(text, node, "\(what) must be a percentage from `0%` to `100%`", hint: hint)
        return nil
    }

    /// Reads a percentage without its sign, such as `0.1`.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    /// - Returns: `nil` after noting an error.
    package mutating func barePercentage(_ node: Node, _ what: String) -> Percentage? {
        guard let text = text(node, what) else { return nil }
        if let share = Percentage(text) { return share }
        let isSigned = text.hasSuffix("%") && Percentage(text.dropLast()) != nil
        refuse(
            text, node, "\(what) must be a number of percent from `0` to `100`",
            hint: isSigned ? "write \(String(text.dropLast()).quoted)" : nil)
        return nil
    }
}
