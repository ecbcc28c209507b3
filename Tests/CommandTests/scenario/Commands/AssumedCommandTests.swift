import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Commands that take assumptions about signals report the same on a capture as on one whose records have these signals.
@Suite struct AssumedCommandTests {
    private static let account = """
        account: shop
        rules: [trial]
        policy: default,allow-root,default
        filters: [{name: hosting, key: ip, match: 1.2.3.4, reject: true}]

        """

    struct Row: LabelledRow {
        let assumption: String
        // The devices that it is about have a record with this value.
        let key, value: String
        let edit: @Sendable (inout [String: Any]) -> Void
        var label: String { assumption }
    }

    static let rows = [
        Row(assumption: "add xposed to app-version=\"5.1(117)\"", key: "app-version", value: "5.1(117)") { record in
            record["flags"] = (record["flags"] as? [String] ?? []) + ["xposed"]
        },
        Row(assumption: "set ip to 1.2.3.4 of app-version=\"5.2(120)\"", key: "app-version", value: "5.2(120)") {
            $0["ip"] = "1.2.3.4"
        },
        Row(assumption: "remove rooted from attest-reason=launch", key: "attest-reason", value: "launch") { record in
            record["flags"] = (record["flags"] as? [String] ?? []).filter { $0 != "rooted" }
        },
    ]

    private static let commands = [
        ["whatif", "--format=csv"], ["rollout", "--policy=strict", "--steps=10%:1h,100%", "--format=csv"],
        ["compare", "--format=csv"],
    ]

    private static func records() throws -> [[String: Any]] {
        try Repository.text(of: "Scenarios/captures/afternoon-2020-07-23.jsonl").split(separator: "\n").map { line in
            var record = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let flags = record.removeValue(forKey: "public-flags") as? String
            if let flags { record["flags"] = flags.split(separator: ",").map(String.init) }
            return record
        }
    }

    private static func text(_ records: [[String: Any]]) throws -> String {
        try records.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) + "\n" }
            .joined()
    }

    @Test(arguments: rows) func reportsAreThoseOfEditedRecords(_ row: Row) throws {
        let records = try Self.records()
        let devices = Set(
            records.filter { $0[row.key] as? String == row.value }.compactMap { $0["device-id"] as? String })
        #expect(devices.count > 5)
        let edited = records.map { record in
            var record = record
            if devices.contains(record["device-id"] as? String ?? "") { row.edit(&record) }
            return record
        }
        let folder = try TemporaryFolder([
            "shop.yaml": Self.account, "plain.jsonl": Self.text(records), "edited.jsonl": Self.text(edited),
        ])
        for command in Self.commands {
            let words = [command[0], "--account=@shop.yaml"] + command.dropFirst()
            // The newer of two captures is read as it is.
            let newer = command[0] == "compare" ? ["@plain.jsonl"] : []
            let assumed = ToolRun(words + ["@plain.jsonl"] + newer + ["--assume", row.assumption], in: folder)
            let expected = ToolRun(words + ["@edited.jsonl"] + newer, in: folder)
            let plain = ToolRun(words + ["@plain.jsonl"] + newer, in: folder)
            try #require(assumed.status == .success, "\(assumed.error)")
            expect(assumed.output, equals: expected.output, "\(command[0])")
            #expect(assumed.output != plain.output)
        }
    }
}
