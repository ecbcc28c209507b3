/// The flags that can occur, each at its index: built in, declared by the account, or first seen in a capture (R2.3).
public struct FlagCatalogue: Equatable, Sendable {
    /// The flags in catalogue order.
    package private(set) var flags: [PropertyFlag]
    /// The number of flags that a policy may name: all but those that only a capture brought (R2.2).
    package private(set) var namedCount: Int
    /// The flags that make a device risky (R10, step 6).
    package private(set) var riskFlags: FlagSet
    private var indices: [ExactText: UInt8]

    /// The catalogue with the built-in flags alone.
    public init() { self = Self.builtIn }

    // Made once: every account starts with it.
    private static let builtIn = FlagCatalogue(BuiltInFlags.all)

    /// A name that the manual misspells once, and that is read as the flag.
    package static let misspelt = "devicecheck-complated"

    private init(_ flags: [PropertyFlag]) {
        self.flags = flags
        namedCount = flags.count
        riskFlags = .empty
        indices = [:]
        for (index, flag) in flags.enumerated() {
            number(flag, at: index)
        }
        // The manual misspells this one once, so captures may too.
        indices[ExactText(Self.misspelt)] = indices[ExactText("devicecheck-completed")]
    }

    /// The flag of that name, declared or seen.
    ///
    /// - Complexity: O(length of the name).
    public func flag(named name: String) -> Flag? {
        indices[ExactText(name)].map(Flag.init(index:))
    }

    /// The flag of that name, if a policy may name it: built in or declared (R2.2).
    package func namedFlag(_ name: String) -> Flag? {
        flag(named: name).flatMap { Int($0.index) < namedCount ? $0 : nil }
    }

    /// The catalogue's row on a flag.
    package subscript(flag: Flag) -> PropertyFlag { flags[Int(flag.index)] }

    /// The names of some flags, in catalogue order.
    public func names(of set: FlagSet) -> [String] {
        set.map { self[$0].name }
    }

    /// The names of some flags as annotations write them: sorted by byte value (R2.3).
    public func annotationNames(of set: FlagSet) -> [String] {
        names(of: set).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The names that a policy may use, in catalogue order.
    public var declaredNames: [String] { flags.prefix(namedCount).map(\.name) }

    /// The flags that a policy may name, in catalogue order, each with its name.
    package var declaredFlags: [(name: String, flag: Flag)] {
        flags.prefix(namedCount).enumerated().map { ($1.name, Flag(index: UInt8($0))) }
    }

    /// The flags that an account declares beside the built-in ones, in their order.
    package var declarations: [FlagDeclaration] {
        flags.prefix(namedCount).dropFirst(BuiltInFlags.all.count).map {
            FlagDeclaration(name: $0.name, meaning: $0.meaning, isRisk: $0.isRisk)
        }
    }

    /// Adds a flag that an account declares.
    ///
    /// - Parameters:
    ///   - declaration: Name, description and risk.
    /// - Throws: ``FlagError`` when the name is taken, is not a flag's name, or there are 128 flags already.
    package mutating func declare(_ declaration: FlagDeclaration) throws(FlagError) {
        precondition(namedCount == flags.count, "flags are declared before any unknown one is seen")
        guard declaration.hasValidName else { throw .invalidName(declaration.name) }
        guard indices[ExactText(declaration.name)] == nil else { throw .duplicate(declaration.name) }
        guard !FlagDeclaration.reservedNames.contains(declaration.name) else { throw .reserved(declaration.name) }
        try add(
            PropertyFlag(
                declaration.name, [], .declared,
                isRisk: declaration.isRisk, isNamedInManual: false, means: declaration.meaning)
        )
        namedCount = flags.count
    }

    /// The same flags at the indices that another catalogue gives them, so that accounts of both can evaluate one stream.
    ///
    /// - Parameter other: Its declared flags come first, without risk where they are not declared here too.
    /// - Throws: ``FlagError/limitReached(_:)`` when both together have too many.
    package func aligned(with other: FlagCatalogue) throws(FlagError) -> FlagCatalogue {
        var result = FlagCatalogue()
        for var flag in other.declarations + declarations where result.flag(named: flag.name) == nil {
            flag.isRisk = namedFlag(flag.name).map { self[$0].isRisk } ?? false
            try result.declare(flag)
        }
        return result
    }

    /// The flag of a name that a capture brought, added as unknown when it is new (R2.2).
    ///
    /// - Throws: ``FlagError/limitReached(_:)`` for the 129th flag.
    public mutating func intern(observed name: String) throws(FlagError) -> Flag {
        if let known = flag(named: name) { return known }
        return try add(PropertyFlag(name, [], .unknown, isNamedInManual: false, means: "Not in the catalogue"))
    }

    @discardableResult
    private mutating func add(_ flag: PropertyFlag) throws(FlagError) -> Flag {
        guard flags.count < Flag.limit else { throw .limitReached(flag.name) }
        number(flag, at: flags.count)
        flags.append(flag)
        return Flag(index: UInt8(flags.count - 1))
    }

    private mutating func number(_ flag: PropertyFlag, at index: Int) {
        indices[ExactText(flag.name)] = UInt8(index)
        if flag.isRisk { riskFlags.insert(Flag(index: UInt8(index))) }
    }
}

/// A flag that an account file declares beside the catalogue (R2.2).
public struct FlagDeclaration: Hashable, Sendable {
    /// The name: lower-case letters, digits and `-`, at most 64 characters.
    public package(set) var name: String
    /// One sentence for people; may be empty.
    public package(set) var meaning: String
    /// True if it makes the device risky.
    public package(set) var isRisk: Bool

