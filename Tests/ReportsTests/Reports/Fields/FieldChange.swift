@testable import Accounts
@testable import PolicyEngine
@testable import TestSupport

/// A change of one field of an account, and a scenario that it may turn: a case of `Tests/Tables/fields/accounts.txt`.
struct FieldChange {
    /// The field, and the rule or what is changed.
    let name: String
    private let steps: String
    private let members: [(key: String, value: String)]

    init(_ example: CaseFile.Case) {
        name = example.name
        steps = example.body.filter { $0.hasPrefix(" ") }.map { $0 + "\n" }.joined()
        members = example.body.filter { !$0.hasPrefix(" ") }.map { line in
            let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    private subscript(key: String) -> String? { members.first { $0.key == key }?.value }

    /// True if the expectations of the steps, which hold before, fail after.
    var turns: Bool { self["turns"] == "yes" }

    /// The members of a record of the device.
    var record: [(key: String, value: String)] {
        members.filter { $0.key.hasPrefix("record ") }.map { (String($0.key.dropFirst(7)), $0.value) }
    }

    /// The scenario under the account before, or after.
    func scenario(isChanged: Bool) -> String {
        let account = "{\(self[isChanged ? "after" : "before"] ?? "")}"
        let accounts = self["other"].map { "accounts: {own: \(account), other: {\($0)}}" } ?? "account: \(account)"
        return "scenario: s\n\(accounts)\n\(self["more"] ?? "")\ndevices: {\(self["devices"] ?? "")}\nsteps:\n\(steps)"
    }
}

/// The changes of a field.
struct FieldChanges: CustomStringConvertible {
    let description: String
    let changes: [FieldChange]

    private init(_ name: String) {
        description = name
        changes = Self.cases.filter { $0.name == name || $0.name.hasPrefix(name + ": ") }.map { FieldChange($0) }
    }

    private static let path = "Tests/Tables/fields/accounts.txt"
    private static let cases = (try? Repository.text(of: path)).map { CaseFile(path: path, text: $0).cases } ?? []

    /// Those of every key of an account file, and of every field of an entry.
    static let all = (AccountFields.keys + entries).map { FieldChanges($0) }

    private static let entries =
        DeviceEntry.Field.allCases.map { "devices.\($0.rawValue)" }
        + Registration.Field.allCases.map { "registrations.\($0.rawValue)" }
        + APIDomain.Field.allCases.map { "apis.\($0.rawValue)" }
        + AppSigningCertificate.Field.allCases.map { "app-signing-certs.\($0.rawValue)" }
}
