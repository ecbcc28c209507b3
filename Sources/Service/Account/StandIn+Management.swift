internal import Accounts
internal import Documents
internal import HTTP
internal import PolicyEngine
internal import Scenarios

// R23.4: management commands.
extension StandIn {
    /// Carries a management command out.
    ///
    /// - Parameters:
    ///   - given: The command.
    ///   - manager: The manager who gives it.
    ///   - consent: The answer to its question, if it has to be confirmed; `nil` for none.
    ///   - time: Now.
    /// - Throws: ``Refusal``; nothing has changed then.
    mutating func manage(
        _ given: GivenCommand, by manager: Manager, consent: String?, at time: Instant
    ) throws(Refusal) -> HTTPAnswer {
        let prepared = try prepare(given, by: manager, at: time)
        let effect = prepared.effect
        if let confirmation = effect.confirmation, consent != CommandConfirmation.consent {
            throw Refusal(
                409, (confirmation.introduction + [confirmation.question]).joined(separator: "\n"), field: "confirm",
                hint: "?confirm=\(CommandConfirmation.consent)")
        }
        guard effect.cloning == nil else {
            throw .badField("body", "the command changes account files, which only `scenario approov` can do")
        }
        if prepared.leavesTraces { try keep(StateEvent(.command, at: time, event(given, by: manager, prepared))) }
        account.carryOut(prepared, at: time)
        let lines = effect.listsTokenReports ? reports.all.map(\.line) : prepared.lines
        return HTTPAnswer(
            .ordered([
                ("printed", .array((effect.printed + lines).map { .string($0) })),
                ("reported", .array(effect.reported.map { .string($0) })),
                ("warnings", .array(effect.warnings.map { .string($0) })),
                ("mail", .array(effect.mail.map(Self.json))),
            ]))
    }

    private static func json(_ message: MailMessage) -> JSONValue {
        .ordered([
            ("to", .array(message.recipients.map { .string($0) })), ("subject", .string(message.subject)),
            ("text", .string(message.text)),
        ])
    }

    private func prepare(
        _ given: GivenCommand, by manager: Manager, at time: Instant
    ) throws(Refusal) -> ServedAccount.Prepared {
        var context = CommandContext(time: time)
        manager.act(in: &context)
        // Whoever sends a request is not who may read files of this machine.
        context.boundary = FileBoundary(namedBy: [])
        context.chance = given.chance
        do throws(CommandError) {
            return try account.prepare(given.command, in: context, at: time)
        } catch {
            throw Refusal(error.isForbidden ? 403 : 400, error.description, field: "body", hint: error.hint)
        }
    }

    // Keys that were drawn are kept, since nobody draws them again.
    private func event(
        _ given: GivenCommand, by manager: Manager, _ prepared: ServedAccount.Prepared
    ) -> [UInt8] {
        var members: [(key: String, value: JSONValue)] = [
            ("words", .array(given.words.map { .string($0) })), ("seed", .string(given.seed)),
        ]
        if let user = manager.user { members.append(("user", .string(user.id))) }
        if let changed = prepared.changed, !changed.hasKeys(of: account.latest) {
            members.append(("keys", .string(KeyFile.text(of: changed))))
        }
        return JSONValue.ordered(members).bytes
    }

    /// Carries out a command that was carried out before.
    mutating func repeatCommand(_ body: [UInt8], at time: Instant) throws(Refusal) {
        let event = JSONContent.object(try RequestBody.object(body))
        guard case .array(let items)? = event["words"], let seed = event["seed"]?.text else {
            throw .badField("body", "a command that was kept has no words")
        }
        var manager = Manager()
        if let id = event["user"]?.text {
            manager.user = account.latest.users?.first { $0.id == id }
            if manager.user == nil { throw .badField("body", "who gave a command that was kept is not known") }
        }
        let given = try GivenCommand(words: items.compactMap(\.text), seed: seed)
        var prepared = try prepare(given, by: manager, at: time)
        if let keys = event["keys"]?.text, var changed = prepared.changed {
            guard KeyFile.restore(keys, into: &changed) else {
                throw .badField("body", "the keys of a command that was kept are not valid")
            }
            prepared.changed = changed
        }
        account.carryOut(prepared, at: time)
    }
}

/// A management command that was read, and what its chance follows from: the same draws the same once more.
struct GivenCommand: Sendable {
    /// The command.
    let command: ManagementCommand
    /// Its words.
    let words: [String]
    /// The seed of all that the command draws at random.
    let seed: String
    /// The source of new keys.
    let chance: KeyChance

    /// Reads a command; a key that it adds to a key set is made here, which may take seconds.
    ///
    /// - Parameter seed: The seed of its chance, if it was given before.
    init(words: [String], seed: String? = nil) throws(Refusal) {
        do throws(CommandError) {
            command = try ManagementCommand(words: words)
        } catch {
            throw .badField("body", error.description, hint: error.hint)
        }
        (self.words, self.seed) = (words, seed ?? Base64.text(of: KeyChance.system.encryptionSecret().bytes))
        // OpenSSL draws RSA keys itself, so the keys of a key set cannot follow from anything. They are kept.
        chance = command.preparedKey.map { .made($0) } ?? .seeded(self.seed)
    }
}
