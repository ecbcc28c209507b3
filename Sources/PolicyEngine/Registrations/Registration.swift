/// An app that an account has registered (R15).
public struct Registration: Hashable, Sendable {
    /// The signature of the app, the attribute `app-sig`; of an app bundle, the attribute `app-id-sig`.
    @ByteExact public package(set) var signature: String
    /// The package, the attribute `appid`; `nil` takes any.
    @ByteExact public package(set) var package: String?
    /// The version, the attribute `app-version`; `nil` takes any ("unversioned").
    @ByteExact public package(set) var version: String?
    /// The text shown instead of the version, such as `special`; it is not matched (manual, Annotating a Registration).
    @ByteExact public package(set) var versionName: String?
    /// The ID of the SDK's library in the app, the attribute `sdkid`, as the manual's overall signatures end with it.
    @ByteExact public package(set) var libraryID: String?
    /// The SDK in the app as the manual lists it, such as `Android(2.5.0)`.
    @ByteExact public package(set) var sdk: String?
    /// True if it is declared as an app bundle (R15.1).
    public package(set) var isBundle: Bool
    /// A name for people.
    @ByteExact public package(set) var label: String?
    /// When it was registered last; `nil` where that is not known, which counts as long ago.
    public package(set) var added: Instant?
    /// When a temporary one ends, that second included; `nil` for a permanent one.
    public package(set) var expiry: Instant?
    /// The name of the user who added it, as account files give it; `nil` if that is not known.
    @ByteExact public package(set) var addedBy: String?
    /// The account that it was cloned from; `nil` for one that was added here (R24.4).
    @ByteExact package var clonedFrom: String?

    /// The text that means any version, or in overall signatures any package.
    package static let anyVersion = "*"

    /// Makes a registration of what is known of the app.
    ///
    /// The version may also have the form of overall signatures, with square brackets for round ones; `*` is any.
    public init(
        signature: String, package: String? = nil, version: String? = nil, versionName: String? = nil,
        libraryID: String? = nil, sdk: String? = nil, isBundle: Bool = false, label: String? = nil,
        added: Instant? = nil, expiry: Instant? = nil, addedBy: String? = nil
    ) {
        self.signature = signature
        self.package = package
        self.version = version.flatMap(Self.version)
        self.versionName = versionName
        self.libraryID = libraryID
        self.sdk = sdk
        self.isBundle = isBundle
        self.label = label
        self.added = added
        self.expiry = expiry
        self.addedBy = addedBy
        clonedFrom = nil
    }

    /// The version that a text says; `nil` for `*`, which is any.
    package static func version(_ text: String) -> String? {
        text == anyVersion ? nil : replacing("[", "(", "]", ")", in: text)
    }

    /// Makes a registration that was cloned.
    ///
    /// - Parameter source: The account that it was cloned from; `nil` for one that was added here.
    package init(_ registration: Registration, clonedFrom source: String?) {
        self = registration
        clonedFrom = source
    }

    /// The overall signature by which commands name it, such as
    /// `Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=com.criticalblue.demo-2.0[3]-2974` (manual, Listing Registrations).
    public var overallSignature: String {
        let shown = versionName ?? version.map { Self.replacing("(", "[", ")", "]", in: $0) } ?? Self.anyVersion
        let parts = [package ?? Self.anyVersion, shown] + (libraryID.map { [$0] } ?? [])
        return signature + parts.joined(separator: "-")
    }

    /// The versions of apps that it stands for: one with a build, such as `2.0(3)`, may also be written `2.0[3]` (R15.1a).
    ///
    /// - Returns: `nil` where any will do.
    package var matchedVersions: [String]? {
        guard let version else { return nil }
        let other = Self.replacing("(", "[", ")", "]", in: version)
        return version.hasSuffix(")") && other.contains("[") ? [version, other] : [version]
    }

    /// True if another one is listed as the same app: it has the same overall signature, and not one of them is an app bundle
    /// where the other one is a package (R15.1a).
    package func isSameApp(as other: Registration) -> Bool {
        let kinds: Set<Kind> = [kind, other.kind]
        return isNamed(other.overallSignature) && kinds != [.package, .bundle]
    }

