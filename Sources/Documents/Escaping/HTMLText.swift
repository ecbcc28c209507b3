/// Text in HTML, in attributes and between tags.
package enum HTMLText {
    /// After how many characters a text is cut.
    private static let limit = 1000

    /// Appends a text so that none of it is markup; characters that a terminal would act on are made visible.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        VisibleText.append(text, limit: limit, to: &bytes) { byte in
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            case UInt8(ascii: "\""): "&quot;"
            case UInt8(ascii: "'"): "&#39;"
            default: nil
            }
        }
    }
}
