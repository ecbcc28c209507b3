import Documents
import Foundation
import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// The table of the keys of an account file agrees with what is read and with `docs/FORMATS.md`.
@Suite struct AccountKeyTableTests {
    // The rows of the table of accounts there: the keys of the first column, and the values of the second.
    private static func rows(
        from title: String = "## Account\n", to next: String = "\n## Scenario"
    ) throws -> [(keys: [String], values: String)] {
        let text = try Repository.text(of: "docs/FORMATS.md")
        let start = try #require(text.range(of: title))
        let end = try #require(text.range(of: next, range: start.upperBound..<text.endIndex))
        let section = text[start.upperBound..<end.lowerBound]
        let table = section.components(separatedBy: "\n\n").first { $0.contains("| --- |") } ?? ""
        return table.split(separator: "\n").dropFirst(2).map { line in
            let cells = line.replacing(#"\|"#, with: " ").split(separator: "|", omittingEmptySubsequences: false)
            let keys = cells[1].split(separator: ",").map { $0.filter { !" `".contains($0) } }
            return (keys, String(cells[2]))
        }
    }

    private static let entries: [(AccountKey, [String])] = [
        (.flags, FlagLoader.Key.allCases.map(\.rawValue)),
        (.filters, FilterFields.Key.allCases.map(\.rawValue) + FilterOption.all.map(\.key)),
        (.devices, DeviceFields.Key.allCases.map(\.rawValue)),
        (.deviceCheck, DeviceCheckFields.Key.allCases.map(\.rawValue)),
        (.safetyNet, SafetyNetFields.Key.allCases.map(\.rawValue)),
        (.certificates, CertificateFields.Key.allCases.map(\.rawValue)),
        (.registrations, RegistrationFields.Key.allCases.map(\.rawValue)),
        (.domains, DomainFields.Key.allCases.map(\.rawValue)),
        (.users, UserFields.Key.allCases.map(\.rawValue)),
        (.monitoring, MonitoringFields.Key.allCases.map(\.rawValue)),
    ]

    private static func unknownKeys(in text: String) -> [String] {
        var diagnostics = Diagnostics()
        _ = AccountLoader.load(YAMLParser.parse(bytes: Array(text.utf8), path: "a.yaml"), diagnostics: &diagnostics)
        return diagnostics.all.map(\.message).filter { $0.contains("unknown key") }
    }

    @Test func referenceListsEveryKeyInOrder() throws {
        #expect(try Self.rows().flatMap(\.keys) == AccountKey.allCases.map(\.rawValue))
    }

    @Test func referenceListsEveryKeyOfAKeyFileInOrder() throws {
        #expect(try Self.rows(from: "### Key file\n").flatMap(\.keys) == KeyFileKey.allCases.map(\.rawValue))
    }

    @Test func referenceNamesTheKeysOfEveryEntry() throws {
        let rows = try Self.rows()
        for (key, names) in Self.entries {
            let row = try #require(rows.first { $0.keys.contains(key.rawValue) })
            let words = Set(row.values.split { !$0.isLetter && $0 != "-" }.map(String.init))
            #expect(words.isSuperset(of: names), "\(key.rawValue)")
        }
    }

    @Test func everyKeyIsRead() {
        #expect(AccountKey.readingOrder.count == AccountKey.allCases.count)
        #expect(Set(AccountKey.readingOrder) == Set(AccountKey.allCases))
        for key in AccountKey.allCases { #expect(Self.unknownKeys(in: "\(key.rawValue): x\n").isEmpty) }
        #expect(Self.unknownKeys(in: "key-of-nobody: x\n") == ["unknown key `key-of-nobody` in the account"])
    }

    @Test func everyKeyOfAnEntryIsRead() {
        for (key, names) in Self.entries {
            let isMapping = key == .deviceCheck || key == .safetyNet || key == .monitoring
            for name in names {
                #expect(
                    Self.unknownKeys(in: "\(key.rawValue):\n  \(isMapping ? "" : "- ")\(name): x\n").isEmpty, "\(name)")
            }
            #expect(Self.unknownKeys(in: "\(key.rawValue):\n  \(isMapping ? "" : "- ")of-nobody: x\n").count == 1)
        }
    }
}
