import Testing

@testable import HTTP
@testable import TestSupport

/// The names by which a server may be asked for.
@Suite struct HostNamesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let host: String
        let address: String
        let allowed: [String]
        let isAnswered: Bool
        var testDescription: String { "\(host) at \(address), allowing \(allowed)" }

        init(
            _ isAnswered: Bool, _ host: String, at address: String = "127.0.0.1", allowing allowed: [String] = []
        ) {
            (self.host, self.address, self.allowed, self.isAnswered) = (host, address, allowed, isAnswered)
        }
    }

    static let rows = [
        Row(true, "localhost:8080"), Row(true, "LocalHost:8080"), Row(true, "127.0.0.1:8080"),
        Row(true, "[::1]:8080"), Row(true, "[::1]"), Row(true, "localhost"), Row(false, "127.0.0.2:8080"),
        Row(false, "localhost:x"), Row(false, "localhost:65536"), Row(false, "[::1]x:80"), Row(false, "::1"),
        Row(false, ""), Row(false, "attacker.example:8080"), Row(false, "localhost.attacker.example:8080"),
        Row(false, "localhost:8080.attacker.example"), Row(false, "localhost@attacker.example:8080"),
        Row(true, "127.0.0.2:8080", at: "127.0.0.2"),
        Row(true, "api.test", allowing: ["api.test"]), Row(true, "API.test:443", allowing: ["api.test"]),
        Row(false, "other.test", allowing: ["api.test"]), Row(true, "localhost:8080", allowing: ["api.test"]),
        // Elsewhere nobody here knows the names, unless some are said.
        Row(true, "anything", at: "0.0.0.0"), Row(false, "anything", at: "0.0.0.0", allowing: ["api.test"]),
        Row(true, "api.test:1", at: "0.0.0.0", allowing: ["api.test"]),
    ]

    @Test("R23.6 who asks by another name is refused", arguments: rows) func refuses(_ row: Row) {
        let names = HostNames(
            address: row.address, isPrivate: row.address.hasPrefix("127."), allowing: row.allowed)
        let refusal = names.refusal(of: [row.host])
        expect(refusal?.status, equals: (row.isAnswered ? nil : 421))
        #expect(row.isAnswered || refusal?.field == "Host")
    }

    @Test("R23.6 a request asks for one host") func oneHost() {
        let names = HostNames(address: "127.0.0.1", isPrivate: true, allowing: [])
        expect(names.refusal(of: [])?.status, equals: 400)
        expect(names.refusal(of: ["localhost:8080", "localhost:8080"])?.status, equals: 400)
        // RFC 9112, 3.2.2: the host of a whole address counts, and not the header.
        #expect(names.refusal(of: ["attacker.example"], target: "localhost:8080") == nil)
        expect(names.refusal(of: ["localhost:8080"], target: "attacker.example")?.status, equals: 421)
    }

    static let targets: [(text: String, path: String?, host: String?)] = [
        ("/a", "/a", nil), ("http://h:1/a/b", "/a/b", "h:1"), ("HTTP://h", "/", "h"), ("//h/a", "//h/a", nil),
        ("*", nil, nil), ("h:1", nil, nil), ("https://h/a", nil, nil), ("http:///a", nil, nil), ("", nil, nil),
        ("http://me@h/a", nil, nil),
    ]

    @Test("R23.6 the target of a request is a path, or a whole address", arguments: targets)
    func target(row: (text: String, path: String?, host: String?)) {
        let target = RequestTarget(row.text)
        #expect(target?.path == row.path && target?.host == row.host)
    }

    static let names: [(text: String, isName: Bool)] = [
        ("api.test", true), ("mock_api-1", true), ("", false), ("a:1", false), ("a b", false),
    ]

    @Test("R23.6 a name that can be allowed has no port", arguments: names)
    func allowed(row: (text: String, isName: Bool)) { expect(HTTPServer.isHostName(row.text), equals: row.isName) }
}
