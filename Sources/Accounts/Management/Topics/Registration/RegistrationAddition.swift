internal import Documents
internal import PolicyEngine

/// `registration -add`: an app, as the service's tool would read it out of its package (R15.1a).
///
/// No file is read: options give its contents.
package struct RegistrationAddition: Hashable, Sendable {
    /// The name of the package in the output.
    let package: String
    private let signature: String
    private let appID: String
    // `nil` for an unversioned one.
    private let version: String?
    private let versionName: String?
    private let libraryID: String
    private let sdk: String?
    private let isBundle: Bool
    // When the configuration that is built into the app was made; `nil` if nothing is said.
    private let configuration: Instant?
    // Seconds until it ends; `nil` for a permanent one.
    private let lifetime: Int?

    /// The options of the action.
    static let options = [
        CommandOption("-signature", .text), CommandOption("-appID", .text), CommandOption("-appVersion", .text),
        CommandOption("-libraryID", .text), CommandOption("-sdk", .text), CommandOption("-bundle"),
        CommandOption("-unversioned"), CommandOption("-versionName", .text), CommandOption("-expireAfter", .text),
        CommandOption("-config", .text),
        // The path at which the service's tool finds its reader of app bundles; none is read here.
        CommandOption("-bundletool", .text),
    ]

    /// Understands the action.
    init(_ call: CommandInvocation) throws(CommandError) {
        package = call.operand
        guard !package.isEmpty else { throw CommandError("the name of the package is empty") }
        signature = try Self.needed("-signature", call)
        appID = try Self.needed("-appID", call)
        version = call.has("-unversioned") ? nil : try Self.version(call)
        versionName = call.value("-versionName")
        libraryID = try Self.needed("-libraryID", call)
        sdk = try call.value("-sdk").map(Self.sdk)
        let ending = PackageEnding(package)
        isBundle = call.has("-bundle") || ending == .bundle
        try ending?.check(package, isBundle: isBundle, sdk: sdk)
        if isBundle, let sdk, sdk.hasPrefix(Registration.iosSDK) {
            throw CommandError("`-bundle` cannot be combined with \(sdk.quoted); app bundles exist on Android only")
        }
        configuration = try call.value("-config").map(Self.instant)
        lifetime = try call.value("-expireAfter").map(Self.lifetime)
        try checkSupport(bundledBy: call.has("-bundle") ? "-bundle" : package)
    }

    // Throws for apps that the service refuses: M, Unversioned Registrations, Registering an App.
    private func checkSupport(bundledBy word: String) throws(CommandError) {
        if version == nil {
            guard PackageEnding(package) != .apk else {
                throw CommandError(
                    "`-unversioned` is not supported for \(package.quoted)",
                    hint: "on Android only an .aab can be unversioned")
            }
            try check("-unversioned", needs: .unversionedRegistrations)
        }
        if isBundle { try check(word, needs: .appBundles) }
    }

    // An SDK of which nothing is said counts as new enough.
    private func check(_ option: String, needs feature: SDKFeature) throws(CommandError) {
        guard let sdk, !feature.isSupported(by: Self.sdkVersion(sdk)) else { return }
        throw CommandError(
            "\(option.quoted) needs an SDK of version \(feature.firstVersion) or later, and this is \(sdk.quoted)")
    }

    // Behind the platform: `Android(2.5.0)`.
    private static func sdkVersion(_ sdk: String) -> SDKVersion? {
        sdk.firstIndex(of: "(").flatMap { SDKVersion(String(sdk[$0...].dropFirst())) }
    }

    private static func needed(_ option: String, _ call: CommandInvocation) throws(CommandError) -> String {
        if let value = call.value(option) { return value }
        throw CommandError(
            "`registration -add` needs \(option.quoted)",
            hint: "no package is read; `-signature`, `-appID`, `-appVersion` and `-libraryID` describe its content")
    }

    private static func version(_ call: CommandInvocation) throws(CommandError) -> String {
        let version = try needed("-appVersion", call)
        guard version != Registration.anyVersion else {
            throw CommandError("\(version.quoted) is not a version", hint: "`-unversioned` registers all of them")
        }
        return version
    }

    private static func sdk(_ text: String) throws(CommandError) -> String {
        for platform in [Registration.androidSDK, Registration.iosSDK] where text.hasPrefix(platform) {
            let version = text.dropFirst(platform.count).dropLast()
            let isSound = SDKVersion(String(version)) != nil && !version.contains { "()".contains($0) }
            if text.hasSuffix(")"), isSound { return text }
        }
        throw CommandError("\(text.quoted) is not an SDK", hint: "such as Android(2.5.0) or iOS(2.5.0)")
    }

    private static func instant(_ text: String) throws(CommandError) -> Instant {
        if let instant = Instant(rfc3339: text) { return instant }
        throw CommandError(
            "\(text.quoted) is not a time, at which the configuration in the app was made",
            hint: "such as `2020-07-23T10:00:00Z`")
    }

    private static func lifetime(_ text: String) throws(CommandError) -> Int {
        let seconds = try RegistrationTopic.duration(text, called: "a duration", suchAs: "3d")
        if seconds > 0 { return seconds }
        throw CommandError("a registration that expires after \(text.quoted) has ended already")
    }

    /// Carries the action out.
    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        let isFirst = account.registrations == nil
        let added = try self.registration(in: context)
        let registration = try CommandError.wrapping { () throws(ServiceError) in
            try account.register(added, isByAdmin: context.role == .admin)
        }
        if isFirst {
            effect.warn(
                "from now on only apps in the list count as registered; before, each device said whether its app is")
        }
        if registration.added == nil { effect.warn("the time is not known, so it counts as registered long ago") }
        // Manual, Registration Upgrade Messages.
        if let configuration, let newest = context.configurationSince, configuration < newest {
            effect.printed.append(
                "WARNING: SDK initial configuration must be out of date since a new one is available")
        }
        effect.reported = RegistrationText.addition(of: registration, package: package, context.zone)
    }

    private func registration(in context: CommandContext) throws(CommandError) -> Registration {
        if lifetime != nil, context.time == nil {
            throw CommandError(
                "`-expireAfter` needs the time",
                hint: "a scenario has a time; `scenario approov` takes it from `--at`, such as `--at now`")
        }
        return Registration(
            signature: signature, package: appID, version: version, versionName: versionName, libraryID: libraryID,
            sdk: sdk, isBundle: isBundle, added: context.time,
            expiry: lifetime.flatMap { seconds in context.time.map { $0 + seconds } }, addedBy: context.author)
    }
}

