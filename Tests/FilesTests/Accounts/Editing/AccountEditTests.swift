import PolicyEngine
import Testing

@testable import Accounts
@testable import Documents
@testable import TestSupport

/// The edits that a command makes in an account file: everything else stays as it is written.
@Suite struct AccountEditTests {
    struct Row: LabelledRow {
        let name: String
        let commands: [String]
        let before, after: String

        init(_ name: String, _ commands: String..., before: String, after: String) {
            (self.name, self.commands, self.before, self.after) = (name, commands, before, after)
        }
    }

    // `Tests/Transcripts/management/edit-*.txt` has all that a transcript can show.
    static let rows = [
        Row(
            "carriage returns", "policy -setIssuer on", "filter -add a -key k -matchValue v",
            before: "account: a\r\narc: on\r\n",
            after: "account: a\r\narc: on\r\nissuer: on\r\nfilters:\r\n  - {name: a, key: k, match: v}\r\n"),
        Row(
            "a byte order mark", "policy -setARC off", before: "\u{FEFF}account: ä\n",
            after: "\u{FEFF}account: ä\narc: off\n"),
        Row(
            "a value of other bytes that looks the same", "filter -add a -key k -matchValue 'e\u{301}'",
            before: "filters: [{name: a, key: k, match: \u{E9}}]\n",
            after: "filters: [{name: a, key: k, match: e\u{301}}]\n"),
    ]

    @Test(arguments: rows) func keepsTheRest(_ row: Row) throws {
        var edited = try EditedAccount(row.before)
        for command in row.commands { try edited.carryOut(command) }
        expect(Array(edited.text.utf8), equals: Array(row.after.utf8), "\(edited.text)")
    }
}

/// Parts of an account as an edited file says them: what follows from the rest is left out.
@Suite struct WrittenPartTests {
    @Test("a certificate of which only the fingerprint is known is that alone") func certificates() {
        let fingerprint = "C0:F3:15:9B:A5:6C:A8:E1"
        let keys = { (certificate: AppSigningCertificate) -> [String]? in
            guard case .mapping(let fields) = CertificateFields.value(of: certificate).written else { return nil }
            return fields.map(\.key)
        }
        let end = Instant(secondsSinceEpoch: 2_000_000_000)
        expect(CertificateFields.value(of: AppSigningCertificate(fingerprint: fingerprint)), equals: .text(fingerprint))
        expect(
            keys(AppSigningCertificate(fingerprint: fingerprint, subject: "CN=a")), equals: ["fingerprint", "subject"])
        expect(keys(AppSigningCertificate(fingerprint: fingerprint, expiry: end)), equals: ["fingerprint", "expiry"])
    }

    @Test(
        "R24.3 a name that the address says is not needed", arguments: [("bob", false), ("Bob", true), ("a.com", true)])
    func userNames(name: String, isNeeded: Bool) throws {
        let user = try UserRole(
            id: "dev-1234", email: "bob@a.com", name: name, expiry: Instant(secondsSinceEpoch: 0))
        let field = UserFields.all.values(of: user).first { $0.key == "name" }
        #expect(field?.text == name && field?.isNeeded == isNeeded)
    }

    @Test("R15.1 a list of registrations is written also where it has none, and where there is no list it is not")
    func emptyLists() throws {
        var diagnostics = Diagnostics()
        let file = try #require(
            AccountFile(bytes: Array("account: a\n".utf8), path: "a.yaml", diagnostics: &diagnostics))
        let text = { (account: Account) in
            try file.bytes(saying: account).map { String(decoding: $0, as: UTF8.self) }
        }
        var listing = file.account
        listing.listRegistrations()
        try expect(text(listing), equals: "account: a\nregistrations: []\n")
        var other = file.account
        other.includesIssuer = true
        try expect(text(other), equals: "account: a\nissuer: on\n")
    }
}

/// The digest of an account, which reports hold: the same in every version that says no more of it.
@Suite struct AccountDigestTests {
    @Test("every key takes part, in the form that it had first") func everyKey() throws {
        let account = try AccountText.account(Repository.text(of: "Tests/Tables/documents/rich-account.yaml"))
        expect(
            AccountDigest.text(of: account),
            equals: "sha256:57454dc89d7a9df96e012beddcbf4a0cff42dfb2ef298f569be7b42312dc2309")
    }
}
