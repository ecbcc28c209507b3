internal import CYAML

/// Owns libyaml's parser and hands out its events as Swift values; no pointer of libyaml leaves this file.
@safe
struct YAMLEventStream: ~Copyable {
    // SAFETY: allocated and initialised in `init`, released only in `deinit`. It lives on the heap because libyaml
    // keeps a pointer to the parser inside the parser.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    // SAFETY: a copy of the text, allocated in `init`, released only in `deinit`, after the parser that reads it.
    private let input: UnsafeMutableBufferPointer<UInt8>

    /// Starts to read a text.
    ///
    /// - Throws: `YAMLFailure` when there is no memory for a parser.
    init(_ text: String) throws(YAMLFailure) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        // SAFETY: `parser` has room for one parser, which libyaml sets to zero before it fills it in.
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            // SAFETY: allocated above and not used any more; libyaml has released what it allocated itself.
            unsafe parser.deallocate()
            throw YAMLFailure(problem: "not enough memory", origin: .byte(0))
        }
        let count = text.utf8.count
        let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, count))
        // SAFETY: the buffer has room for every byte of the text.
        _ = unsafe input.initialize(from: text.utf8)
        // SAFETY: the parser is initialised, and `input` holds `count` bytes for as long as the parser lives.
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, count)
        // SAFETY: from here on this value owns both.
        unsafe (self.parser, self.input) = unsafe (parser, input)
    }

    deinit {
        // SAFETY: both were allocated in `init`, and this runs once; libyaml lets go of the input first.
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe input.deallocate()
    }

    /// Reads the next event; not to be called again after `streamEnd` or an error.
    ///
    /// - Throws: `YAMLFailure` when the text is not YAML.
    mutating func next() throws(YAMLFailure) -> YAMLEvent {
        // SAFETY: libyaml sets every field of the event before it is read, and the parser was initialised.
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        // SAFETY: the event is released once, after everything it points to was copied.
        defer { unsafe yaml_event_delete(&event) }
        return unsafe Self.event(from: event)
    }

    private func failure() -> YAMLFailure {
        // SAFETY: the parser is initialised; after an error its texts are constants of libyaml or null.
        let state = unsafe parser.pointee
        let problem = unsafe state.problem.map { unsafe String(cString: $0) } ?? "unknown problem"
        if unsafe state.error == YAML_READER_ERROR {
            return unsafe YAMLFailure(problem: problem, origin: .byte(Int(clamping: state.problem_offset)))
        }
        let mark = unsafe Self.position(state.problem_mark)
        // SAFETY: as above.
        guard let context = unsafe state.context.map({ unsafe String(cString: $0) }) else {
            return YAMLFailure(problem: problem, origin: .position(mark))
        }
        let contextPosition = unsafe Self.position(state.context_mark)
        return YAMLFailure(
            problem: problem, origin: .position(mark), context: context, contextPosition: contextPosition)
    }

    // SAFETY: `event` must come from libyaml and not be released yet. Only the part of its union that belongs to its
    // type is read, so that the pointers there are those that libyaml set.
    private static func event(from event: yaml_event_t) -> YAMLEvent {
        let position = unsafe position(event.start_mark)
        let (start, end) = unsafe (Int(clamping: event.start_mark.index), Int(clamping: event.end_mark.index))
        let range = start..<max(start, end)
        switch unsafe event.type {
        case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, position: position, range: range)
        case YAML_STREAM_END_EVENT: return YAMLEvent(kind: .streamEnd, position: position, range: range)
        case YAML_SCALAR_EVENT:
            let data = unsafe event.data.scalar
            let (hasAnchor, hasTag) = unsafe (data.anchor != nil, data.tag != nil)
            let kind = unsafe YAMLEvent.Kind.scalar(
                text(data.value, count: data.length), isPlain: data.style == YAML_PLAIN_SCALAR_STYLE)
            return YAMLEvent(kind: kind, position: position, range: range, hasAnchor: hasAnchor, hasTag: hasTag)
        case YAML_SEQUENCE_START_EVENT:
            let data = unsafe event.data.sequence_start
            let (hasAnchor, hasTag) = unsafe (data.anchor != nil, data.tag != nil)
            let kind = unsafe YAMLEvent.Kind.sequenceStart(isFlow: data.style == YAML_FLOW_SEQUENCE_STYLE)
            return YAMLEvent(kind: kind, position: position, range: range, hasAnchor: hasAnchor, hasTag: hasTag)
        case YAML_MAPPING_START_EVENT:
            let data = unsafe event.data.mapping_start
            let (hasAnchor, hasTag) = unsafe (data.anchor != nil, data.tag != nil)
            let kind = unsafe YAMLEvent.Kind.mappingStart(isFlow: data.style == YAML_FLOW_MAPPING_STYLE)
            return YAMLEvent(kind: kind, position: position, range: range, hasAnchor: hasAnchor, hasTag: hasTag)
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
            return YAMLEvent(kind: .collectionEnd, position: position, range: range)
        case YAML_ALIAS_EVENT:
            let name = unsafe event.data.alias.anchor.map { unsafe String(cString: $0) }
            return YAMLEvent(kind: .alias(name ?? ""), position: position, range: range)
        default: return YAMLEvent(kind: .other, position: position, range: range)
        }
    }

    // SAFETY: `start` must point to `count` bytes, or be null with a count of 0.
    private static func text(_ start: UnsafePointer<UInt8>?, count: Int) -> String {
        unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private static func position(_ mark: yaml_mark_t) -> SourcePosition {
        SourcePosition(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
    }
}

/// One step of reading YAML.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case scalar(String, isPlain: Bool)
        case sequenceStart(isFlow: Bool)
        case mappingStart(isFlow: Bool)
        case collectionEnd
        case alias(String)
        case streamEnd
        /// A step that says nothing about the tree.
        case other
    }

    let kind: Kind
    let position: SourcePosition
    /// The Unicode scalars of the text that it stands for; none where a list or a mapping in block style starts or ends.
    let range: Range<Int>
    /// True if the value is named with `&`.
    var hasAnchor = false
    /// True if the value is typed with `!`.
    var hasTag = false
}
