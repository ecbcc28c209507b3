internal import Documents
internal import PolicyEngine

// The topics that are about other services and about apps.
extension ManagementCommand {
    /// Understands a command of the topics `devicecheck`, `safetynet`, `appsigncert`, `registration` and `api`.
    static func serviceCommand(_ call: CommandInvocation) throws(CommandError) -> ManagementCommand {
        switch (call.topic, call.action.name) {
        case ("devicecheck", "-addAuthKey"): .addAuthKey(try authKey(call))
        case ("devicecheck", "-get"): .question(.authKey)
        case ("devicecheck", _): .removeAuthKey
        case ("safetynet", "-set"): .setSafetyNetKey(try safetyNetKey(call.operand))
        case ("safetynet", "-get"): .question(.safetyNetKey)
        case ("safetynet", _): .removeSafetyNetKey
        case ("appsigncert", "-add"): .addCertificate(call.operand)
        case ("appsigncert", "-list"): .question(.certificates)
        case ("appsigncert", _): .removeCertificate(call.operand)
        case ("registration", "-add"): .addRegistration(try RegistrationAddition(call))
        case ("registration", "-list"): .question(.registrations)
        case ("registration", "-remove"): .removeRegistration(call.operand)
        case ("registration", _): try removal(call.operand)
        case ("api", "-add"): try domain(call)
        case ("api", "-list"): .question(.domains)
        case ("api", "-getAll"): .domains(.getAll(file: call.operand))
        case ("api", "-setAll"): .domains(.setAll(file: call.operand))
        default: .removeDomain(call.operand)
        }
    }

    // R8.1: of the file only the name is used.
    private static func authKey(_ call: CommandInvocation) throws(CommandError) -> AuthKeyOptions {
        let name = call.operand.split(separator: "/").last.map(String.init) ?? ""
        let (prefix, suffix) = ("AuthKey_", ".p8")
        guard name.hasPrefix(prefix), name.hasSuffix(suffix), name.utf8.count > prefix.utf8.count + suffix.utf8.count
        else {
            throw CommandError("\(call.operand.quoted) is no key file", hint: "such as AuthKey_XXXXXXXXXX.p8")
        }
        var options = AuthKeyOptions(keyID: String(name.dropFirst(prefix.count).dropLast(suffix.count)))
        options.teamID = call.value("-teamID")
        if let bits = call.value("-bits") { options.bits = try word(bits, "-bits") }
        if let expiry = call.value("-expiry") { options.expiry = try months(expiry) }
        return options
    }

    // `12`, or `12m` as `devicecheck -get` shows it.
    private static func months(_ text: String) throws(CommandError) -> Int {
        let digits = text.hasSuffix("m") ? String(text.dropLast()) : text
        guard let months = Int(digits), String(months) == digits, AccountLimits.deviceCheckExpiry.contains(months)
        else {
            let limits = AccountLimits.deviceCheckExpiry
            throw CommandError(
                "\(text.quoted) is no number of months from \(limits.lowerBound) to \(limits.upperBound)")
        }
        return months
    }

    private static func safetyNetKey(_ text: String) throws(CommandError) -> String {
        if !text.isEmpty { return text }
        throw CommandError("the SafetyNet API key is empty", hint: "`safetynet -remove` removes it")
    }

    private static func removal(_ text: String) throws(CommandError) -> ManagementCommand {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw CommandError("\(text.quoted) is not a package and an age", hint: "such as com.example.app,30d")
        }
        do throws(DurationError) {
            return .removeRegistrations(package: parts[0], age: try DurationText.parse(parts[1]))
        } catch {
            throw CommandError("\(parts[1].quoted) is not an age", hint: error.hint ?? "such as 30d")
        }
    }

    private static func domain(_ call: CommandInvocation) throws(CommandError) -> ManagementCommand {
        let kinds = ["-pinOnly", "-keySetKID", "-jwe"].filter(call.has)
        guard kinds.count <= 1 else {
            throw CommandError("\(kinds[1].quoted) cannot go with \(kinds[0].quoted)")
        }
        let type = kind(of: call)
        let pinType: PinType? = try call.value("-pinType").map { text throws(CommandError) in
            try word(text, "-pinType")
        }
        let port = try call.value("-port").map(port) ?? Self.usualPort
        // Manual, API Monitoring: not where no pin was added, or one that was found locally.
        let isWatched = type != .restricted && pinType != PinType.none && pinType != .local
        let domain = APIDomain(
            name: call.operand, type: type, algorithm: algorithm(of: call, type: type),
            keyID: call.value("-keySetKID"), monitorPort: isWatched ? port : nil)
        return .addDomain(domain, isUnpinned: pinType == PinType.none)
    }

    // From where the pin of a new domain would be taken. It takes a network, which there is none of here.
    private enum PinType: String, CaseIterable {
        case local, remote, none
    }

    private static let usualPort = 443

    private static func port(_ text: String) throws(CommandError) -> Int {
        let limits = AccountLimits.ports
        guard let port = Int(text), String(port) == text, limits.contains(port) else {
            throw CommandError("\(text.quoted) is no port; there are \(limits.lowerBound) to \(limits.upperBound)")
        }
        return port
    }

    private static func kind(of call: CommandInvocation) -> APIDomain.Kind {
        if call.has("-pinOnly") { return .pinOnly }
        if call.has("-keySetKID") { return .keyset }
        // The manual's demonstration domain, whose keys are not the account's.
        return call.operand.lowercased() == "shapes.approov.io" ? .restricted : .account
    }

    // A key of the key set has its own.
    private static func algorithm(of call: CommandInvocation, type: APIDomain.Kind) -> String? {
        switch type {
        case .account: call.has("-jwe") ? APIDomain.encryptionAlgorithm : APIDomain.defaultAlgorithm
        case .restricted: APIDomain.defaultAlgorithm
        case .keyset, .pinOnly: nil
        }
    }
}
