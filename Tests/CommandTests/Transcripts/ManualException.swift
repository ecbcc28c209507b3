/// A block of the manual whose output cannot be the printed one, and why.
enum ManualException: String, CaseIterable, Sendable {
    /// Two networks see two certificates, or another domain is printed than was added, or the certificates have dates.
    case network
    /// The answer is about devices that attested; behind a file there are none.
    case attestedDevices
    /// The output is that of a file that the manual does not give.
    case missingFile
    /// The command affects no attestation, and is refused with the reason.
    case notSimulated
    /// The command is printed wrongly; it is taken as what is meant, with a warning.
    case misprint
    /// Tokens, files and new keys are the manual's own; `TokenTranscriptTests` shows the same with others.
    case otherKeys
    /// The command reads or writes more than one account, or a token; `ApproovAccessTests` shows it.
    case otherFiles

    /// The blocks.
    var blocks: [String] {
        switch self {
        case .network:
            [
                "api -add mydomain.com (3)", "api -add mydomain.com -keySetKID mykey",
                "pin -api shapes.approov.io -getCertChainPins",
            ]
        case .attestedDevices:
            [
                "device -add latest -policy default,whitelist,all",
                "device -getDeviceState h4gubfCFzJu81j/U2BJsdg==", "device -getInfo qZka0yfv+ExvOq3PRh6pGw==",
                "device -getInfo qZka0yfv+ExvOq3PRh6pGw== (2)", "device -getInfo new-did",
                "device -getInfo filtered", "device -getFetches timed",
            ]
        case .missingFile: Self.files + Self.packages
        case .notSimulated: Self.unsimulated
        case .misprint: ["devicecheck-remove", "-getPinningTestURL", "secret change -forcePrintable"]
        case .otherKeys: Self.ownKeys
        case .otherFiles:
            [
                "registration -cloneToAllDelegateAccounts", "registration -cloneToAccounts accountA",
                "registration -list (2)", "users -add me@mydomain.com -userName \"CI Machine\" -automation",
            ]
        }
    }

    private static let packages = [
        "registration -add my_app.apk", "registration -add my_app.ipa",
        "registration -add my_app.ipa -expireAfter 3d", "registration -add my_app.ipa -unversioned",
        "registration -add my_app.apk -versionName \"special\"", "registration -add my_app.apk -libraryID 1056",
    ]

    // `CertificateCommandTests` and `PinCommandTests` read others.
    private static let files = [
        "appsigncert -add app-signing-cert.der", "pin -getCertPin mycert.crt", "api -setAll apis.json",
    ]

    private static let unsimulated = ["role", "whoami"]

    private static let ownKeys = [
        "token -check eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJkaWQiO…", "token -check eyJhbGciOiJIUzI1Ni…",
        "token -check '{\"anno\":[\"app-not-registered\"...'", "token -check eyJhbGciOiJIUzI…",
        "token -check eyJhbGciOiJIUzI1N…", "token -check eyJhbGciOiJIUzI1N… (2)",
        "token -check eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJl…",
        "token -genExample your.api.com -setDataHashInToken custom-data", "secret -getJWK secret.jwk", "secret -change",
        "secret -get raw", "secret -getKeyID", "secret -messageSigningKey change", "api -getAll apis.json",
        "keyset -add RS256 -keyLength 4096", "keyset -kid mykey -getPEM mykey.pem", "keyset -getJWKS keys.jwks",
        "keyset -import byok.jwk", "token -showArcInfoCurl", "token -showTokenInfoCurl",
    ]
}
