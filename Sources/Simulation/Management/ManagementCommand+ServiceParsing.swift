internal import PolicyEngine

// The topics that are about other services and about apps, and what is asked about devices.
extension ManagementCommand {
    /// Understands a command of the topics `devicecheck`, `safetynet`, `appsigncert`, `registration` and `api`.
    static func serviceCommand(_ call: CommandInvocation) throws(CommandError) -> ManagementCommand {
        switch (call.topic, call.action.name) {
        case ("devicecheck", "-addAuthKey"): .addAuthKey(try authKey(call))
        case ("devicecheck", _): .removeAuthKey
        case ("safetynet", "-set"): .setSafetyNetKey(call.operand)
        case ("safetynet", _): .removeSafetyNetKey
        case ("appsigncert", "-add"): .addCertificate(call.operand)
        case ("appsigncert", _): .removeCertificate(call.operand)
        case ("registration", "-list"): .listRegistrations
        case ("registration", "-remove"): .removeRegistration(call.operand)
        case ("registration", _): try removal(call.operand)
        case ("api", "-add"): .addDomain(try domain(call))
        default: .removeDomain(call.operand)
        }
    }

    /// Understands what is asked about devices.
    static func query(_ call: CommandInvocation) throws(CommandError) -> DeviceQuery {
        let clears = call.has("-clear")
        switch (call.action.name, call.operand) {
        case ("-getDeviceState", let id): return .state(try deviceID(id))
        case ("-getInfo", "new-did"): return .information(.newDevices, clears: clears)
        case ("-getInfo", "filtered"): return .information(.filteredDevices, clears: clears)
        case ("-getInfo", let id): return .information(.device(try deviceID(id)), clears: clears)
        case (_, "timed"): return .fetches(isTimed: true, clears: clears)
        case (_, "untimed"): return .fetches(isTimed: false, clears: clears)
        default: throw CommandError("`-getFetches` takes `timed` or `untimed`, not \(call.operand.quoted)")
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
        if let bits = call.value("-bits") { options.bits = try mode(bits, "-bits") }
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

    private static func domain(_ call: CommandInvocation) throws(CommandError) -> APIDomain {
        let kinds = ["-pinOnly", "-keySetKID", "-jwe"].filter(call.has)
        guard kinds.count <= 1 else {
            throw CommandError("\(kinds[1].quoted) cannot go with \(kinds[0].quoted)")
        }
        if let port = call.value("-port"), Int(port).map({ 1...65_535 ~= $0 }) != true {
            throw CommandError("\(port.quoted) is no port; there are 1 to 65535")
        }
        return APIDomain(name: call.operand, type: kind(of: call))
    }

    private static func kind(of call: CommandInvocation) -> APIDomain.Kind {
        if call.has("-pinOnly") { return .pinOnly }
        if call.has("-keySetKID") { return .keyset }
        // The manual's demonstration domain, whose keys are not the account's.
        return call.operand.lowercased() == "shapes.approov.io" ? .restricted : .account
    }
}
