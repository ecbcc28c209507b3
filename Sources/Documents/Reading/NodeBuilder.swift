/// Puts a tree together from the events of a YAML parser, and refuses constructs that documents may not hold.
///
/// The stack is its own, bounded by `DocumentLimits.maximumNesting`: no input makes it recurse.
struct NodeBuilder {
    enum Step {
        case proceed
        case stop
    }

    /// A list or a mapping that is not closed yet.
    private struct Frame {
        let position: SourcePosition
        let start: Int
        let isMapping: Bool
        let isFlow: Bool
        var nodes: [Node] = []
        var entries: [Node.Entry] = []
        // The line of each key, by its bytes: strings that only look alike are different keys. Of few keys it is not needed.
        var lines: [[UInt8]: Int] = [:]
        var key: (text: String, position: SourcePosition, range: Range<Int>)?

        // The keys of a mapping that are compared one by one, which is faster than to hash them.
        private static let fewKeys = 8

        // Adds an entry, unless its key is there already; then the line of that is the result.
        mutating func add(_ entry: Node.Entry) -> Int? {
            if entries.count <= Self.fewKeys {
                for index in entries.indices where entries[index].key.utf8.elementsEqual(entry.key.utf8) {
                    return entries[index].keyPosition.line
                }
            } else {
                if lines.isEmpty { for entry in entries { lines[Array(entry.key.utf8)] = entry.keyPosition.line } }
                let bytes = Array(entry.key.utf8)
                if let line = lines[bytes] { return line }
                lines[bytes] = entry.keyPosition.line
            }
            entries.append(entry)
            return nil
        }

        // In block style nothing marks the end, and the event comes where the next thing starts.
        func range(closedBy event: YAMLEvent) -> Range<Int> {
            if isFlow { return start..<max(start, event.range.upperBound) }
            let last = isMapping ? entries.last?.value.range : nodes.last?.range
            return start..<max(start, last?.upperBound ?? start)
        }
    }

    private var frames: [Frame] = []
    private var root: Node?
    private var hasDocument = false
    private var isBroken = false
    private var reader: DocumentReader

    init(source: SourceFile) {
        reader = DocumentReader(source: source)
    }

    /// The document; it has no root if a problem was found that changes its meaning.
    var document: ParsedDocument {
        ParsedDocument(source: reader.source, root: isBroken ? nil : root, diagnostics: reader.diagnostics)
    }

    /// Takes the next event and says whether more are wanted.
    mutating func accept(_ event: YAMLEvent) -> Step {
        refuseProperties(of: event)
        switch event.kind {
        case .documentStart: return startDocument(at: event.position)
        case .scalar(let text, let isPlain):
            place(Node(position: event.position, range: event.range, content: .scalar(text, isPlain: isPlain)))
        case .sequenceStart(let isFlow): return open(by: event, isMapping: false, isFlow: isFlow)
        case .mappingStart(let isFlow): return open(by: event, isMapping: true, isFlow: isFlow)
        case .collectionEnd: close(by: event)
        case .alias(let name):
            refuse("the alias \("*\(name)".quoted) is not supported", at: event.position, hint: Self.writeOut)
            place(Node(position: event.position, content: .scalar("*\(name)", isPlain: true)))
        case .streamEnd: return .stop
        case .other: break
        }
        return .proceed
    }

    /// Takes a problem behind which nothing could be read.
    mutating func fail(with diagnostic: Diagnostic) {
        reader.diagnostics.add(diagnostic)
        isBroken = true
    }

    private static let writeOut = "write the value out wherever it is used, or put the text in quotes"

    private mutating func refuse(_ message: String, at position: SourcePosition, hint: String? = nil) {
        reader.error(message, at: position, hint: hint)
        isBroken = true
    }

    private mutating func refuseProperties(of event: YAMLEvent) {
        if event.hasAnchor { refuse("anchors are not supported", at: event.position, hint: Self.writeOut) }
        if event.hasTag {
            refuse("tags are not supported", at: event.position, hint: "remove the tag, or put the text in quotes")
        }
    }

    private mutating func startDocument(at position: SourcePosition) -> Step {
        guard hasDocument else {
            hasDocument = true
            return .proceed
        }
        refuse(
            "a second document starts here; a file holds one", at: position,
            hint: "put it in a file of its own")
        return .stop
    }

    private mutating func open(by event: YAMLEvent, isMapping: Bool, isFlow: Bool) -> Step {
        let position = event.position
        if let frame = frames.last, frame.isMapping, frame.key == nil {
            refuse("a key must be text, not \(isMapping ? "a mapping" : "a list")", at: position)
            return .stop
        }
        guard frames.count < DocumentLimits.maximumNesting else {
            refuse(
                "nesting is deeper than \(DocumentLimits.maximumNesting) levels", at: position,
                hint: "is a bracket left open?")
            return .stop
        }
        frames.append(Frame(position: position, start: event.range.lowerBound, isMapping: isMapping, isFlow: isFlow))
        return .proceed
    }

    private mutating func close(by event: YAMLEvent) {
        guard let frame = frames.popLast() else { return }
        let content = frame.isMapping ? Node.Content.mapping(frame.entries) : .sequence(frame.nodes)
        place(Node(position: frame.position, range: frame.range(closedBy: event), content: content))
    }

    private mutating func place(_ node: Node) {
        guard let top = frames.indices.last else {
            if case .scalar("", isPlain: true) = node.content { return }
            root = node
            return
        }
        guard frames[top].isMapping else {
            frames[top].nodes.append(node)
            return
        }
        if let key = frames[top].key {
            frames[top].key = nil
            let entry = Node.Entry(key: key.text, keyPosition: key.position, keyRange: key.range, value: node)
            addEntry(entry, to: top)
        } else if case .scalar(let text, _) = node.content {
            if text.isEmpty { refuse("a key must not be empty", at: node.position) }
            frames[top].key = (text, node.position, node.range)
        }
    }

    private mutating func addEntry(_ entry: Node.Entry, to top: Int) {
        guard let line = frames[top].add(entry) else { return }
        reader.error("key \(entry.key.quoted) is already given in line \(line)", at: entry.keyPosition)
    }
}
