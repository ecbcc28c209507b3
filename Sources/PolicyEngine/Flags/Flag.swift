/// A property flag by its index in the catalogue (R2.1); its name is known only at the edges.
public struct Flag: Hashable, Comparable, Sendable {
    /// 0 through 127: first the catalogue of the manual, then flags that an account declares, then unknown ones in
    /// order of first sight (R2.3).
    @usableFromInline package let index: UInt8

    /// The largest number of flags (R2.2, R16).
    package static let limit = 128

    /// Makes the flag at an index.
    ///
    /// - Parameter index: 0 through 127.
    @inlinable package init(index: UInt8) {
        self.index = index
    }

    /// The bit of this flag in a ``FlagSet``.
    @inlinable package var bit: UInt128 { (1 as UInt128) &<< UInt128(truncatingIfNeeded: index) }

    /// True if the left flag comes first in the catalogue.
    public static func < (left: Flag, right: Flag) -> Bool { left.index < right.index }
}

extension Flag {
    // The flags that the rules themselves speak of; `BuiltInFlags` holds the whole table.

    /// `app-not-registered`.
    @inlinable package static var appNotRegistered: Flag { Flag(index: 0) }

    /// `xposed`.
    @inlinable package static var xposed: Flag { Flag(index: 6) }

    /// `emulator`.
    @inlinable package static var emulator: Flag { Flag(index: 12) }

    /// `ios-simulator`.
    @inlinable package static var iosSimulator: Flag { Flag(index: 13) }

    /// `cloned`.
    @inlinable package static var cloned: Flag { Flag(index: 14) }

    /// `pinning-tampered`.
    @inlinable package static var pinningTampered: Flag { Flag(index: 19) }

    /// `init-config-outdated`.
    @inlinable package static var initialConfigurationOutdated: Flag { Flag(index: 20) }

    /// `did-ban`.
    @inlinable package static var deviceBan: Flag { Flag(index: 21) }

    /// `did-unban`.
    @inlinable package static var deviceUnban: Flag { Flag(index: 22) }

    /// `new-did`.
    @inlinable public static var newDevice: Flag { Flag(index: 23) }

    /// `devicecheck-completed`.
    @inlinable package static var deviceCheckCompleted: Flag { Flag(index: 24) }

    /// `devicecheck-failed`.
    @inlinable package static var deviceCheckFailed: Flag { Flag(index: 25) }

    /// `devicecheck-unavailable`.
    @inlinable package static var deviceCheckUnavailable: Flag { Flag(index: 26) }

    /// `devicecheck-ban`.
    @inlinable package static var deviceCheckBan: Flag { Flag(index: 27) }

    /// `devicecheck-missing`.
    @inlinable package static var deviceCheckMissing: Flag { Flag(index: 28) }

    /// `safetynet-completed`.
    @inlinable package static var safetyNetCompleted: Flag { Flag(index: 29) }

    /// `safetynet-fail-token`.
    @inlinable package static var safetyNetFailToken: Flag { Flag(index: 30) }

    /// `safetynet-fail-integrity`.
    @inlinable package static var safetyNetFailIntegrity: Flag { Flag(index: 31) }

    /// `safetynet-fail-profile`.
    @inlinable package static var safetyNetFailProfile: Flag { Flag(index: 32) }

    /// `safetynet-fail-cert`.
    @inlinable package static var safetyNetFailCertificate: Flag { Flag(index: 33) }

    /// `safetynet-unavailable`.
    @inlinable package static var safetyNetUnavailable: Flag { Flag(index: 34) }

    /// `safetynet-missing`.
    @inlinable package static var safetyNetMissing: Flag { Flag(index: 35) }

    /// `risky-device`.
    @inlinable package static var riskyDevice: Flag { Flag(index: 36) }
}
