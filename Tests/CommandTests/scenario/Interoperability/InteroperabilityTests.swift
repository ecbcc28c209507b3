import Foundation
import Testing

@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// Other implementations verify our tokens, and we verify theirs: Debian's `jose`, PyJWT and jwcrypto; and a backend made of
/// Flask and PyJWT lets in whom it should. `make test` installs them.
@Suite struct InteroperabilityTests {
    private static let implementations = ["PyJWT", "jwcrypto", "jose"]
    private static let claims = Array(#"{"did":"ExampleApproovTokenDID==","exp":4102444800}"#.utf8)

    // RSA keys take their time; one that is there serves for all of its algorithms.
    private static func key(_ algorithm: TokenAlgorithm) throws -> TokenKey {
        guard algorithm.keyType == "RSA" else {
            return try TokenKey.new(
                algorithm, id: "mykey", bits: algorithm.isSymmetric && !algorithm.isEncryption ? 512 : nil)
        }
        return try TokenKey(jwk: SampleKeys.rsa.replacing("RS256", with: algorithm.rawValue))
    }

    private struct Case {
        let key: TokenKey
        let valid, rejected: String

        var json: [String: Any] {
            let members = key.jwk(includingSecret: true).map { ($0.name, $0.value) }
            return [
                "algorithm": key.algorithm.rawValue, "key": Dictionary(uniqueKeysWithValues: members), "valid": valid,
                "rejected": rejected,
            ]
        }
    }

    private static func answers(_ work: [String: Any]) throws -> [String: Any] {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        // Debian's own, whose packages `make test` installs, and not one that is in the way.
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-B", Tooling.path(of: "interoperate.py")]
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: JSONSerialization.data(withJSONObject: work))
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "the other implementations are missing; `make test` installs them")
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func othersAgree() throws {
        let folder = try TemporaryFolder(["account.yaml": "apis: [{domain: my.api.io}]\n"])
        let cases = try TokenAlgorithm.allCases.map { algorithm in
            let key = try Self.key(algorithm)
            let signer = try TokenSigner(key: key)
            return Case(key: key, valid: signer.token(Self.claims), rejected: signer.token(Self.claims, isValid: false))
        }
        let backend = try Backend(folder)
        let answers = try Self.answers([
            "folder": folder.path, "cases": cases.map(\.json),
            "backend": ["secret": backend.secret, "requests": backend.requests.map(\.json)],
        ])
        let found = try #require(answers["cases"] as? [String: [String: Any]])
        for work in cases {
            let answer = try #require(found[work.key.algorithm.rawValue])
            for name in Self.implementations where !(name == "PyJWT" && work.key.algorithm.isEncryption) {
                try check(try #require(answer[name] as? [String: Any]), of: name, work.key)
            }
        }
        let statuses = try #require(answers["backend"] as? [String: Int])
        for request in backend.requests { expect(statuses[request.name], equals: request.status, "\(request.name)") }
    }

    private func check(_ answer: [String: Any], of name: String, _ key: TokenKey) throws {
        let what = "\(name), \(key.algorithm.rawValue)"
        let valid = try #require(answer["valid"] as? [String: Any])
        expect(valid["did"] as? String, equals: "ExampleApproovTokenDID==", "\(what): \(valid)")
        expect(valid["exp"] as? Int, equals: 4_102_444_800, "\(what)")
        let rejected = try #require(answer["rejected"] as? [String: Any])
        #expect(rejected["error"] != nil && rejected["did"] == nil, "\(what)")
        let theirs = try #require(answer["theirs"] as? String)
        let verifier = TokenVerifier(key: key.publicKey ?? key)
        let read = try verifier.claims(of: theirs, at: Instant(secondsSinceEpoch: 4_102_444_799))
        expect(read.device?.description, equals: "ExampleApproovTokenDID==", "\(what)")
        // Another first character of the signature, or of the tag.
        var parts = theirs.split(separator: ".").map(String.init)
        let last = parts.removeLast()
        parts.append((last.first == "A" ? "B" : "A") + last.dropFirst())
        let changed = parts.joined(separator: ".")
        #expect(throws: TokenError.self, "\(what)") { try verifier.payload(of: changed) }
    }

    /// The requests to a backend, with tokens that the command makes.
    private struct Backend {
        struct Request {
            let name: String
            let headers: [String: String]
            let status: Int
            var json: [String: Any] { ["name": name, "headers": headers] }
        }

        let secret: String
        var requests: [Request] = []

        init(_ folder: TemporaryFolder) throws {
            // PyJWT reads the clock, so these tokens have to be of today.
            let now = Instant(secondsSinceEpoch: Int(Date().timeIntervalSince1970))
            let run = { (time: Instant, words: String...) in
                let options = ["approov", "--account", "@account.yaml", "--yes", "--at", "\(time)"]
                return ToolRun(options + words, in: folder).output.split(separator: "\n").last.map(String.init) ?? ""
            }
            _ = run(now, "secret", "-change")
            secret = run(now, "secret", "-get", "base64", "-plain")
            let example = ["token", "-genExample", "my.api.io"]
            let valid = run(now, example[0], example[1], example[2])
            let failed = run(now, example[0], example[1], example[2], "-type", "invalid")
            let old = run(now + -7200, example[0], example[1], example[2])
            let bound = run(now, example[0], example[1], example[2], "-setDataHashInToken", "Bearer x")
            let failover = run(
                now, example[0], example[1], example[2], "-type", "failover", "-setDataHashInToken", "Bearer x")
            let long = run(now, "token", "-genLongLived", "server-token,1d")
            let parts = valid.split(separator: ".").map(String.init)
            let none = Base64.text(of: Array(#"{"alg":"none"}"#.utf8), .url)
            add("valid", valid, 200)
            add("long lived", long, 200)
            add("failed attestation", failed, 401)
            add("expired", old, 401)
            add("no token", nil, 401)
            add("no token at all", "x", 401)
            add(
                "changed claims",
                [parts[0], Base64.text(of: Array("{\"exp\":4102444800}".utf8), .url), parts[2]].joined(separator: "."),
                401)
            add("alg none", "\(none).\(parts[1]).", 401)
            add("bound", bound, 200, user: "Bearer x")
            add("bound to somebody else", bound, 401, user: "Bearer y")
            add("bound, without a user", bound, 401)
            add("failover", failover, 200, user: "Bearer x")
        }

        private mutating func add(_ name: String, _ token: String?, _ status: Int, user: String? = nil) {
            var headers: [String: String] = [:]
            headers["Approov-Token"] = token
            headers["Authorization"] = user
            requests.append(Request(name: name, headers: headers, status: status))
        }
    }
}
