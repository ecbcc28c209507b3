package import PolicyEngine

/// Writes the decisions of one engine as JSON Lines (formats: Decisions).
package struct DecisionWriter {
    private var line = JSONBytes()
    // Rendered lists of flags by set; few different ones make up most streams.
    private var flagLists: [FlagSet: [UInt8]] = [:]
    private var annotationLists: [FlagSet: [UInt8]] = [:]
    private var codes = ResponseCodeCache()
    private static let capacity = 65_536
    private let redactor: Redactor?

    /// - Parameter redactor: The redactor that hides devices; `nil` shows them.
    package init(redactor: Redactor? = nil) {
        self.redactor = redactor
    }

    /// Renders a decision as one line with its end.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - index: Its number, counted from 0.
    ///   - engine: The engine that made it; always the same one.
    ///   - symbols: The numbering that it used.
    package mutating func render(_ decision: Decision, index: Int, engine: Engine, symbols: SymbolTable) -> [UInt8] {
        line.bytes.removeAll(keepingCapacity: true)
        line.raw("{\"index\":")
        line.integer(index)
        line.raw(",\"time\":")
        line.instant(decision.time)
        line.raw(",\"device\":\"")
        if let redactor {
            line.bytes += redactor.name(of: symbols.devices[decision.device]).utf8
        } else {
            symbols.devices[decision.device].append(to: &line.bytes)
        }
        line.raw(decision.passed ? "\",\"verdict\":\"pass\",\"policy\":" : "\",\"verdict\":\"fail\",\"policy\":")
        line.string(engine.policy(of: decision).description)
        line.raw(",\"rejections\":")
        strings(engine.rejections(of: decision, catalogue: symbols.catalogue))
        line.raw(",\"flags\":")
        line.bytes += flags(decision.flags, symbols.catalogue)
        line.raw(",\"annotations\":")
        if let annotations = decision.annotations {
            line.bytes += self.annotations(annotations, symbols.catalogue)
        } else {
            line.raw("null")
        }
        line.raw(",\"filters\":")
        strings(engine.filterNames(decision.filters, of: decision))
        line.raw(",\"lifetime\":")
        line.integer(decision.lifetime)
        line.raw(",\"expires\":")
        line.instant(decision.expires)
        line.raw(",\"arc\":")
        if let code = codes.code(of: decision, engine: engine) {
            line.string(code)
        } else {
            line.raw("null")
        }
        line.raw("}\n")
        return line.bytes
    }

    private mutating func strings(_ texts: [String]) {
        line.raw("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { line.raw(",") }
            line.string(redactor?.text(text) ?? text)
        }
        line.raw("]")
    }

    private mutating func flags(_ set: FlagSet, _ catalogue: FlagCatalogue) -> [UInt8] {
        Self.rendered(set, in: &flagLists) { catalogue.names(of: set) }
    }

    private mutating func annotations(_ set: FlagSet, _ catalogue: FlagCatalogue) -> [UInt8] {
        Self.rendered(set, in: &annotationLists) { catalogue.annotationNames(of: set) }
    }

    private static func rendered(
        _ set: FlagSet, in lists: inout [FlagSet: [UInt8]], names: () -> [String]
    ) -> [UInt8] {
        if let known = lists[set] { return known }
        var list = JSONBytes()
        JSONValue.array(names().map { .string($0) }).write(to: &list)
        if lists.count >= capacity { lists.removeAll(keepingCapacity: true) }
        lists[set] = list.bytes
        return list.bytes
    }
}
