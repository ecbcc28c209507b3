/// An event of an iPhone, its app or the account that evaluates it.
enum IPhoneEvent: Hashable, Sendable, CaseIterable {
    case attest
    /// The failover answers (R14.3).
    case attestAtFailover
    /// The account gets an entry for the device ID that is there.
    case ban, unban
    case removeEntry
    /// The account gets a filter that matches everything and bans, and loses it.
    case filterComes, filterGoes
    case reinstall, launch
    /// The state of every device is cleared.
    case clear
    case keyOff, keyOn
    /// 13 months pass.
    case monthsPass
    /// The phone's answer to DeviceCheck changes.
    case nowAvailable, nowUnavailable, nowInvalid
}
