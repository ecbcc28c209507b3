internal import Documents
internal import PolicyEngine

/// The range of a count: a number, or bounds (formats: Scenario, expectations).
struct CountRange: Hashable, Sendable, CustomStringConvertible {
    let atLeast: Int
    let atMost: Int

    /// Exactly one number.
    init(_ count: Int) {
        (atLeast, atMost) = (count, count)
    }

    /// Bounds, both included.
    init(atLeast: Int, atMost: Int) {
        (self.atLeast, self.atMost) = (atLeast, atMost)
    }

    /// True if 0 is in the range beside greater counts.
    var isVacuousAtZero: Bool { atLeast == 0 && atMost > 0 }

    /// The reason for which a range holds that every count is in; `nil` for another one.
    var vacuity: String? { atLeast == 0 && atMost == .max ? "any count would satisfy it" : nil }

    func contains(_ count: Int) -> Bool { atLeast <= count && count <= atMost }

    /// `18`, `at least 10`, `at most 30`, `10 to 30`.
    var description: String { text { "\($0)" } }

    /// The same, with each number in some form.
    func text(_ number: (Int) -> String) -> String {
        if atLeast == atMost { return number(atLeast) }
        if atMost == .max { return "at least \(number(atLeast))" }
        return atLeast == 0 ? "at most \(number(atMost))" : "\(number(atLeast)) to \(number(atMost))"
    }

    /// The result for a count that was found.
    func result(_ count: Int, vacuity: String?) -> CheckResult {
        CheckResult(
            expected: description, actual: "\(count)", passed: contains(count), correction: .word("\(count)"),
            vacuity: self.vacuity ?? vacuity)
    }
}

// MARK: Loading

extension CountRange {
    /// The unit of a count.
    enum Unit {
        case things, seconds
    }

