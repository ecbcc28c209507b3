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
        let words = try Self.words(body)
        let prepared = try prepare(words, by: manager, at: time)
        if let confirmation = prepared.effect.confirmation, consent != CommandConfirmation.consent {
            throw Refusal(
                409, (confirmation.introduction + [confirmation.question]).joined(separator: "\n"), field: "confirm",
                hint: "?confirm=\(CommandConfirmation.consent)")
        }
        if try Self.leavesTraces(words, prepared.effect) {
            try keep(StateEvent(.command, at: time, event(words, manager, prepared)))
        }
        let lines = try carryOut(prepared, at: time)
        return HTTPAnswer(
            .ordered([
                ("printed", .array((prepared.effect.printed + lines).map { .string($0) })),
                ("reported", .array(prepared.effect.reported.map { .string($0) })),
                ("warnings", .array(prepared.effect.warnings.map { .string($0) })),
            ]))
    }

    private static func leavesTraces(_ words: [String], _ effect: CommandEffect) throws(Refusal) -> Bool {
        // What is only asked changes nothing, unless the answer is cleared with it.
        try command(words).changesAccount || effect.clearsDeviceState || effect.forcesPins || effect.query != nil
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

    private func prepare(
        _ words: [String], by manager: Manager, at time: Instant
    ) throws(Refusal) -> ServedAccount.Prepared {
        let command = try Self.command(words)
        var context = CommandContext(time: time, role: manager.role)
        context.user = manager.name
        // Whoever sends a request is not who may read files of this machine.
        context.boundary = FileBoundary(namedBy: [])
        context.chance = .system
        do throws(CommandError) {
            return try account.prepare(command, in: context, at: time)
        } catch {
            throw Refusal(error.needsAdmin ? 403 : 400, error.description, field: "body", hint: error.hint)
        }
    }

    private func carryOut(_ prepared: ServedAccount.Prepared, at time: Instant) throws(Refusal) -> [String] {
        if prepared.effect.query == .tokenReports { return reports.all.map(\.line) }
        do throws(CommandError) {
            return try account.carryOut(prepared, at: time)
        } catch {
            throw .badField("body", error.description, hint: error.hint)
        }
    }

    // Keys that were drawn are kept, since nobody draws them again.
    private func event(_ words: [String], _ manager: Manager, _ prepared: ServedAccount.Prepared) -> [UInt8] {
        var members: [(key: String, value: JSONValue)] = [
            ("words", .array(words.map { .string($0) })), ("role", .string(manager.role.rawValue)),
        ]
        if let name = manager.name { members.append(("user", .string(name))) }
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
        guard case .array(let items)? = event["words"],
            let role = event["role"]?.text.flatMap(CommandRole.init(rawValue:))
        else { throw .badField("body", "a command that was kept has no words") }
        let manager = Manager(role: role, name: event["user"]?.text)
        var prepared = try prepare(items.compactMap(\.text), by: manager, at: time)
        if let keys = event["keys"]?.text, var changed = prepared.changed {
            guard KeyFile.restore(keys, into: &changed) else {
                throw .badField("body", "the keys of a command that was kept make no sense")
            }
            prepared.changed = changed
        }
        _ = try carryOut(prepared, at: time)
    }
}
