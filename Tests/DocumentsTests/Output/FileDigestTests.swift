import Foundation
import Testing

@testable import Documents
@testable import TestSupport

/// The SHA-256 of files, against the examples of FIPS 180-4 and another implementation.
@Suite struct FileDigestTests {
    struct Row: LabelledRow {
        let name, text, digest: String
    }

    static let rows = [
        Row(name: "nothing", text: "", digest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Row(name: "abc", text: "abc", digest: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Row(
            name: "two blocks", text: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            digest: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        Row(
            name: "a million", text: String(repeating: "a", count: 1_000_000),
            digest: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test(arguments: rows) func digestsAreThoseOfTheStandard(_ row: Row) throws {
        let folder = try TemporaryFolder(["file": row.text])
        let digest = try #require(FileDigest(path: folder.path("file")))
        #expect(digest.text == row.digest && digest.size == row.text.utf8.count)
    }

    @Test func whatIsNoFileHasNone() throws {
        let folder = try TemporaryFolder(["folder/": ""])
        #expect(FileDigest(path: folder.path("nothing")) == nil)
        #expect(FileDigest(path: folder.path("folder")) == nil)
        #expect(FileDigest(path: "/dev/null") == nil)
    }
}
