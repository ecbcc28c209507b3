/// Which of the set flags a token names in its `anno` claim (R5).
public struct AnnotationPolicy: Hashable, Sendable {
    /// The policy as it was written: `default`, `info`, `risk`, `all`, or flags joined by `+`.
    public let text: String
    /// The flags that a token may name.
    public let flags: FlagSet

    /// The names that are not those of flags.
    package static let presetNames = FlagDeclaration.reservedNames

    /// The policy without annotations.
    public static let none = AnnotationPolicy(text: "default", flags: .empty)

    private static let informationFlags = [
        "risky-device", "xposed", "automated", "automated-launch", "non-standard-launch",
    ]

    private init(text: String, flags: FlagSet) {
        self.text = text
        self.flags = flags
    }

    /// Reads a policy (R5.1, R5.2).
    ///
    /// - Parameters:
    ///   - text: A preset's name, or names of flags joined by `+`.
    ///   - catalogue: The flags that may be named.
    /// - Throws: ``PolicyError/unknownAnnotation(_:known:)`` naming the first part that is neither.
    public init(_ text: String, catalogue: FlagCatalogue) throws(PolicyError) {
        self.text = text
        switch text {
        case "default": flags = .empty
        case "info": flags = FlagSet(Self.informationFlags.compactMap(catalogue.namedFlag))
        case "risk": flags = [.riskyDevice]
        case "all": flags = FlagSet(bits: .max)
        default:
            var named: FlagSet = .empty
            for part in text.split(separator: "+", omittingEmptySubsequences: false) {
                guard let flag = catalogue.namedFlag(String(part)) else {
                    let known = Self.presetNames + catalogue.declaredNames
                    throw .unknownAnnotation(String(part), known: known)
                }
                named.insert(flag)
            }
            flags = named
        }
    }

    /// True if a token can carry an annotation at all; if not, there is no `anno` claim (R5.3).
    package var canAnnotate: Bool { !flags.isEmpty }

    /// True if it was written as several flags, joined by `+` (R5.2).
    package var isJoined: Bool { text.utf8.contains(UInt8(ascii: "+")) }

    /// True if a token names every flag, which is warned about on a whole account (R5.4).
    package var namesEverything: Bool { text == "all" }
}
