internal import Documents
internal import PolicyEngine

/// Where the devices of a group get an attribute's value from.
indirect enum AttributeSource: Sendable {
    /// The same text for each.
    case text(String)
    /// An address of a block for each.
    case block(AddressBlock)
    /// One of several for each; the shares are running totals up to 100 %.
    case choice([(source: AttributeSource, upTo: Percentage)])

    /// The value for one device.
    ///
    /// - Parameter makeGenerator: Makes what it is drawn with; not needed where all have the same.
    func value(drawnWith makeGenerator: () -> SeededGenerator) -> String {
        if case .text(let text) = self { return text }
        var generator = makeGenerator()
        return draw(&generator)
    }

    private func draw(_ generator: inout SeededGenerator) -> String {
        switch self {
        case .text(let text): return text
        case .block(let block): return block.draw(&generator)
        case .choice(let choices):
            let draw = generator.next()
            return (choices.first { $0.upTo.contains(draw) } ?? choices[choices.count - 1]).source.draw(&generator)
        }
    }

    /// The texts that it can be; none of a block.
    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .block: []
        case .choice(let choices): choices.flatMap(\.source.texts)
        }
    }
}
