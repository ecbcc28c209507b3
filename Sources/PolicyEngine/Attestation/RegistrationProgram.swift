/// Registrations compiled against the numbering of a ``SymbolTable``.
struct RegistrationProgram: Sendable {
    private let signatureKey: AttributeKey
    private let identityKey: AttributeKey
    private let packageKey: AttributeKey
    private let versionKey: AttributeKey
    private let libraryKey: AttributeKey
    /// The attribute that names an app's signing certificate.
    let certificateKey: AttributeKey
    private var entries: [ValueNumber: [Entry]] = [:]
    // App bundles, by the attribute `app-id-sig`.
    private var bundles: [ValueNumber: [Entry]] = [:]

    private struct Entry {
        let kind: Registration.Kind
        let package: ValueNumber?
        // Empty for any.
        let versions: [ValueNumber]
        let library: ValueNumber?
        let expiry: Instant?

        // True if the conditions hold that packages and bundles have in common.
        func stands(for app: App) -> Bool {
            (package.map { $0 == app.package } ?? true) && (versions.isEmpty || versions.contains(app.version))
                && (app.library == .absent || library.map { $0 == app.library } ?? true)
                && (expiry.map { app.time < $0 } ?? true)
        }
    }

    // The app of an attestation: the numbers of its attributes, and the time.
    private struct App {
        let package, version, library: ValueNumber
        let time: Instant
    }

    init(_ registrations: [Registration], attributes: inout AttributeTable) {
        signatureKey = attributes.key(named: "app-sig", keepingAll: true)
        identityKey = attributes.key(named: "app-id-sig", keepingAll: true)
        packageKey = attributes.key(named: "appid", keepingAll: true)
        versionKey = attributes.key(named: "app-version", keepingAll: true)
        libraryKey = attributes.key(named: "sdkid", keepingAll: true)
        certificateKey = attributes.key(named: "app-cert", keepingAll: true)
        for registration in registrations {
            let kind = registration.kind
            let entry = Entry(
                kind: kind, package: registration.package.map { attributes.intern($0, for: packageKey) },
                versions: (registration.matchedVersions ?? []).map { attributes.intern($0, for: versionKey) },
                library: registration.libraryID.map { attributes.intern($0, for: libraryKey) },
                expiry: registration.expiry)
            if kind != .bundle {
                entries[attributes.intern(registration.signature, for: signatureKey), default: []].append(entry)
            }
            if kind != .package {
                bundles[attributes.intern(registration.signature, for: identityKey), default: []].append(entry)
            }
        }
    }

    /// The result of matching an app against registrations.
    enum Match {
        /// It is not registered.
        case none
        /// It is registered.
        case registered
        /// It is registered as an app bundle, if its certificate is known.
        case registeredIfSigned
    }

    /// Matches the app of an attestation against the registrations that have not ended (R15.1, R15.2).
    ///
    /// - Parameter system: The device's system; `nil` for a record of a capture, where `app-id-sig` shows that it is Android.
    /// - Complexity: O(registrations with the app's signatures).
    func match(_ attestation: borrowing Attestation, on system: OperatingSystem?) -> Match {
        let identity = attestation.value(of: identityKey)
        let isAndroid = system.map { $0 == .android } ?? (identity != .absent)
        let app = App(
            package: attestation.value(of: packageKey), version: attestation.value(of: versionKey),
            library: attestation.value(of: libraryKey), time: attestation.time)
        let packages = entries[attestation.value(of: signatureKey)] ?? []
        if packages.contains(where: { ($0.kind == .package || !isAndroid) && $0.stands(for: app) }) {
            return .registered
        }
        let candidates = bundles[identity] ?? []
        let isBundle = candidates.contains { ($0.kind == .bundle || isAndroid) && $0.stands(for: app) }
        return isBundle ? .registeredIfSigned : .none
    }

    /// The certificate that the app of an attestation names; ``ValueNumber/absent`` where it names none.
    func certificate(of attestation: borrowing Attestation) -> ValueNumber { attestation.value(of: certificateKey) }
}
