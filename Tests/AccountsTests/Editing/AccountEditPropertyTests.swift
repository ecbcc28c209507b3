import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// Commands by chance on account files by chance: the file says the same as the account in memory, in every form, and no comment
/// gets lost that was on a line of its own or on something that is still there.
@Suite struct AccountEditPropertyTests {
    @Test(arguments: Exhaustive.seeds(0...99, each: 9)) func fileAndAccountAgree(seed: UInt64) throws {
        let generator = AccountFileGenerator(seed: seed)
        var edited = try EditedAccount(generator.text)
        var commands = CommandGenerator(seed: seed)
        var history: [String] = []
        var notes = generator.owners
        for _ in 0..<25 {
            let line = commands.next()
            history.append(line)
            do {
                try edited.carryOut(line)
            } catch let error as CommandError {
                // The account refuses it; the file is not asked.
                #expect(!error.description.isEmpty)
                continue
            }
            let present = Self.owners(in: edited)
            notes = notes.filter { present.contains($0.value) }
            let lost = Self.lines(generator.text).filter { !Self.lines(edited.text).contains($0) }
            #expect(lost.isEmpty, "\(history) \(generator.text) \(edited.text)")
            let lostNotes = notes.keys.filter { !edited.text.contains($0) }
            #expect(lostNotes.isEmpty, "\(lostNotes) \(history) \(generator.text) \(edited.text)")
        }
    }

    // The comments that have a line for themselves, without their indentation.
    private static func lines(_ text: String) -> Set<String> {
        Set(
            text.split(whereSeparator: \.isNewline).map { String($0.trimmingPrefix { $0 == " " }) }.filter {
                $0.hasPrefix("# line")
            })
    }

    private static func owners(in edited: EditedAccount) -> Set<String> {
        let account = edited.account
        let keys = edited.text.split(whereSeparator: \.isNewline).compactMap { line in
            line.firstMatch(of: /^([a-z-]+):/).map { String($0.output.1) }
        }
        return Set(
            keys + account.filters.map(\.name) + account.devices.map(\.id.description)
                + account.apiDomains.map(\.name) + account.appSigningCertificates)
    }

    // Every kind of command gets its chance, and most are carried out.
    @Test func commandsAreOfEveryKind() throws {
        var (kinds, carriedOut, count) = (Set<String>(), 0, 0)
        for seed in 0..<20 as Range<UInt64> {
            var account = try EditedAccount(AccountFileGenerator(seed: seed).text).account
            var commands = CommandGenerator(seed: seed)
            for _ in 0..<40 {
                let line = commands.next()
                count += 1
                guard (try? ManagementCommand(line).apply(to: &account, in: CommandContext())) != nil else { continue }
                carriedOut += 1
                kinds.insert(line.split(separator: " ").prefix(2).joined(separator: " "))
            }
        }
        #expect(kinds.count >= 20, "\(kinds.sorted())")
        #expect(carriedOut * 3 > count, "\(carriedOut) of \(count)")
    }
}