    /// Makes a declaration; the name is checked when a catalogue takes it.
    public init(name: String, meaning: String = "", isRisk: Bool = false) {
        self.name = name
        self.meaning = meaning
        self.isRisk = isRisk
    }

    /// Names that flags cannot have: an annotation policy of that name means something else (R5.1).
    static let reservedNames = ["default", "info", "risk", "all"]

    var hasValidName: Bool {
        1...64 ~= name.utf8.count
            && name.utf8.allSatisfy { $0.isDigit || $0.isLowercaseLetter || $0 == UInt8(ascii: "-") }
    }
}

/// Why a flag could not be added to a catalogue.
public enum FlagError: Error, Hashable, Sendable {
    /// The name is not 1 to 64 lower-case letters, digits and `-`.
    case invalidName(String)
    /// The catalogue or the account has a flag of that name already.
    case duplicate(String)
    /// The name means something else in an annotation policy.
    case reserved(String)
    /// It would be the 129th flag (R2.2).
    case limitReached(String)
}

extension FlagError: CustomStringConvertible {
    /// The error in words: lower case, no final period, what the user wrote in backticks.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "`\(name)` is not a flag name; use 1 to 64 lower-case letters, digits and `-`"
        case .duplicate(let name): "flag `\(name)` exists already"
        case .reserved(let name): "flag `\(name)` would have the name of an annotation policy"
        case .limitReached(let name): "flag `\(name)` is one too many; there can be at most \(Flag.limit) flags"
        }
    }
}

/// One property flag (R2.1): a row of the catalogue.
package struct PropertyFlag: Hashable, Sendable {
    /// The name in policies, captures and reports, such as `rooted`.
    @ByteExact package private(set) var name: String
    /// The systems on which it can occur; empty where nobody knows.
    package let platforms: [OperatingSystem]
    /// The detection that it belongs to.
    package let kind: Kind
    /// True if it makes the device risky (R10, step 6).
    package let isRisk: Bool
    /// True if it is direct evidence of tampering with the SDK.
    package let isEvidenceAgainstSDK: Bool
    /// True if the manual gives the name.
    package let isNamedInManual: Bool
    /// True if the engine can set it itself (R2.4).
    package let isDerived: Bool
    /// The marks by which presets reject on it (``RejectionTable``); empty if none does.
    let rejections: String
    /// One sentence for people.
    @ByteExact package private(set) var meaning: String

    /// The detections of the manual's table "Detection Capabilities".
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case authenticity, spoofing, tampering, rooting, framework, jailbreaking, emulation, cloning, debugging
        case automation, unpinning, information, banning, devicecheck, safetynet
        /// Declared by an account, or brought by a capture.
        case declared, unknown
    }

    init(
        _ name: String,
        _ platforms: [OperatingSystem],
        _ kind: Kind,
        isRisk: Bool = false,
        isEvidenceAgainstSDK: Bool = false,
        isNamedInManual: Bool = true,
        isDerived: Bool = false,
        rejectedBy rejections: String = "",
        means meaning: String
    ) {
        self.name = name
        self.platforms = platforms
        self.kind = kind
        self.isRisk = isRisk
        self.isEvidenceAgainstSDK = isEvidenceAgainstSDK
        self.isNamedInManual = isNamedInManual
        self.isDerived = isDerived
        self.rejections = rejections
        self.meaning = meaning
    }
}