/// The ending of a package's name, which says what the app is (R15.1a).
private enum PackageEnding: String, CaseIterable {
    case bundle = ".aab"
    case apk = ".apk"
    case ipa = ".ipa"

    /// - Returns: `nil` for a name that says nothing.
    init?(_ package: String) {
        guard let ending = Self.allCases.first(where: { package.lowercased().hasSuffix($0.rawValue) }) else {
            return nil
        }
        self = ending
    }

    private var platform: (name: String, sdk: String) {
        self == .ipa ? ("iOS", Registration.iosSDK) : ("Android", Registration.androidSDK)
    }

    /// Throws where options contradict the ending.
    func check(_ package: String, isBundle: Bool, sdk: String?) throws(CommandError) {
        if isBundle, self != .bundle {
            throw CommandError("`-bundle` contradicts \(package.quoted)", hint: "an app bundle is an .aab")
        }
        if let sdk, !sdk.hasPrefix(platform.sdk) {
            throw CommandError(
                "`-sdk \(sdk)` contradicts \(package.quoted)", hint: "an \(rawValue) is for \(platform.name)")
        }
    }
}

extension CommandContext {
    private static let adminSuffix = " (admin)"

    /// The user who adds a registration, as account files say it: the name of a dev, or an admin's with the role behind it.
    var author: String {
        role == .admin && !Self.isAdmin(userName) ? userName + Self.adminSuffix : userName
    }

    /// True if a dev may remove a registration: one that a dev of the same name added, or one that ends anyway and of which
    /// nobody knows who added it (R15.1a; manual, Removing Registrations).
    func devMayRemove(_ registration: Registration) -> Bool {
        guard let author = registration.addedBy else { return registration.expiry != nil }
        return author == userName && !Self.isAdmin(author)
    }

    private static func isAdmin(_ author: String) -> Bool {
        author == CommandRole.admin.rawValue || author.hasSuffix(adminSuffix)
    }
}
