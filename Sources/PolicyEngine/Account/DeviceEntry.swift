/// The settings of a single device (R6.1).
public struct DeviceEntry: Hashable, Sendable {
    /// The device, or the pseudo device of the filtered policy (R1.2).
    public package(set) var id: DeviceID
    /// A policy of its own; without one the device follows the account's.
    public var policy: SecurityPolicy?
    /// A name for people.
    @ByteExact public var label: String?
    /// The name of the user who added the entry.
    @ByteExact public var user: String?
    /// The handling of pins; `nil` is ``PinMode/pin``.
    public var pinMode: PinMode?
    /// A pending ban or unban.
    public var banMode: BanMode?
    /// A URL with `https` that the device probes for pins; kept and shown, without effect here.
    @ByteExact public var probeURL: String?

    /// Makes an entry.
    public init(
        id: DeviceID,
        policy: SecurityPolicy? = nil,
        label: String? = nil,
        user: String? = nil,
        pinMode: PinMode? = nil,
        banMode: BanMode? = nil,
        probeURL: String? = nil
    ) {
        self.id = id
        self.policy = policy
        self.label = label
        self.user = user
        self.pinMode = pinMode
        self.banMode = banMode
        self.probeURL = probeURL
    }

    /// True if a text can be a probe URL: `https`, a domain, perhaps a port, and perhaps a path (manual, Certificate Pins From
    /// a Device).
    ///
    /// - Complexity: O(length).
    package static func isProbeURL(_ text: String) -> Bool {
        let scheme = "https://"
        guard text.lowercased().hasPrefix(scheme), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return false }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let host = parts.first, APIDomain.isName(host) else { return false }
        guard parts.count == 2 else { return true }
        return parts[1].utf8.allSatisfy(\.isDigit) && Int(parts[1]).map(AccountLimits.ports.contains) == true
    }

    /// Takes over the options that `change` gives, and keeps the others (R6.1).
    package mutating func update(with change: DeviceEntry) {
        policy = change.policy ?? policy
        label = change.label ?? label
        user = change.user ?? user
        pinMode = change.pinMode ?? pinMode
        banMode = change.banMode ?? banMode
        probeURL = change.probeURL ?? probeURL
    }
}

extension DeviceEntry: FieldwiseComparable {
    /// The fields of an entry, by the names that account files have for them, in their usual order.
    package enum Field: String, CaseIterable, Sendable {
        case id, policy, label, user
        case pinMode = "pin-mode"
        case banMode = "ban-mode"
        case probeURL = "probe-url"
    }

    package mutating func copy(_ field: Field, from other: DeviceEntry) {
        switch field {
        case .id: id = other.id
        case .policy: policy = other.policy
        case .label: label = other.label
        case .user: user = other.user
        case .pinMode: pinMode = other.pinMode
        case .banMode: banMode = other.banMode
        case .probeURL: probeURL = other.probeURL
        }
    }
}

/// The handling of pins for a device with an entry of its own (R6.6).
public enum PinMode: String, Hashable, Sendable, CaseIterable {
    /// The account's pins; the default.
    case pin
    /// No pins.
    case unpin
    /// A pin that never fits, for the account's domains.
    case block
    /// The same, and every fetch that needs a new token ends `MITM_DETECTED`.
    case blockAll
}

/// The change of a device's ban at its next attestation (R6.3).
public enum BanMode: String, Hashable, Sendable, CaseIterable {
    /// The device is banned.
    case ban
    /// The device's ban ends.
    case unban
}
