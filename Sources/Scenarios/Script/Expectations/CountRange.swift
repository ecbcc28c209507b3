internal import Documents
internal import PolicyEngine

/// The range of a count: a number, or bounds (formats: Scenario, expectations).
struct CountRange: Hashable, Sendable, CustomStringConvertible {
    let atLeast: Int
    let atMost: Int

    /// A range of one number.
    init(_ count: Int) { (atLeast, atMost) = (count, count) }

    /// A range between bounds, both included.
    init(atLeast: Int, atMost: Int) { (self.atLeast, self.atMost) = (atLeast, atMost) }

    /// True if 0 is in the range beside greater counts.
    var isVacuousAtZero: Bool { atLeast == 0 && atMost > 0 }

    /// The reason for which a range holds that every count is in; `nil` for another one.
    var vacuity: String? { atLeast == 0 && atMost == .max ? "any count would satisfy it" : nil }

    func contains(_ count: Int) -> Bool { atLeast <= count && count <= atMost }

    /// `18`, `at least 10`, `at most 30`, `10 to 30`.
    var description: String { text { "\($0)" } }

    private func text(_ number: (Int) -> String) -> String {
        if atLeast == atMost { return number(atLeast) }
        if atMost == .max { return "at least \(number(atLeast))" }
        return atLeast == 0 ? "at most \(number(atMost))" : "\(number(atLeast)) to \(number(atMost))"
    }

    /// The result for a count that was found.
    ///
    /// - Parameters:
    ///   - vacuity: Why the count is what it is whatever the account decides, if it is.
    ///   - number: The words for a number.
    func result(_ count: Int, vacuity: String?, in number: (Int) -> String = { "\($0)" }) -> ExpectationResult {
        ExpectationResult(
            passed: contains(count), expected: text(number), actual: number(count), correction: .word("\(count)"),
            vacuity: self.vacuity ?? vacuity)
    }
}

// MARK: Forms

extension ValueForm<CountRange> {
    /// A count; the schema has its form as a definition.
    static var count: ValueForm { counted.described(by: .reference(to: "count")) }

    /// A count: a number, bounds, or a number with a tolerance.
    static var counted: ValueForm {
        let about = JSONSchema.object(
            [("about", Self.about.schema.described(as: "A number, and how far the count may be from it."))],
            required: ["about"])
        return range(of: .integer(in: 0...Int.max), about: [about])
    }

    /// Seconds.
    static var durations: ValueForm { range(of: .duration, about: []) }

    // The schemas of what a range can say beside bounds; none for durations.
    private static func range(of number: ValueForm<Int>, about: [JSONSchema]) -> ValueForm {
        let bounds = JSONSchema.object(
            [
                ("at-least", number.schema.described(as: "The least number or time.")),
                ("at-most", number.schema.described(as: "The greatest number or time.")),
            ], atLeast: 1)
        return ValueForm(.any(of: [number.schema, bounds] + about)) { node, what, reader in
            guard case .mapping = node.content, var fields = reader.mapping(node, what) else {
                return number.read(node, what, &reader).map { CountRange($0) }
            }
            let (least, most) = (fields.take("at-least"), fields.take("at-most"))
            let near = about.isEmpty ? nil : fields.take("about")
            fields.finish(&reader)
            if let near, least != nil || most != nil {
                reader.error("`about` cannot be combined with other bounds", at: near.position)
            }
            if let near { return Self.about.read(near, "`about`", &reader)?.range }
            guard least != nil || most != nil else {
                let forms =
                    about.isEmpty ? "duration, `at-least` or `at-most`" : "number, `at-least`, `at-most` or `about`"
                reader.error("\(what) needs a \(forms)", at: node.position)
                return nil
            }
            let low = least.map { number.read($0, "`at-least`", &reader) } ?? 0
            let high = most.map { number.read($0, "`at-most`", &reader) } ?? Int.max
            guard let low, let high else { return nil }
            if low <= high { return CountRange(atLeast: low, atMost: high) }
            let both = about.isEmpty ? "both" : "at least \(low) and at most \(high)"
            reader.error("\(what) can never be \(both)", at: node.position)
            return nil
        }
    }

    private static var about: ValueForm<Tolerance> {
        let limited = ValueForm<Int>.integer(in: 0...1_000_000_000_000)
        return .mapping(
            Tolerance(),
            [
                .required("value", \.value, limited, "The number that the count is about."),
                .required("within", \.within, limited, "The greatest difference from that number."),
            ])
    }
}

/// A number that is nearly another one.
private struct Tolerance {
    var (value, within) = (0, 0)
    var range: CountRange { CountRange(atLeast: max(0, value - within), atMost: value + within) }
}

// MARK: Several

/// The ranges of several counts by name, in the order of the file.
struct NamedRanges: Sendable, CustomStringConvertible {
    fileprivate(set) var ranges: [(name: String, count: CountRange)] = []

    var description: String { ranges.map { "\($0.name): \($0.count)" }.joined(separator: ", ") }

    /// The result for the counts that were found.
    func result(_ counts: [String: Int], vacuity: String? = nil) -> ExpectationResult {
        let found = ranges.map { (name: $0.name, count: counts[$0.name] ?? 0) }
        let actual = found.map { "\($0.name): \($0.count)" }.joined(separator: ", ")
        return ExpectationResult(
            passed: zip(ranges, found).allSatisfy { $0.count.contains($1.count) }, expected: description,
            actual: actual,
            correction: ActualValue(text: actual, value: .mapping(found.map { DocumentField($0.name, "\($0.count)") })),
            vacuity: ranges.lazy.compactMap(\.count.vacuity).first ?? vacuity)
    }
}

extension ValueForm<NamedRanges> {
    /// Counts by names of a form, of which a wrong one is left out; one at least.
    static func counts(of name: ValueForm<String>) -> ValueForm {
        ValueForm(.map(of: ValueForm<CountRange>.count.schema, keys: name.schema, atLeast: 1)) { node, what, reader in
            var all = NamedRanges()
            for entry in reader.checkedEntries(node, what) {
                guard let name = name.read(entry.keyNode, what, &reader) else { continue }
                let count = ValueForm<CountRange>.count.read(entry.value, name.quoted, &reader)
                if let count { all.ranges.append((name, count)) }
            }
            return all
        }
    }
}

extension ValueForm<[String]> {
    /// A list of texts of a form.
    static func texts(of item: ValueForm<String>) -> ValueForm {
        ValueForm(.list(of: item.schema)) { node, what, reader in
            guard reader.texts(node, what) != nil, case .sequence(let nodes) = node.content else { return nil }
            return nodes.compactMap { item.read($0, what, &reader) }
        }
    }
}

extension ValueForm {
    /// This form of several, or a word that means something else.
    func or(_ word: String, _ meaning: Value) -> ValueForm where Value: Sendable {
        let forms = schema["anyOf"]?.items.compactMap(\.schema) ?? [schema]
        return ValueForm(.any(of: forms + [.words([word])])) { [read] node, what, reader in
            if case .scalar(word, _) = node.content { meaning } else { read(node, what, &reader) }
        }
    }
}

extension DocumentReader {
    /// The entries of a mapping of checks; an empty one is an error, since it would check nothing.
    mutating func checkedEntries(_ node: Node, _ what: String) -> [Node.Entry] {
        guard let entries = mapping(node, what)?.entries else { return [] }
        if entries.isEmpty { error("\(what) has nothing to check", at: node.position) }
        return entries
    }
}

extension Node.Entry {
    /// The key as a value.
    var keyNode: Node { Node(position: keyPosition, content: .scalar(key, isPlain: true)) }
}
