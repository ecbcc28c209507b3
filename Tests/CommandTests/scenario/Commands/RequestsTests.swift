import Foundation
import Testing

@testable import Documents
@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// `scenario requests`: tokens of other libraries, right and wrong in many ways, are each named rightly (manual, Backend
/// Integration).
@Suite struct RequestsTests {
    private static let time = Instant(secondsSinceEpoch: 1_595_502_643)

    private static let account = """
        account: shop
        keys: shop.keys
        policy: default,default,default
        audience: on
        apis:
          - {domain: api.shop.io}
          - {domain: sealed.shop.io, alg: A256GCMKW}
          - {domain: curve.shop.io, type: keyset, kid: curve}

        """

    private struct Keys {
        let main = Self.secret(1, 64)
        let sealed = Self.secret(2, 32)
        let spare = Self.secret(3, 64)
        let curve: TokenKey

        init() throws { curve = try TokenKey.new(.es256, id: "curve", bits: nil) }

        private static func secret(_ byte: UInt8, _ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }

        private func spareKey() throws -> TokenKey {
            try TokenKey(secret: Secret(spare), algorithm: .hs256, id: "spare")
        }

        static func jwk(_ key: TokenKey) -> [String: String] {
            Dictionary(uniqueKeysWithValues: key.jwk(includingSecret: true).map { ($0.name, $0.value) })
        }

        func file() throws -> String {
            let keys = try [curve, spareKey()].map { key in
                "  - {"
                    + key.jwk(includingSecret: true).map { "\($0.name): \"\($0.value)\"" }.joined(separator: ", ") + "}"
            }
            return """
                account-secret: \(Data(main).base64EncodedString())
                encryption-secret: \(Data(sealed).base64EncodedString())
                key-id: main
                key-set:
                \(keys.joined(separator: "\n"))

                """
        }

        func json() throws -> [String: Any] {
            func oct(_ bytes: [UInt8]) -> [String: String] { ["kty": "oct", "k": Base64.text(of: bytes, .url)] }
            return ["main": oct(main), "sealed": oct(sealed), "spare": oct(spare), "curve": Self.jwk(curve)]
        }
    }

    // A token of another library, and the reason for which a backend refuses it.
    private struct Sample {
        let name: String
        let token: String?
        let reason: String?
        let data: String?
        let domain: String

        init(_ name: String, _ values: [Any]) {
            func text(_ index: Int) -> String? { index < values.count ? values[index] as? String : nil }
            (self.name, token, reason, data) = (name, text(0), text(1), text(2))
            domain = text(3) ?? "api.shop.io"
        }

        var line: String {
            get throws {
                var members: [String: Any] = [
                    "time": "\(RequestsTests.time)", "domain": domain, "token": token ?? NSNull(), "app-version": "5.1",
                ]
                // A request without the header; without `data` nothing would be known of it.
                if let data { members["data"] = data.isEmpty ? NSNull() : data }
                return String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
            }
        }
    }

    private static func samples(_ keys: Keys) async throws -> [Sample] {
        let codec = ResponseCodec(account: try AccountText.account(account.replacing("keys: shop.keys\n", with: "")))
        let rooted = try #require(FlagCatalogue().flag(named: "rooted"))
        var work: [String: Any] = try keys.json()
        work["time"] = time.secondsSinceEpoch
        work["passed"] = codec.code(passed: true, flags: [])
        work["failed"] = codec.code(passed: false, flags: [rooted])
        let answer = try await Tooling.answer(of: "tokens.py", to: work)
        return answer.map { Sample($0.key, $0.value as? [Any] ?? []) }.sorted { $0.name < $1.name }
    }

    private static func report(_ folder: TemporaryFolder, _ lines: [String]) throws -> [String: Any] {
        try folder.write(lines.map { $0 + "\n" }.joined(), to: "log.jsonl")
        let run = ToolRun("requests --account @shop.yaml --format json @log.jsonl", in: folder)
        try #require(run.status == .success, "\(run.error)")
        return try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    }

    @Test func tokensOfOthersAreNamedRightly() async throws {
        let keys = try Keys()
        let folder = try TemporaryFolder(["shop.yaml": Self.account, "shop.keys": keys.file()])
        let samples = try await Self.samples(keys)
        expect(samples.count { $0.reason != nil } >= 26, equals: true)
        for sample in samples {
            let report = try Self.report(folder, [sample.line])
            let reasons = try #require(report["reasons"] as? [[String: Any]])
            expect(
                reasons.map { $0["reason"] as? String ?? "" }, equals: [sample.reason].compactMap(\.self),
                "\(sample.name)")
        }
        try checkSums(samples, folder)
    }

    // All of them in one log: each is counted once, under its reason.
    private func checkSums(_ samples: [Sample], _ folder: TemporaryFolder) throws {
        let report = try Self.report(folder, samples.map { try $0.line })
        let reasons = try #require(report["reasons"] as? [[String: Any]])
        let counts = Dictionary(
            uniqueKeysWithValues: reasons.map { ($0["reason"] as? String ?? "", $0["requests"] as? Int ?? 0) })
        let expected = Dictionary(grouping: samples.compactMap(\.reason)) { $0 }.mapValues(\.count)
        expect(counts, equals: expected)
        expect(report["requests"] as? Int, equals: samples.count)
        expect(report["refused"] as? Int, equals: expected.values.reduce(0, +))
        let failed = try #require(reasons.first { $0["reason"] as? String == "failed-attestation" })
        expect(failed["details"] as? [String: Int], equals: ["rooted": 1])
        // Just now and two hours ago.
        let expired = try #require(reasons.first { $0["reason"] as? String == "expired" })
        expect([expired["median-seconds"], expired["longest-seconds"]].map { $0 as? Int }, equals: [0, 7200])
        let groups = try #require(report["groups"] as? [[String: Any]])
        expect(groups.map { $0["value"] as? String }, equals: ["5.1"])
    }
}
