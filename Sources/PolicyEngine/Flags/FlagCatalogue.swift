/// The flags that can occur, each at its place: built in, declared by the account, or first seen in a capture (R2.3).
public struct FlagCatalogue: Equatable, Sendable {
    /// The flags in catalogue order.
    public private(set) var flags: [PropertyFlag]
    /// How many of them a policy may name: all but those that only a capture brought (R2.2).
    public private(set) var namedCount: Int
    /// The flags that make a device risky (R10, step 6).
    public private(set) var riskFlags: FlagSet
    private var places: [ExactText: UInt8]

    /// The catalogue with the built-in flags alone.
    public init() { self = Self.builtIn }

    // Made once: every account starts with it.
    private static let builtIn = FlagCatalogue(BuiltInFlags.all)

    private init(_ flags: [PropertyFlag]) {
        self.flags = flags
        namedCount = flags.count
        riskFlags = .empty
        places = [:]
        for (place, flag) in flags.enumerated() {
            index(flag, at: place)
        }
        // The manual misspells this one in a place, so captures may too.
        places[ExactText("devicecheck-complated")] = places[ExactText("devicecheck-completed")]
    }

    /// The flag of that name, declared or seen.
    ///
    /// - Complexity: O(length of the name).
    public func flag(named name: String) -> Flag? {
        places[ExactText(name)].map(Flag.init(place:))
    }

    /// The flag of that name, if a policy may name it: built in or declared (R2.2).
    public func namedFlag(_ name: String) -> Flag? {
        flag(named: name).flatMap { Int($0.place) < namedCount ? $0 : nil }
    }

    /// What is known of a flag.
    public subscript(flag: Flag) -> PropertyFlag { flags[Int(flag.place)] }

    /// The names of some flags, in catalogue order.
    public func names(of set: FlagSet) -> [String] {
        set.map { self[$0].name }
    }

    /// The names that a policy may use, in catalogue order.
    public var declaredNames: [String] { flags.prefix(namedCount).map(\.name) }

    /// Adds a flag that an account declares.
    ///
    /// - Parameters:
    ///   - declaration: Name, description and risk.
    /// - Throws: ``FlagError`` when the name is taken, is not a flag's name, or there are 128 flags already.
    public mutating func declare(_ declaration: FlagDeclaration) throws(FlagError) {
        precondition(namedCount == flags.count, "flags are declared before any unknown one is seen")
        guard declaration.hasValidName else { throw .invalidName(declaration.name) }
        guard places[ExactText(declaration.name)] == nil else { throw .duplicate(declaration.name) }
        guard !AnnotationPolicy.presetNames.contains(declaration.name) else { throw .reserved(declaration.name) }
        try add(
            PropertyFlag(
                declaration.name, [], .declared,
                isRisk: declaration.isRisk, isNamedInManual: false, means: declaration.meaning)
        )
        namedCount = flags.count
    }

    /// The same flags at the places that another catalogue gives them, so that both can judge one stream.
    ///
    /// - Parameter other: Its declared flags come first, without risk where they are not declared here too.
    /// - Throws: ``FlagError/limitReached(_:)`` when both together have too many.
    public func aligned(with other: FlagCatalogue) throws(FlagError) -> FlagCatalogue {
        var result = FlagCatalogue()
        let (own, others) = (flags.prefix(namedCount), other.flags.prefix(other.namedCount))
        for flag in others.dropFirst(BuiltInFlags.all.count) + own.dropFirst(BuiltInFlags.all.count)
        where result.flag(named: flag.name) == nil {
            let known = namedFlag(flag.name).map { self[$0] }
            try result.declare(
                FlagDeclaration(name: flag.name, meaning: flag.meaning, isRisk: known?.isRisk ?? false))
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
        index(flag, at: flags.count)
        flags.append(flag)
        return Flag(place: UInt8(flags.count - 1))
    }

    private mutating func index(_ flag: PropertyFlag, at place: Int) {
        places[ExactText(flag.name)] = UInt8(place)
        if flag.isRisk { riskFlags.insert(Flag(place: UInt8(place))) }
    }
}
