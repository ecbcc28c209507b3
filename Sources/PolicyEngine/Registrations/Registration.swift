/// An app that an account has registered (R15).
public struct Registration: Hashable, Sendable {
    /// The signature of the app, the attribute `app-sig`.
    public let signature: String
    /// The package, the attribute `appid`; `nil` takes any.
    public let package: String?
    /// The version, the attribute `app-version`; `nil` takes any ("unversioned").
    public let version: String?
    /// The ID of the SDK's library in the app, as the manual's overall signatures end with it.
    public let libraryID: String?
    /// The SDK in the app as the manual lists it, such as `Android(2.5.0)`.
    public let sdk: String?
    /// A name for people.
    public let label: String?
    /// When it was registered last; `nil` where that is not known, which counts as long ago.
    public let added: Instant?
    /// When a temporary one ends, that second included; `nil` for a permanent one.
    public let expiry: Instant?

    /// What a version is called where any will do.
    public static let anyVersion = "*"

    /// Makes a registration.
    ///
    /// - Parameters:
    ///   - version: Also in the form of overall signatures, with square brackets for round ones; `*` is any.
    public init(
        signature: String, package: String? = nil, version: String? = nil, libraryID: String? = nil,
        sdk: String? = nil, label: String? = nil, added: Instant? = nil, expiry: Instant? = nil
    ) {
        self.signature = signature
        self.package = package
        self.version = version == Self.anyVersion ? nil : version.map { Self.replacing("[", "(", "]", ")", in: $0) }
        self.libraryID = libraryID
        self.sdk = sdk
        self.label = label
        self.added = added
        self.expiry = expiry
    }

    /// The overall signature by which commands name it, such as
    /// `Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=com.criticalblue.demo-2.0[3]-2974` (manual, Listing Registrations).
    public var overallSignature: String {
        let shown = version.map { Self.replacing("(", "[", ")", "]", in: $0) } ?? Self.anyVersion
        let parts = [package ?? Self.anyVersion, shown] + (libraryID.map { [$0] } ?? [])
        return signature + parts.joined(separator: "-")
    }

    /// Whether it has not ended.
    public func isActive(at time: Instant) -> Bool { expiry.map { time < $0 } ?? true }

    /// Whether it was registered more than so many seconds ago.
    public func isOlder(than seconds: Int, at time: Instant) -> Bool { added.map { time - $0 > seconds } ?? true }

    private static func replacing(
        _ first: Character, _ firstReplacement: Character, _ second: Character, _ secondReplacement: Character,
        in text: String
    ) -> String {
        String(text.map { $0 == first ? firstReplacement : $0 == second ? secondReplacement : $0 })
    }
}
