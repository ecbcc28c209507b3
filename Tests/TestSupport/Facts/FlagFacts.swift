/// The catalogue of flags (R2.1), copied from the design notes, so that the tests stand without them.
///
/// The last column keeps only whether the engine derives the flag.
enum FlagFacts {
    static let copy = """
        | # | flag | plat | type | risk | sdk | src | means |
        | --- | --- | --- | --- | --- | --- | --- | --- |
        | 0 | app-not-registered | AI | authenticity | | | M | |
        | 1 | bad-hmac | AI | spoofing | risk | sdk | M | |
        | 2 | sdk-tampered | AI | spoofing | risk | sdk | D | |
        | 3 | memory-tampered | AI | tampering | risk | | D | |
        | 4 | rooted | A | rooting | risk | | M | |
        | 5 | root-risk | A | rooting | risk | | M | |
        | 6 | xposed | A | framework | risk | | M | |
        | 7 | xposed-hostile | A | framework | risk | | D | |
        | 8 | jailbroken | I | jailbreaking | risk | | M | |
        | 9 | cydia | I | framework | risk | | D | |
        | 10 | cycript | I | framework | risk | | D | |
        | 11 | frida | AI | framework | risk | | D | |
        | 12 | emulator | A | emulation | risk | | D | |
        | 13 | ios-simulator | I | emulation | risk | | M | |
        | 14 | cloned | A | cloning | risk | | D | |
        | 15 | debug | AI | debugging | risk | | D | |
        | 16 | automated | AI | automation | | | M | |
        | 17 | automated-launch | A | automation | | | M | |
        | 18 | non-standard-launch | A | automation | | | M | |
        | 19 | pinning-tampered | AI | unpinning | risk | | M | |
        | 20 | init-config-outdated | AI | information | | | M | |
        | 21 | did-ban | AI | banning | | | M | (derived) |
        | 22 | did-unban | AI | banning | | | M | (derived) |
        | 23 | new-did | AI | information | | | M | (derived) |
        | 24 | devicecheck-completed | I | devicecheck | | | M | |
        | 25 | devicecheck-failed | I | devicecheck | | | M | |
        | 26 | devicecheck-unavailable | I | devicecheck | | | M | |
        | 27 | devicecheck-ban | I | devicecheck | | | M | |
        | 28 | devicecheck-missing | I | devicecheck | | | D | (derived) |
        | 29 | safetynet-completed | A | safetynet | | | M | |
        | 30 | safetynet-fail-token | A | safetynet | risk | | M | |
        | 31 | safetynet-fail-integrity | A | safetynet | risk | | M | |
        | 32 | safetynet-fail-profile | A | safetynet | risk | | M | |
        | 33 | safetynet-fail-cert | A | safetynet | risk | | M | |
        | 34 | safetynet-unavailable | A | safetynet | | | M | |
        | 35 | safetynet-missing | A | safetynet | | | D | (derived) |
        | 36 | risky-device | AI | information | | | M | (derived) |
        """

    /// The rows of the copy, in catalogue order.
    static let all = FlagFact.rows(of: copy)
    /// The names, in catalogue order.
    static let names = all.map(\.name)
    /// The flags that make a device risky.
    static let risks = Set(all.filter(\.isRisk).map(\.name))
}
