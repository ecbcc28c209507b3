internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Scenarios

// R23.4: management commands.
extension StandIn {
    /// Carries a management command out.
    ///
    /// - Parameters:
    ///   - body: The words of the command as a JSON array.
    ///   - manager: Who gives it.
    ///   - consent: What was given as the answer to what has to be confirmed; `nil` for none.
    ///   - time: Now.
    /// - Throws: ``Refusal``; nothing has changed then.
    mutating func manage(
        _ body: [UInt8], by manager: Manager, consent: String?, at time: Instant
    ) throws(Refusal) -> HTTPAnswer {
        let given = Given(words: try Self.words(body), manager: manager)
        let prepared = try prepare(given, at: time)
        let effect = prepared.effect
        if let confirmation = effect.confirmation, consent != CommandConfirmation.consent {
            throw Refusal(
                409, (confirmation.introduction + [confirmation.question]).joined(separator: "\n"), field: "confirm",
                hint: "?confirm=\(CommandConfirmation.consent)")
        }
        guard effect.cloning == nil else {
            throw .badField("body", "the command changes account files, which is left to `scenario approov`")
        }
        if prepared.leavesTraces { try keep(StateEvent(.command, at: time, event(given, prepared))) }
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

    // A command, who gives it, and what its chance follows from: the same draws the same once more.
    private struct Given {
        let words: [String]
        let manager: Manager
        var seed = Base64.text(of: KeyChance.system.encryptionSecret().bytes)

        // OpenSSL draws RSA keys itself, so the keys of a key set cannot follow from anything. They are kept.
        var chance: KeyChance { words.first == "keyset" ? .system : .seeded(seed) }
    }

    private static func json(_ message: MailMessage) -> JSONValue {
        .ordered([
            ("to", .array(message.recipients.map { .string($0) })), ("subject", .string(message.subject)),
            ("text", .string(message.text)),
        ])
    }

    private static func words(_ body: [UInt8]) throws(Refusal) -> [String] {
        guard case .array(let items) = try json(body) else {
            throw .badField("body", "the body is no JSON array of words", hint: #"such as ["policy","-get"]"#)
        }
        let words = items.compactMap(\.text)
        guard words.count == items.count else { throw .badField("body", "a word of the command is no text") }
        return words
    }

    private static func command(_ words: [String]) throws(Refusal) -> ManagementCommand {
        do throws(CommandError) {
            return try ManagementCommand(words: words)
        } catch {
            throw .badField("body", error.description, hint: error.hint)
        }
    }

    private func prepare(_ given: Given, at time: Instant) throws(Refusal) -> ServedAccount.Prepared {
        let command = try Self.command(given.words)
        var context = CommandContext(time: time)
        given.manager.act(in: &context)
        // Whoever sends a request is not who may read files of this machine.
        context.boundary = FileBoundary(namedBy: [])
        context.chance = given.chance
        do throws(CommandError) {
            return try account.prepare(command, in: context, at: time)
        } catch {
            throw Refusal(error.isForbidden ? 403 : 400, error.description, field: "body", hint: error.hint)
        }
    }

    // Keys that were drawn are kept, since nobody draws them again.
    private func event(_ given: Given, _ prepared: ServedAccount.Prepared) -> [UInt8] {
        var members: [(key: String, value: JSONValue)] = [
            ("words", .array(given.words.map { .string($0) })), ("seed", .string(given.seed)),
        ]
        if let user = given.manager.user { members.append(("user", .string(user.id))) }
        if let changed = prepared.changed, !changed.hasKeys(of: account.latest) {
            members.append(("keys", .string(KeyFile.text(of: changed))))
        }
        var output = JSONBytes()
        JSONValue.ordered(members).write(to: &output)
        return output.bytes
    }

    /// Carries out a command that was carried out before.
    mutating func repeatCommand(_ body: [UInt8], at time: Instant) throws(Refusal) {
        let event = JSONContent.object(try Self.object(body))
        guard case .array(let items)? = event["words"], let seed = event["seed"]?.text else {
            throw .badField("body", "a command that was kept has no words")
        }
        var manager = Manager()
        if let id = event["user"]?.text {
            manager.user = account.latest.users?.first { $0.id == id }
            if manager.user == nil { throw .badField("body", "who gave a command that was kept is not known") }
        }
        let given = Given(words: items.compactMap(\.text), manager: manager, seed: seed)
        var prepared = try prepare(given, at: time)
        if let keys = event["keys"]?.text, var changed = prepared.changed {
            guard KeyFile.restore(keys, into: &changed) else {
                throw .badField("body", "the keys of a command that was kept make no sense")
            }
            prepared.changed = changed
        }
        account.carryOut(prepared, at: time)
    }
}