    /// True if it has an overall signature, compared by bytes.
    package func isNamed(_ signature: String) -> Bool { ExactText(overallSignature) == ExactText(signature) }

    /// Which apps it can stand for, and by what they are matched (R15.1).
    package enum Kind: Hashable, Sendable {
        /// By the attribute `app-sig`.
        case package
        /// By the attribute `app-id-sig`, and the certificate of the app must be known.
        case bundle
        /// A bundle on Android, where unversioned ones always are, and else a package: the registration does not name the
        /// platform.
        case bundleOnAndroid
    }

    /// The kind of apps that it can stand for.
    package var kind: Kind {
        if isBundle { return .bundle }
        guard version == nil else { return .package }
        guard let sdk else { return .bundleOnAndroid }
        if sdk.hasPrefix(Self.androidSDK) { return .bundle }
        return sdk.hasPrefix(Self.iosSDK) ? .package : .bundleOnAndroid
    }

    /// The beginning of ``sdk`` for an Android app.
    package static let androidSDK = "Android("
    /// The beginning of ``sdk`` for an iOS app.
    package static let iosSDK = "iOS("

    /// This one without the fields that do not affect which apps it stands for.
    package var asMatched: Registration {
        var matched = Registration(signature: signature)
        for field in Field.allCases where field.isMatched { matched.copy(field, from: self) }
        return matched
    }

    /// This one, added again where another of its overall signature is there: see ``Account/register(_:isByAdmin:)``.
    func renewing(_ known: Registration, isByAdmin: Bool) -> Registration {
        let end = expiry.flatMap { end in known.expiry.map { max(end, $0) } }
        return Registration(
            signature: signature, package: package, version: version, versionName: versionName, libraryID: libraryID,
            sdk: sdk ?? known.sdk, isBundle: isBundle, label: label ?? known.label, added: added ?? known.added,
            expiry: end, addedBy: isByAdmin ? addedBy ?? known.addedBy : known.addedBy)
    }

    /// True if it has not ended.
    package func isActive(at time: Instant) -> Bool { expiry.map { time < $0 } ?? true }

    /// True if it was registered more than `seconds` seconds ago, or at a time that is not known.
    package func isOlder(than seconds: Int, at time: Instant) -> Bool { added.map { time - $0 > seconds } ?? true }

    private static func replacing(
        _ first: Character, _ firstReplacement: Character, _ second: Character, _ secondReplacement: Character,
        in text: String
    ) -> String {
        String(text.map { $0 == first ? firstReplacement : $0 == second ? secondReplacement : $0 })
    }
}

extension Registration: FieldwiseComparable {
    /// The fields of a registration, by the names that account files have for them, in their usual order.
    package enum Field: String, CaseIterable, Sendable {
        case signature = "app-sig"
        case package = "appid"
        case version = "app-version"
        case versionName = "version-name"
        case sdk
        case libraryID = "library-id"
        case bundle, label, added, expires
        case addedBy = "added-by"
        case clonedFrom = "cloned-from"

        /// True if it decides which apps the registration stands for, and until when (R15.1).
        package var isMatched: Bool {
            switch self {
            case .signature, .package, .version, .libraryID, .bundle, .expires: true
            // An unversioned registration is a bundle or a package as its SDK says.
            case .sdk: true
            case .versionName, .label, .added, .addedBy, .clonedFrom: false
            }
        }
    }

    package mutating func copy(_ field: Field, from other: Registration) {
        switch field {
        case .signature: signature = other.signature
        case .package: package = other.package
        case .version: version = other.version
        case .versionName: versionName = other.versionName
        case .sdk: sdk = other.sdk
        case .libraryID: libraryID = other.libraryID
        case .bundle: isBundle = other.isBundle
        case .label: label = other.label
        case .added: added = other.added
        case .expires: expiry = other.expiry
        case .addedBy: addedBy = other.addedBy
        case .clonedFrom: clonedFrom = other.clonedFrom
        }
    }
}
