/// One step of reading YAML.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case scalar(String, isPlain: Bool)
        case sequenceStart
        case mappingStart
        case collectionEnd
        case alias(String)
        case streamEnd
        /// A step that says nothing about the tree.
        case other
    }

    let kind: Kind
    let position: SourcePosition
    /// Whether the value is named with `&`.
    var hasAnchor = false
    /// Whether the value is typed with `!`.
    var hasTag = false
}
