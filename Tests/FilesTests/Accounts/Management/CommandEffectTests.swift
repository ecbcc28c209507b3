import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// The effects of commands on an account (R3–R7).
@Suite struct CommandEffectTests {
    @Test func whoIsLatestIsAskedOnlyWhereItMatters() throws {
        var (account, asked) = (Account(), 0)
        var context = CommandContext()
        context.latest = {
            asked += 1
            return [DeviceID(first: 1, second: 2)]
        }
        for line in ["device -add h4gubfCFzJu81j/U2BJsdg==", "policy -setARC off", "device -add latest"] {
            _ = try ManagementCommand(line).apply(to: &account, in: context)
        }
        expect(asked, equals: 1)
        expect(account.devices.last?.id, equals: DeviceID(first: 1, second: 2))
    }
}
