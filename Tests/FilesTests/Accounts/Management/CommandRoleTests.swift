import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// The table command × role, against the lists of the manual (User Roles) and its descriptions of commands.
@Suite struct CommandRoleTests {
    private static let files = CaseFile.all(in: "Tables/words", ending: "roles.txt")

    // Each command with the roles that may give it; it is refused to the others.
    @Test("R24.1 the rights of the manual's lists", arguments: files) func rights(_ file: CaseFile) throws {
        var tried: [String] = []
        try file.expectActual { example in
            try TextCase.lines(example) { line in
                let command = try ManagementCommand(line)
                tried.append("\(type(of: command.topic).name) \(command.action.name)")
                let roles = CommandRole.allCases.filter { !Self.isRefused(command, to: $0) }
                expect(Set(roles), equals: command.action.roles, "\(line)")
                return roles.map(\.rawValue).joined(separator: ", ")
            }
        }
        let actions = ManagementCommand.topics.flatMap { topic in topic.actions.map { "\(topic.name) \($0.name)" } }
        expect(tried.sorted(), equals: actions.sorted())
    }

    private static func isRefused(_ command: ManagementCommand, to role: CommandRole) -> Bool {
        var account = Account()
        var context = CommandContext(time: Instant(secondsSinceEpoch: 0), role: role)
        context.latest = { [] }
        do throws(CommandError) {
            _ = try command.apply(to: &account, in: context)
            return false
        } catch {
            return ["an admin role is required", "a dev role is required"].contains(error.description)
        }
    }
}
