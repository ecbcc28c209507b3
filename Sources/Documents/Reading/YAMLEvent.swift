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
    /// Whether the value is named with `&`.
    var hasAnchor = false
    /// Whether the value is typed with `!`.
    var hasTag = false
}
