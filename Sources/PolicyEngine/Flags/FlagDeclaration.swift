/// A flag that an account file declares beside the catalogue (R2.2).
public struct FlagDeclaration: Hashable, Sendable {
    /// The name: lower-case letters, digits and `-`, at most 64 characters.
    public let name: String
    /// One sentence for people; may be empty.
    public let meaning: String
    /// Whether it makes the device risky.
    public let isRisk: Bool

    /// Makes a declaration; the name is checked when a catalogue takes it.
    public init(name: String, meaning: String = "", isRisk: Bool = false) {
        self.name = name
        self.meaning = meaning
        self.isRisk = isRisk
    }

    var hasValidName: Bool {
        1...64 ~= name.utf8.count
            && name.utf8.allSatisfy { $0.isDigit || $0.isLowercaseLetter || $0 == UInt8(ascii: "-") }
    }
}
