internal import Documents

/// The frequency and the times of attestations, in a scenario or a group.
enum ActivityFields {
    private static let all: [Field<Activity>] = [
        .value("zipf", \.zipf, .exponent), .value("rhythm", \.rhythm, .rhythm),
        .value("weight", \.weight, .integer(in: 1...Activity.weightLimit)),
    ]

    /// Reads the activity of a scenario or a group.
    ///
    /// - Parameters:
    ///   - node: The node that describes it.
    ///   - general: The value where nothing is said.
    ///   - reader: Gets what is wrong.
    static func load(_ node: Node, otherwise general: Activity, _ reader: inout DocumentReader) -> Activity {
        all.read(node, "`activity`", from: general, &reader) ?? general
    }

    static var schema: JSONSchema { all.schema() }
}

extension ValueForm<ZipfExponent> {
    fileprivate static var exponent: ValueForm {
        let number = JSONSchema([("type", .text("number")), ("minimum", .number(0)), ("maximum", .number(10))])
        let text = JSONSchema.text(matching: "(10(\\.0{1,3})?|[0-9](\\.[0-9]{1,3})?)")
        return ValueForm(.any(of: [number, text])) { node, what, reader in
            guard let text = reader.text(node, what) else { return nil }
            if let exponent = ZipfExponent(text) { return exponent }
            reader.error(
                "\(what) must be a number from `0` to `10` with at most three decimals, not \(text.quoted)",
                at: node.position)
            return nil
        }
    }
}

extension ValueForm<Rhythm> {
    // A name, or a weight for each hour.
    fileprivate static var rhythm: ValueForm {
        let weights = JSONSchema.list(
            of: .integer(in: 0...Rhythm.weightLimit), atLeast: Rhythm.hourCount, atMost: Rhythm.hourCount)
        return ValueForm(.any(of: [.words(["even", "day"]), weights])) { node, what, reader in
            guard case .sequence(let nodes) = node.content else {
                return reader.choice(node, what, from: ["even", "day"]).map { $0 == "day" ? .day : .even }
            }
            return rhythm(nodes, at: node.position, &reader)
        }
    }

    private static func rhythm(
        _ nodes: [Node], at position: SourcePosition, _ reader: inout DocumentReader
    ) -> Rhythm? {
        guard nodes.count == Rhythm.hourCount else {
            reader.error(
                "`rhythm` must have \(Rhythm.hourCount) weights, one for each hour of the day, not \(nodes.count)",
                at: position)
            return nil
        }
        let weights = nodes.compactMap { reader.integer($0, "a weight of `rhythm`", in: 0...Rhythm.weightLimit) }
        guard weights.count == nodes.count else { return nil }
        let rhythm = Rhythm(weights: weights)
        if rhythm == nil { reader.error("`rhythm` leaves no hour in which anyone attests", at: position) }
        return rhythm
    }
}
