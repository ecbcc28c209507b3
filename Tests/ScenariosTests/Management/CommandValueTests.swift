import PolicyEngine
import Testing

@testable import Accounts
@testable import Scenarios
@testable import TestSupport

/// Values that begin with `-`: most often the next option, behind a variable of a shell that is empty.
@Suite struct CommandValueTests {
    private static let start = "filter -add x -key ip"
    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="

    struct Row: LabelledRow {
        let line: String
        let message: String?
    }

    private static func taken(_ line: String) -> Row { Row(line: line, message: nil) }

    private static func refused(_ line: String, _ option: String, _ what: String, _ word: String) -> Row {
        Row(
            line: line,
            message:
                "`\(option)` needs \(what), and `\(word)` looks like an option; hint: a value that begins with `-` is "
                + "written `\(option)=\(word)`")
    }

    static let rows = [
        refused("\(start) -matchValue -reject", "-matchValue", "a value", "-reject"),
        refused("\(start) -matchValue -1", "-matchValue", "a value", "-1"),
        refused("filter -add -reject", "-add", "a name", "-reject"),
        refused("device -add \(bob) -label -banMode ban", "-label", "a value", "-banMode"),
        refused("policy -set -get", "-set", "a policy", "-get"),
        refused("device -removeMatching -list", "-removeMatching", "a user name or label", "-list"),
        taken("\(start) -matchValue -"), taken("\(start) -matchValue ''"), taken("\(start) -matchValue=-reject"),
        taken("\(start) -matchValue -- -reject"), taken("\(start) -reject -matchValue -- -reject"),
        taken("filter -key=ip -matchValue=-1 -add=x"), taken("keyset -kid=mykey -remove"),
        taken("registration -remove=-a=b-1"), taken("registration -remove -- -a=b-1"),
        Row(line: "\(start) -matchValue -- -reject -ban", message: "unexpected word `-ban`"),
        Row(line: "\(start) -matchValue --", message: "`-matchValue` needs a value"),
        Row(line: "keyset -kid -remove", message: "`-kid` needs a value"),
        Row(line: "policy -get=x", message: "`-get` takes no value"),
        Row(line: "\(start) -matchValue 1 -reject=yes", message: "`-reject` takes no value"),
        Row(line: "device -add \(bob) -label=", message: "the value of `-label` is empty"),
    ]

    @Test("cli: a value that begins with a dash is joined, or stands behind two", arguments: rows)
    func value(_ row: Row) {
        var message: String?
        do throws(CommandError) {
            _ = try ManagementCommand(row.line)
        } catch {
            message = error.description + (error.hint.map { "; hint: \($0)" } ?? "")
        }
        #expect(message == row.message)
    }

    @Test func joinedValuesAreWhole() throws {
        let filter = try Filter(name: "x", test: .exact(key: "ip", value: "-a=b"), options: .reject)
        #expect(try ManagementCommand("\(Self.start) -reject -matchValue=-a=b").value as? FilterTopic == .add(filter))
        #expect(
            try ManagementCommand("\(Self.start) -reject -matchValue -- -a=b").value as? FilterTopic == .add(filter))
    }
}
