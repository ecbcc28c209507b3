/// A property flag by its index in the catalogue (R2.1); its name is known only at the edges.
public struct Flag: Hashable, Comparable, Sendable {
    /// 0 through 127: first the catalogue of the manual, then flags that an account declares, then unknown ones in
    /// order of first sight (R2.3).
    @usableFromInline package let index: UInt8

    /// How many flags there can be in all (R2.2, R16).
    package static let limit = 128

    /// Makes the flag at an index.
    ///
    /// - Parameter index: 0 through 127.
    @inlinable init(index: UInt8) {
        self.index = index
    }

    /// The bit of this flag in a ``FlagSet``.
    @inlinable var bit: UInt128 { 1 << UInt128(index) }

    /// Whether the left flag comes first in the catalogue.
    public static func < (left: Flag, right: Flag) -> Bool { left.index < right.index }
}

extension Flag {
    // The flags that the rules themselves speak of; `BuiltInFlags` holds the whole table.

    /// `app-not-registered`.
    package static let appNotRegistered = Flag(index: 0)

    /// `xposed`.
    package static let xposed = Flag(index: 6)

    /// `cloned`.
    package static let cloned = Flag(index: 14)

    /// `pinning-tampered`.
    package static let pinningTampered = Flag(index: 19)

    /// `did-ban`.
    package static let deviceBan = Flag(index: 21)

    /// `did-unban`.
    package static let deviceUnban = Flag(index: 22)

    /// `new-did`.
    public static let newDevice = Flag(index: 23)

    /// `devicecheck-completed`.
    package static let deviceCheckCompleted = Flag(index: 24)

    /// `devicecheck-failed`.
    package static let deviceCheckFailed = Flag(index: 25)

    /// `devicecheck-unavailable`.
    package static let deviceCheckUnavailable = Flag(index: 26)

    /// `devicecheck-ban`.
    package static let deviceCheckBan = Flag(index: 27)

    /// `devicecheck-missing`.
    package static let deviceCheckMissing = Flag(index: 28)

    /// `safetynet-completed`.
    package static let safetyNetCompleted = Flag(index: 29)

    /// `safetynet-fail-token`.
    package static let safetyNetFailToken = Flag(index: 30)

    /// `safetynet-fail-integrity`.
    package static let safetyNetFailIntegrity = Flag(index: 31)

    /// `safetynet-fail-profile`.
    package static let safetyNetFailProfile = Flag(index: 32)

    /// `safetynet-fail-cert`.
    package static let safetyNetFailCertificate = Flag(index: 33)

    /// `safetynet-unavailable`.
    package static let safetyNetUnavailable = Flag(index: 34)

    /// `safetynet-missing`.
    package static let safetyNetMissing = Flag(index: 35)

    /// `risky-device`.
    package static let riskyDevice = Flag(index: 36)
}
