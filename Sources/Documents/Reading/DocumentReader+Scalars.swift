/// Quotes around a value change nothing: `'5'` is as good a number as `5`.
extension DocumentReader {
    /// Reads text that is not empty.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages, such as "`label`".
    /// - Returns: `nil` after noting an error.
    package mutating func text(_ node: Node, _ what: String) -> String? {
        guard case .scalar(let text, _) = node.content else {
            error("\(what) must be text, not \(node.kindName)", at: node.position)
            return nil
        }
        guard text.isEmpty else { return text }
        error("\(what) must not be empty", at: node.position)
        return nil
    }

    /// Reads a whole number.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    ///   - range: The numbers allowed.
    /// - Returns: `nil` after noting an error.
    package mutating func integer(_ node: Node, _ what: String, in range: ClosedRange<Int>) -> Int? {
        guard let text = text(node, what) else { return nil }
        let digits = text.hasPrefix("-") ? text.utf8.dropFirst() : text.utf8[...]
        if digits.allSatisfy(Self.isDigit), let number = Int(text), range.contains(number) { return number }
        refuse(text, node, "\(what) must be \(Self.wording(of: range))")
        return nil
    }

    /// Reads `true` or `false`.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    /// - Returns: `nil` after noting an error.
    package mutating func boolean(_ node: Node, _ what: String) -> Bool? {
        truth(node, what, yes: "true", no: "false")
    }

    /// Reads `on` or `off`.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    /// - Returns: `nil` after noting an error.
    package mutating func onOff(_ node: Node, _ what: String) -> Bool? {
        truth(node, what, yes: "on", no: "off")
    }

    /// Reads a duration such as `1h30m`.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    /// - Returns: Seconds, 0 through `DocumentLimits.maximumDuration`; `nil` after noting an error.
    package mutating func duration(_ node: Node, _ what: String) -> Int? {
        guard let text = text(node, what) else { return nil }
        do throws(DurationError) {
            return try DurationText.parse(text)
        } catch {
            refuse(text, node, "\(what) must be a duration such as `1h30m`", hint: error.hint)
            return nil
        }
    }

    /// Reads one of some words.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    ///   - words: The words allowed, in the order in which messages name them.
    /// - Returns: `nil` after noting an error.
    package mutating func choice(_ node: Node, _ what: String, from words: [String]) -> String? {
        guard let text = text(node, what) else { return nil }
        if words.contains(text) { return text }
        let hint = isFull ? nil : Suggestion.hint(for: text, among: words)
        refuse(text, node, "\(what) must be \(Self.alternatives(words))", hint: hint)
        return nil
    }

    /// Reads one of the words of a type.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - what: The name of the value in messages.
    /// - Returns: `nil` after noting an error.
    package mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ node: Node, _ what: String
    ) -> Word? {
        choice(node, what, from: Word.allCases.map(\.rawValue)).flatMap(Word.init)
    }

    private mutating func truth(_ node: Node, _ what: String, yes: String, no: String) -> Bool? {
        guard let text = text(node, what) else { return nil }
        if text == yes { return true }
        if text == no { return false }
        var hint: String?
        if ["true", "yes", "on"].contains(text.lowercased()) { hint = "write \(yes.quoted)" }
        if ["false", "no", "off"].contains(text.lowercased()) { hint = "write \(no.quoted)" }
        refuse(text, node, "\(what) must be \(yes.quoted) or \(no.quoted)", hint: hint)
        return nil
    }

    /// Notes an error of a text that is not what it must be.
    ///
    /// - Parameters:
    ///   - node: The node that holds it.
    ///   - message: The requirement, such as "`count` must be a whole number".
    ///   - hint: A hint that might help.
    package mutating func refuse(_ text: String, _ node: Node, _ message: String, hint: String? = nil) {
        error("\(message), not \(text.quoted)", at: node.position, hint: hint)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func wording(of range: ClosedRange<Int>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (.min, .max): "a whole number"
        case (.min, let most): "a whole number of at most \(most)"
        case (let least, .max): "a whole number of at least \(least)"
        case (let least, let most): "a whole number from \(least) to \(most)"
        }
    }

    private static func alternatives(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first?.quoted ?? "left out" }
        return words.dropLast().map(\.quoted).joined(separator: ", ") + " or " + last.quoted
    }
}
