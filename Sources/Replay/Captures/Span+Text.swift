internal import PolicyEngine

extension Span<UInt8> {
    /// A part of the bytes as text; what is not UTF-8 becomes U+FFFD.
    func text(_ range: Range<Int>) -> String {
        var copy: [UInt8] = []
        append(range, to: &copy)
        return String(decoding: copy, as: UTF8.self)
    }
}
