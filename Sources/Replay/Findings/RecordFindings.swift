internal import PolicyEngine

/// The findings in the attributes of a record.
struct RecordFindings: Sendable {
    /// The matches of the filters of all accounts.
    var matches = AccountMatches()
    /// The app that the record came with.
    var app = AppNumbers.none
    /// The attributes that filters look at and the record has, a bit for each; 0 unless a replay notes them.
    var presence: AttributePresences.Mask = 0
}

/// The matches of the filters of one account, or of both accounts of a comparison.
struct AccountMatches: Hashable, Sendable {
    // The filters that match, and the filters whose search was given up (R7.2), a bit for each: those of the first account in the
    // lower 32 bits, those of the second in the upper 32.
    private var matched: UInt64
    private var limitHits: UInt64
    // The accounts from which the registration of the record's app was removed (R15.2), a bit for each.
    private var removed: UInt8 = 0

    /// The greatest number of accounts.
    static var limit: Int { 2 }

    /// - Parameters:
    ///   - first: The matches of the filters of the first account.
    ///   - second: Those of the second, if there is one.
    init(_ first: AttributeMatches = .none, _ second: AttributeMatches = .none) {
        (matched, limitHits) = (0, 0)
        self[0] = first
        self[1] = second
    }

    fileprivate init(matched: UInt64, limitHits: UInt64) { (self.matched, self.limitHits) = (matched, limitHits) }

    /// The matches of an account's filters, by its index among ``RecordNeeds/accounts``.
    @inline(__always)
    subscript(account: Int) -> AttributeMatches {
        get {
            let shift = Self.shift(account)
            return AttributeMatches(
                matched: FilterSet(bits: UInt32(truncatingIfNeeded: matched >> shift)),
                limitHits: FilterSet(bits: UInt32(truncatingIfNeeded: limitHits >> shift)),
                isRemoved: removed >> UInt8(account) & 1 != 0)
        }
        set {
            let (shift, bit) = (Self.shift(account), UInt8(1) << UInt8(account))
            let otherBits = ~(UInt64(UInt32.max) << shift)
            matched = matched & otherBits | UInt64(newValue.matched.bits) << shift
            limitHits = limitHits & otherBits | UInt64(newValue.limitHits.bits) << shift
            removed = removed & ~bit | (newValue.isRemoved ? bit : 0)
        }
    }

    private static func shift(_ account: Int) -> UInt64 { UInt64(account * FilterSet.limit) }

    /// Bits that differ for most different matches, for hashing.
    var mixedBits: UInt64 { matched ^ limitHits << 1 ^ matched >> 31 ^ UInt64(removed) << 62 }

    // All but `removed`, which follows from a whole record and not from values.
    fileprivate var words: (matched: UInt64, limitHits: UInt64) { (matched, limitHits) }
}

/// The findings in a value, or in several values of one record.
struct ValueFindings: Finding {
    // A word each for the filters that match, the filters whose search was given up, the app with its version, and the attributes
    // that have values, so that the findings in several values of a record are joined by one instruction.
    private var words: SIMD4<UInt64>

    static var nothing: ValueFindings { ValueFindings(words: .zero) }

    private init(words: SIMD4<UInt64>) { self.words = words }

    /// - Parameters:
    ///   - matches: The matches of the filters of all accounts.
    ///   - app: The app that the value names, or its version.
    ///   - presence: The bit of the attribute; 0 unless a replay notes which attributes a record has.
    init(_ matches: AccountMatches, app: AppValues, presence: AttributePresences.Mask) {
        words = [
            matches.words.matched, matches.words.limitHits, UInt64(app.version) << 32 | UInt64(app.app), presence,
        ]
    }

    /// The matches of the filters of all accounts, without what removed registrations do (``RemovalMatcher``).
    var matches: AccountMatches { AccountMatches(matched: words[0], limitHits: words[1]) }
    /// The numbers of the values that name the app and its version.
    var app: AppValues {
        AppValues(
            app: UInt32(truncatingIfNeeded: words[2]), version: UInt32(truncatingIfNeeded: words[2] >> 32))
    }
    /// The attributes that have values, a bit for each; 0 unless a replay notes them.
    var presence: AttributePresences.Mask { words[3] }

    @inline(__always)
    mutating func formUnion(_ other: ValueFindings) { words |= other.words }
}