    /// Reads a count.
    ///
    /// - Parameters:
    ///   - node: A number or a duration, or bounds.
    ///   - what: The name of the count in messages.
    ///   - unit: The unit of the count.
    ///   - reader: Gets what is wrong.
    /// - Returns: `nil` after noting an error.
    static func load(
        _ node: Node, _ what: String, of unit: Unit = .things, _ reader: inout DocumentReader
    ) -> CountRange? {
        func number(_ node: Node, _ what: String) -> Int? {
            unit == .things ? reader.integer(node, what, in: 0...Int.max) : reader.duration(node, what)
        }
        guard case .mapping = node.content, var fields = reader.mapping(node, what) else {
            return number(node, what).map { CountRange($0) }
        }
        let (least, most) = (fields.take("at-least"), fields.take("at-most"))
        let about = unit == .things ? fields.take("about") : nil
        fields.finish(&reader)
        if let about {
            if least != nil || most != nil {
                reader.error("`about` cannot be combined with other bounds", at: about.position)
            }
            return self.about(about, &reader)
        }
        guard least != nil || most != nil else {
            let forms =
                unit == .things ? "number, `at-least`, `at-most` or `about`" : "duration, `at-least` or `at-most`"
            reader.error("\(what) needs a \(forms)", at: node.position)
            return nil
        }
        let low = least.map { number($0, "`at-least`") } ?? 0
        let high = most.map { number($0, "`at-most`") } ?? Int.max
        guard let low, let high else { return nil }
        guard low <= high else {
            let bounds = unit == .things ? "at least \(low) and at most \(high)" : "both"
            reader.error("\(what) can never be \(bounds)", at: node.position)
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

    /// The form of a count.
    static var schema: JSONSchema {
        let (number, limited) = (JSONSchema.integer(in: 0...Int.max), JSONSchema.integer(in: 0...1_000_000_000_000))
        let about = JSONSchema.object([("value", limited), ("within", limited)], required: ["value", "within"])
        return .any(of: [
            number,
            .object([("at-least", number), ("at-most", number)], atLeast: 1),
            .object([("about", about)], required: ["about"]),
        ])
    }
}

// MARK: Several

/// The ranges of several counts by name, in the order of the file.
struct NamedRanges: Sendable {
    private(set) var ranges: [(name: String, count: CountRange)] = []

    /// Reads them.
    ///
    /// - Parameters:
    ///   - node: The value of a key.
    ///   - what: The name of the key in messages.
    ///   - name: Checks a name; `nil` after noting an error.
    /// - Returns: `nil` for what is no mapping.
    static func load(
        _ node: Node, _ what: String, _ reader: inout DocumentReader,
        name: (Node, inout DocumentReader) -> String?
    ) -> NamedRanges? {
        guard case .mapping(let entries) = node.content else { return nil }
        if entries.isEmpty { reader.error("\(what) has nothing to check", at: node.position) }
        var all = NamedRanges()
        for entry in entries {
            guard let name = name(entry.keyNode, &reader) else { continue }
            if let count = CountRange.load(entry.value, name.quoted, &reader) { all.ranges.append((name, count)) }
        }
        return all
    }

    /// The reason for which one of the ranges holds that every count is in; `nil` where there is none.
    var vacuity: String? { ranges.lazy.compactMap(\.count.vacuity).first }

    /// The result for the counts that were found.
    func result(_ counts: [String: Int], vacuity: String? = nil) -> CheckResult {
        let found = ranges.map { (name: $0.name, count: counts[$0.name] ?? 0) }
        let actual = found.map { "\($0.name): \($0.count)" }.joined(separator: ", ")
        return CheckResult(
            expected: ranges.map { "\($0.name): \($0.count)" }.joined(separator: ", "), actual: actual,
            passed: zip(ranges, found).allSatisfy { $0.count.contains($1.count) },
            correction: ActualValue(text: actual, value: .mapping(found.map { DocumentField($0.name, "\($0.count)") })),
            vacuity: self.vacuity ?? vacuity)
    }
}

extension Node.Entry {
    /// The key as a value.
    var keyNode: Node { Node(position: keyPosition, content: .scalar(key, isPlain: true)) }
}

/// Of all fetches or requests: how many there are of a kind.
struct CountCheck: FetchCheckKind, FetchCheck {
    static let forms = Kind.all.map { (key: $0.key, schema: JSONSchema.reference(to: "count")) }
    let kind: Kind
    let range: CountRange
    var reach: Set<AccountPart> { [] }

    /// A kind of what is counted.
    enum Kind: Hashable, Sendable {
        /// Fetches that came back with a token, and calls that were answered.
        case answered(Answered)
        /// Fetches that said something of the configuration (R17.4).
        case notice(Notice)
        /// Requests (R19.5).
        case outcome(RequestOutcome)

        enum Answered: String, Hashable, Sendable, CaseIterable {
            case pass, fail, attested, cached
        }

        enum Notice: String, Hashable, Sendable, CaseIterable {
            case changed = "config-changed"
            case forced = "force-apply"
        }

        static let all =
            Answered.allCases.map(Kind.answered) + Notice.allCases.map(Kind.notice)
            + RequestOutcome.allCases.map(Kind.outcome)

        var key: String {
            switch self {
            case .answered(let kind): kind.rawValue
            case .notice(let kind): kind.rawValue
            case .outcome(let outcome): outcome.rawValue
            }
        }
    }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        guard let kind = Kind.all.first(where: { $0.key == entry.key }) else { return nil }
        return CountRange.load(entry.value, entry.key.quoted, &loader.reader).map { CountCheck(kind: kind, range: $0) }
    }

    func result(_: CheckFindings, _ figures: ExaminedFigures, accounts _: [Int]) -> CheckResult {
        var result = range.result(figures[kind], vacuity: nil)
        switch kind {
        case .answered: result.vacuity = result.vacuity ?? figures.vacuity
        // They say something without a token, too, and are not rewritten.
        case .notice, .outcome: result.correction = nil
        }
        return result
    }
}
