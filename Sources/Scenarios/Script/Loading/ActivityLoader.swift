internal import Documents

/// Reads how often devices attest, and when.
enum ActivityLoader {
    /// Reads the activity of a scenario or a group.
    ///
    /// - Parameters:
    ///   - node: The node that describes it.
    ///   - general: The value where nothing is said.
    ///   - reader: Gets what is wrong.
    static func load(_ node: Node, otherwise general: Activity, _ reader: inout DocumentReader) -> Activity {
        guard var fields = reader.mapping(node, "`activity`") else { return general }
        var activity = general
        if let node = fields.take("zipf") { activity.zipf = exponent(node, &reader) ?? general.zipf }
        if let node = fields.take("rhythm") { activity.rhythm = rhythm(node, &reader) ?? general.rhythm }
        if let node = fields.take("weight") {
            activity.weight = reader.integer(node, "`weight`", in: 1...Activity.weightLimit) ?? general.weight
        }
        fields.finish(&reader)
        return activity
    }

    private static func exponent(_ node: Node, _ reader: inout DocumentReader) -> ZipfExponent? {
        guard let text = reader.text(node, "`zipf`") else { return nil }
        if let exponent = ZipfExponent(text) { return exponent }
        reader.error(
            "`zipf` must be a number from `0` to `10` with at most three decimals, not \(text.quoted)",
            at: node.position)
        return nil
    }

    // A name, or a weight for each hour.
    private static func rhythm(_ node: Node, _ reader: inout DocumentReader) -> Rhythm? {
        guard case .sequence(let nodes) = node.content else {
            let name = reader.choice(node, "`rhythm`", from: ["even", "day"])
            return name.map { $0 == "day" ? .day : .even }
        }
        guard nodes.count == Rhythm.hourCount else {
            reader.error(
                "`rhythm` must have \(Rhythm.hourCount) weights, one for each hour of the day, not \(nodes.count)",
                at: node.position)
            return nil
        }
        let weights = nodes.compactMap { reader.integer($0, "a weight of `rhythm`", in: 0...Rhythm.weightLimit) }
        guard weights.count == nodes.count else { return nil }
        let rhythm = Rhythm(weights: weights)
        if rhythm == nil { reader.error("`rhythm` leaves no hour in which anyone attests", at: node.position) }
        return rhythm
    }
}
