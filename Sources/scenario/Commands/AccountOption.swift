internal import PolicyEngine
internal import Simulation

/// The account that the options of a command name: a file, and changes to it.
enum AccountOption {
    /// Reads the account and changes it: `--account`, then `--policy`, then each `--change`.
    ///
    /// - Returns: `nil` after noting an error.
    static func account(_ arguments: ParsedArguments, diagnostics: inout Diagnostics) -> Account? {
        var account = Account()
        if let path = arguments.value(of: ReplayCommand.accountOption) {
            guard let read = AccountLoader.load(path: path, diagnostics: &diagnostics) else { return nil }
            account = read
        }
        if let policy = arguments.value(of: ReplayCommand.policyOption) {
            // The policy is one word, whatever it holds.
            change(&account, by: .setPolicy(policy), option: "--policy", diagnostics: &diagnostics)
        }
        for line in arguments.values(of: ReplayCommand.changeOption) {
            do throws(CommandError) {
                change(&account, by: try ManagementCommand(line), option: "--change", diagnostics: &diagnostics)
            } catch {
                diagnostics.add(error.diagnostic(for: "--change"))
            }
        }
        return diagnostics.hasErrors ? nil : account
    }

    private static func change(
        _ account: inout Account, by command: ManagementCommand, option: String, diagnostics: inout Diagnostics
    ) {
        do throws(CommandError) {
            // Before a replay starts, no device has attested.
            for warning in try command.apply(to: &account, in: CommandContext()).warnings {
                diagnostics.add(Diagnostic(severity: .warning, file: option, message: warning))
            }
        } catch {
            diagnostics.add(error.diagnostic(for: option))
        }
    }
}

extension CommandError {
    /// The error for people; an option stands where a file would.
    fileprivate func diagnostic(for option: String) -> Diagnostic {
        Diagnostic(file: option, message: message, hint: hint)
    }
}
