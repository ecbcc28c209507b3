internal import Documents
internal import PolicyEngine

/// The topic `registration`: the apps that the account knows by their signatures (R15).
package enum RegistrationTopic: ManagementTopic {
    case add(RegistrationAddition)
    case list
    case remove(String)
    /// `-removeMatching package,age`, the age in seconds
    case removeMatching(package: String, age: Int)
    case clone(RegistrationCloning.Target)

    static let name = "registration"

    static let actions: [CommandAction] = [
        action("-add", "package", for: .builders, changes: true, options: RegistrationAddition.options) {
            call throws(CommandError) in
            .add(try RegistrationAddition(call))
        },
        action("-list", for: .developers) { _ in .list },
        action("-remove", "registration", for: .developers, changes: true) { .remove($0.operand) },
        action(
            "-removeMatching", "package and age, such as `com.example.app,30d`", for: .admins, changes: true,
            impact: "removing app registrations"
        ) {
            call throws(CommandError) in try removal(call.operand)
        },
        action("-cloneTo", "file name", for: .developers) { .clone(.file($0.operand)) },
        action("-cloneToAccounts", "list of accounts, such as accountA,accountB", for: .developers) {
            call throws(CommandError) in
            .clone(.named(try accounts(call.operand)))
        },
        action("-cloneToAllDelegateAccounts", for: .developers) { _ in .clone(.all) },
    ]

    private static func removal(_ text: String) throws(CommandError) -> RegistrationTopic {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw CommandError("\(text.quoted) is not a package and an age", hint: "such as com.example.app,30d")
        }
        return .removeMatching(package: parts[0], age: try duration(parts[1], called: "an age", suchAs: "30d"))
    }

    private static func accounts(_ text: String) throws(CommandError) -> [String] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if names.allSatisfy({ !$0.isEmpty }) { return names }
        throw CommandError("\(text.quoted) is not a list of accounts", hint: "such as accountA,accountB")
    }

    /// Reads a duration.
    ///
    /// - Parameters:
    ///   - text: The text as it was typed.
    ///   - what: The name of the duration in messages, such as "an age".
    ///   - example: A valid duration, for the hint.
    /// - Returns: Seconds, 0 included.
    static func duration(
        _ text: String, called what: String, suchAs example: String
    ) throws(CommandError) -> Int {
        do throws(DurationError) {
            return try DurationText.parse(text)
        } catch {
            throw CommandError("\(text.quoted) is not \(what)", hint: error.hint ?? "such as \(example)")
        }
    }

    // R24.1: a dev removes what a dev of the name added, and nothing else.
    func permits(_ role: CommandRole, in context: CommandContext, _ account: Account) -> Bool {
        guard role == .dev, case .remove(let signature) = self else { return true }
        return (account.registrations ?? []).allSatisfy {
            !$0.isNamed(signature) || context.devMayRemove($0)
        }
    }

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .add(let addition): try addition.apply(to: &account, in: context, &effect)
        case .list: effect.printed = RegistrationText.list(account.registrations ?? [], at: context.time, context.zone)
        case .remove(let text):
            if account.registrations?.contains(where: { $0.isNamed(text) && $0.expiry == nil }) == true {
                effect.confirmation = .impact(of: "removing app registration")
            }
            try CommandError.wrapping { () throws(ServiceError) in
                try account.removeRegistration(text, at: context.time)
            }
            effect.reported = ["app registration \(text) has been removed"]
        case .removeMatching(let package, let age): try Self.remove(package, age: age, &account, in: context, &effect)
        case .clone(let target):
            effect.cloning = try RegistrationCloning(into: target, from: account, in: context)
        }
    }

    private static func remove(
        _ package: String, age: Int, _ account: inout Account, in context: CommandContext,
        _ effect: inout CommandEffect
    ) throws(CommandError) {
        let time = try context.time(for: "`-removeMatching`")
        let removed = account.removeRegistrations(ofPackage: package, olderThan: age, at: time)
        guard !removed.isEmpty else {
            throw CommandError("no registration of \(package.quoted) is \(DurationText.text(age)) old")
        }
        effect.confirmation?.matches = RegistrationText.matches(removed, context.zone)
        effect.reported = removed.map { "removing \($0.overallSignature)" }
    }
}

/// Registrations in the words of the manual (Listing Registrations, Removing Multiple Registrations).
enum RegistrationText {
    /// The output of `registration -list`; registrations that ended are not in it.
    ///
    /// - Parameters:
    ///   - time: Now; `nil` lists all.
    ///   - zone: The clock by which times are printed.
    static func list(_ registrations: [Registration], at time: Instant?, _ zone: ClockZone = .utc) -> [String] {
        let active = registrations.filter { registration in time.map(registration.isActive) ?? true }
        let rows = active.map { registration in
            let expiry = registration.expiry.map { "expiry:\(zone.text(of: $0))" }
            let times = [added(registration, zone), expiry].compactMap(\.self)
            let sdk = registration.sdk.map { ["SDK:\($0)"] } ?? []
            let origin = registration.clonedFrom.map { ["cloned from:\($0)"] } ?? []
            let details = sdk + (times.isEmpty ? [] : [times.joined(separator: " ")]) + origin
            return (registration.overallSignature, details.joined(separator: "  "))
        }
        return [ListText.heading(active.count, "app registration", "app registrations")]
            + ListText.columns(rows, gap: 3).map(\.withoutTrailingSpaces)
    }

    /// The output of `registration -add`.
    ///
    /// - Parameters:
    ///   - registration: The registration as it is listed from then on.
    ///   - package: The name of the package in the output.
    ///   - zone: The clock by which times are printed.
    static func addition(of registration: Registration, package: String, _ zone: ClockZone) -> [String] {
        let sdk = registration.sdk.map { "  SDK:\($0)" } ?? ""
        let end = registration.expiry.map { ", expires \(zone.text(of: $0))" } ?? ""
        return [
            "registering app \(package)", " \(registration.overallSignature)\(sdk)", "registration successful\(end)",
        ]
    }

    /// The output of `registration -removeMatching` about the registrations that it would remove.
    static func matches(_ registrations: [Registration], _ zone: ClockZone) -> [String] {
        [ListText.heading(registrations.count, "matched registration", "matched registrations")]
            + registrations.map { registration in
                " " + registration.overallSignature + (added(registration, zone).map { "  \($0)" } ?? "")
            }
    }

    private static func added(_ registration: Registration, _ zone: ClockZone) -> String? {
        registration.added.map { "registered:\(zone.text(of: $0))" }
    }
}

extension String {
    fileprivate var withoutTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
