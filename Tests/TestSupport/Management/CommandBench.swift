import Accounts
import PolicyEngine
import Testing

/// Carries management commands out on accounts that are given as YAML.
enum CommandBench {
    /// The account after some commands, and the effect of each.
    ///
    /// - Parameters:
    ///   - lines: As they would be typed, one after another.
    ///   - text: The account, which is valid.
    ///   - context: The context of the commands.
    static func carryOut(
        _ lines: [String], on text: String, in context: CommandContext = CommandContext()
    ) throws -> (account: Account, effects: [CommandEffect]) {
        var account = try AccountText.account(text)
        let effects = try lines.map { try ManagementCommand($0).apply(to: &account, in: context) }
        return (account, effects)
    }

    /// Why the last of some commands is refused; those before it are carried out.
    ///
    /// - Returns: `message; hint: hint`, or `nil` when it is not refused.
    static func refusal(
        of lines: [String], on text: String, in context: CommandContext = CommandContext()
    ) throws -> String? {
        var (account, _) = try carryOut(Array(lines.dropLast()), on: text, in: context)
        do throws(CommandError) {
            _ = try ManagementCommand(lines.last ?? "").apply(to: &account, in: context)
            return nil
        } catch {
            return error.description + (error.hint.map { "; hint: \($0)" } ?? "")
        }
    }

    /// A context at a time of RFC 3339.
    static func context(at time: String, folder: String = "") throws -> CommandContext {
        let instant: Instant = try #require(Instant(rfc3339: time))
        return CommandContext(time: instant, folder: folder)
    }
}
