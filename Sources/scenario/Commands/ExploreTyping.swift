internal import Accounts
internal import Documents
internal import Explore
internal import HTTP
internal import PolicyEngine

/// Reads a management command while it is typed.
enum ExploreTyping {
    /// Carries out a command on an account; it reads no file.
    ///
    /// - Throws: ``CommandError``, also for a command that changes nothing about the account.
    static func apply(_ line: String, to account: inout Account) throws(CommandError) -> CommandEffect {
        let command = try ManagementCommand(line)
        guard command.changesAccount else {
            throw CommandError("\(line.quoted) does not change the account, so it has no effect here")
        }
        var context = CommandContext()
        context.boundary = FileBoundary(namedBy: [])
        return try command.apply(to: &account, in: context)
    }

    /// The refusal of a command, with the column at which it is wrong if that is known.
    static func refusal(of line: String, _ error: CommandError, field: String) -> Refusal {
        var refusal = Refusal(422, error.description, field: field, hint: error.hint)
        refusal.column = column(of: error.description, in: line)
        return refusal
    }

    // The column of the first word that the message quotes, counted from 1; the line itself is none.
    private static func column(of message: String, in line: String) -> Int? {
        let quoted = message.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        for (index, word) in quoted where index % 2 == 1 && !word.isEmpty && word != line {
            if let found = line.firstRange(of: word) {
                return line[..<found.lowerBound].utf16.count + 1
            }
        }
        return nil
    }

    /// The answer on a command that is typed after some changes.
    ///
    /// - Throws: ``Refusal`` with the column for one that cannot be carried out.
    static func check(_ question: Question, _ account: Account) throws(Refusal) -> JSONValue {
        let line = try question.requiredText("line")
        var changed = account
        do throws(CommandError) {
            let effect = try apply(line, to: &changed)
            return .ordered([
                ("version", .integer(1)), ("command", .string(try ManagementCommand(line).text)),
                ("changes", .boolean(changed != account)),
                ("confirmation", effect.confirmation.map { .string($0.consequence) } ?? .null),
                ("warnings", .array(effect.warnings.map(JSONValue.string))),
            ])
        } catch {
            throw refusal(of: line, error, field: "line")
        }
    }

    /// The words that may follow at the end of a line.
    static func completion(of line: String) -> JSONValue {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let typed = words.dropLast().filter { !$0.isEmpty } + [words.last ?? ""]
        let completer = Completer(.scenario, words: [Command.approov.name] + typed)
        let last = words.last ?? ""
        let offers = completer.completion.offers.filter { $0.word.hasPrefix(last) }
        return .ordered([
            ("version", .integer(1)), ("start", .integer(line.utf16.count - last.utf16.count)),
            (
                "words",
                .array(
                    offers.map { offer in
                        .ordered([
                            ("word", .string(offer.word)),
                            ("meaning", offer.summary.isEmpty ? .null : .string(offer.summary)),
                        ])
                    })
            ),
        ])
    }
}
