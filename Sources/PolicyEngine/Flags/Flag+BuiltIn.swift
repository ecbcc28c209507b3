extension Flag {
    // The flags that the rules themselves speak of; `BuiltInFlags` holds the whole table.

    /// `app-not-registered`.
    public static let appNotRegistered = Flag(place: 0)

    /// `xposed`.
    public static let xposed = Flag(place: 6)

    /// `pinning-tampered`.
    public static let pinningTampered = Flag(place: 19)

    /// `did-ban`.
    public static let deviceBan = Flag(place: 21)

    /// `did-unban`.
    public static let deviceUnban = Flag(place: 22)

    /// `new-did`.
    public static let newDevice = Flag(place: 23)

    /// `risky-device`.
    public static let riskyDevice = Flag(place: 36)
}
