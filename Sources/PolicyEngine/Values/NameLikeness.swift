/// Known names by what is left of them without case and separators, so that a name written in another way is recognised.
package struct NameLikeness: Sendable {
    private var known: [[UInt8]: String] = [:]

    /// - Parameter names: The known names; of those that look alike the first counts.
    package init(_ names: some Sequence<String>) {
        for name in names {
            let core = Self.core(name)
            if known[core] == nil { known[core] = name }
        }
    }

    /// The known name that a text is, in whatever case and with whatever separators.
    package func name(like text: String) -> String? { known[Self.core(text)] }

    private static func core(_ text: String) -> [UInt8] {
        text.utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
            default: byte
            }
        }
    }
}
