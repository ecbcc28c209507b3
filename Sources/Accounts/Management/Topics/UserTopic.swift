internal import Documents
package import PolicyEngine

/// The topic `users`: who has access to an account, in which role and until when (R24.2; manual, User Management).
package enum UserTopic: ManagementTopic {
    case add(Account.UserAddition)
    case list
    case revoke(String)
    case getManagementToken(String)

    static let name = "users"

    static let actions: [CommandAction] = [
        action(
            "-add", "email address", for: .admins, changes: true,
            options: [
                CommandOption("-admin"), CommandOption("-delegate"), CommandOption("-automation"),
                CommandOption("-userName", .text), CommandOption("-expireAfter", .text), CommandOption("-noPassword"),
            ]
        ) { call throws(CommandError) in .add(try addition(call)) },
        action("-list", for: .admins) { _ in .list },
        action("-revoke", "ID of a user role", for: .admins, changes: true) { call throws(CommandError) in
            .revoke(try id(call))
        },
        action("-getManagementToken", "ID of a user role", for: .admins) { call throws(CommandError) in
            .getManagementToken(try id(call))
        },
    ]

    // MARK: Parsing

    private static func addition(_ call: CommandInvocation) throws(CommandError) -> Account.UserAddition {
        let kinds = [UserRole.Kind.admin, .delegate, .automation].filter { call.has("-\($0.rawValue)") }
        guard kinds.count <= 1 else {
            throw CommandError("`-\(kinds[1].rawValue)` cannot be combined with `-\(kinds[0].rawValue)`")
        }
        guard MailAddress.isAddress(call.operand) else { throw CommandError(UserError.invalidEmail(call.operand)) }
        let name = call.value("-userName") ?? MailAddress.user(of: call.operand)
        guard UserRole.isName(name) else { throw CommandError(UserError.invalidName) }
        let kind = kinds.first ?? .dev
        return Account.UserAddition(
            kind: kind, email: call.operand, name: name, lifetime: try call.value("-expireAfter").map(lifetime),
            // Manual, Automated Approov CLI Usage: there is nobody to type a password.
            isPasswordProtected: kind != .automation && !call.has("-noPassword"))
    }

    private static func lifetime(_ text: String) throws(CommandError) -> Int {
        let seconds = try RegistrationTopic.duration(text, called: "a duration", suchAs: "7d")
        if seconds > 0 { return seconds }
        throw CommandError("a user role that expires after \(text.quoted) has ended already")
    }

    // A text that is no ID is not shown: it may be a token by mistake.
    private static func id(_ call: CommandInvocation) throws(CommandError) -> String {
        guard UserRole.kind(ofID: call.operand) != nil else {
            throw CommandError(UserError.invalidID, hint: "`users -list` lists them")
        }
        return call.operand
    }

    // MARK: Requirements

    func apply(
        to account: inout Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) {
        switch self {
        case .add(let addition): try Self.add(addition, to: &account, in: context, &effect)
        case .list:
            let users = (account.users ?? []).filter { Self.isListed($0, at: context.time) }
            effect.printed = UserText.list(users, context.zone)
        case .revoke(let id):
            let time = try context.time(for: "revoking access")
            let user = try CommandError.wrapping { () throws(UserError) in try account.revokeUser(id, at: time) }
            effect.confirmation = CommandConfirmation(
                "you are revoking \(id) for \(UserText.person(user, context.zone))", asksOnNextLine: true)
            effect.reported = ["user access \(user.id) revoked"]
        case .getManagementToken(let id):
            let time = try context.time(for: "a management token")
            let user = try CommandError.wrapping { [account] () throws(UserError) in
                try account.liveUser(id, at: time)
            }
            let path = try Self.write(user, account, in: context, &effect)
            effect.reported = ["management token written to \(path)"]
        }
    }

    private static func isListed(_ user: UserRole, at time: Instant?) -> Bool {
        user.revoked == nil && (time.map { user.isLive(at: $0) } ?? true)
    }

    private static func add(
        _ addition: Account.UserAddition, to account: inout Account, in context: CommandContext,
        _ effect: inout CommandEffect
    ) throws(CommandError) {
        let time = try context.time(for: "adding a user role")
        let user = try CommandError.wrapping { () throws(UserError) in
            try account.addUser(addition, at: time, by: context.userRole, from: context.chance)
        }
        // As printed: a delegate is added without being asked.
        if addition.kind != .delegate {
            effect.confirmation = CommandConfirmation(
                "you are adding \(addition.kind.rawValue) role access to account \(account.name) for "
                    + "\(addition.email) (\(addition.name))", asksOnNextLine: true)
        }
        guard user.kind == .automation else {
            effect.mail = [UserMail.onboarding(user, account, at: time)]
            effect.reported = ["onboarding email has been sent to \(user.email)"]
            return
        }
        let path = try write(user, account, in: context, &effect)
        effect.reported = [
            "automation management token written to \(path)",
            "set this in an APPROOV_MANAGEMENT_TOKEN environment variable on the machine that requires it",
        ]
    }

    // The file is beside the account, as its keys are.
    private static func write(
        _ user: UserRole, _ account: Account, in context: CommandContext, _ effect: inout CommandEffect
    ) throws(CommandError) -> String {
        let path = "\(context.accountFolder)\(user.id).tok"
        let token = ManagementToken.text(of: user, account: account)
        try effect.write(token + "\n", to: path, isSecret: true, in: context)
        effect.warn(SecretTopic.warning(onDerived: account.signingKey, of: account))
        return path
    }
}

/// User roles in the words of the manual (Listing User Roles, Revoking User Access).
private enum UserText {
    /// The output of `users -list`.
    static func list(_ users: [UserRole], _ zone: ClockZone) -> [String] {
        let width = (users.map(\.id.count).max() ?? 0) + 1
        return [ListText.heading(users.count, "user role", "user roles")]
            + users.map { user in
                let password = user.isPasswordProtected ? ", password protected" : ""
                return "  \(ListText.pad(user.id, to: width))\(person(user, zone))\(password)"
            }
    }

    /// The person who has a user role, and its expiry.
    static func person(_ user: UserRole, _ zone: ClockZone) -> String {
        "\(user.email), \(user.name), expires \(zone.text(of: user.expiry))"
    }
}

/// The mail about user roles.
private enum UserMail {
    /// The mail that the person with a new user role would get (manual, Adding New User Roles). No secret is in it.
    static func onboarding(_ user: UserRole, _ account: Account, at time: Instant) -> MailMessage {
        let password = user.isPasswordProtected ? ["You will be asked to set a password for it."] : []
        let lines =
            [
                "You have been given access to account \(account.name).", "", "role: \(user.kind.rawValue)",
                "ID: \(user.id)", "name: \(user.name)", "expiry: \(user.expiry.dateAndTime)",
            ] + (password.isEmpty ? [] : [""]) + password
        return MailMessage(
            date: MailDate(time), recipients: [user.email], subject: "Onboarding to account \(account.name)",
            text: lines.map { $0.showingControls() + "\n" }.joined())
    }
}
