extension Flag {
    // The flags that the rules themselves speak of; `BuiltInFlags` holds the whole table.

    /// `app-not-registered`.
    public static let appNotRegistered = Flag(place: 0)

    /// `xposed`.
    public static let xposed = Flag(place: 6)

    /// `cloned`.
    public static let cloned = Flag(place: 14)

    /// `pinning-tampered`.
    public static let pinningTampered = Flag(place: 19)

    /// `did-ban`.
    public static let deviceBan = Flag(place: 21)

    /// `did-unban`.
    public static let deviceUnban = Flag(place: 22)

    /// `new-did`.
    public static let newDevice = Flag(place: 23)

    /// `devicecheck-completed`.
    public static let deviceCheckCompleted = Flag(place: 24)

    /// `devicecheck-failed`.
    public static let deviceCheckFailed = Flag(place: 25)

    /// `devicecheck-unavailable`.
    public static let deviceCheckUnavailable = Flag(place: 26)

    /// `devicecheck-ban`.
    public static let deviceCheckBan = Flag(place: 27)

    /// `devicecheck-missing`.
    public static let deviceCheckMissing = Flag(place: 28)

    /// `safetynet-completed`.
    public static let safetyNetCompleted = Flag(place: 29)

    /// `safetynet-fail-token`.
    public static let safetyNetFailToken = Flag(place: 30)

    /// `safetynet-fail-integrity`.
    public static let safetyNetFailIntegrity = Flag(place: 31)

    /// `safetynet-fail-profile`.
    public static let safetyNetFailProfile = Flag(place: 32)

    /// `safetynet-fail-cert`.
    public static let safetyNetFailCertificate = Flag(place: 33)

    /// `safetynet-unavailable`.
    public static let safetyNetUnavailable = Flag(place: 34)

    /// `safetynet-missing`.
    public static let safetyNetMissing = Flag(place: 35)

    /// `risky-device`.
    public static let riskyDevice = Flag(place: 36)
}
