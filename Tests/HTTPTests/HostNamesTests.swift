import Testing

@testable import HTTP

/// The names by which a server may be asked for.
@Suite struct HostNamesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let host: String
        let address: String
        let port: UInt16
        let allowed: [String]
        let isAnswered: Bool
        var testDescription: String { "\(host) at \(address):\(port), allowing \(allowed)" }

        init(
            _ isAnswered: Bool, _ host: String, at address: String = "127.0.0.1", port: UInt16 = 8080,
            allowing allowed: [String] = []
        ) {
            (self.host, self.address, self.port) = (host, address, port)
            (self.allowed, self.isAnswered) = (allowed, isAnswered)
        }
    }

    static let rows = [
        Row(true, "localhost:8080"), Row(true, "LocalHost:8080"), Row(true, "127.0.0.1:8080"),
        Row(true, "[::1]:8080"), Row(false, "localhost"), Row(false, "127.0.0.1:80"), Row(false, "127.0.0.2:8080"),
        Row(false, ""), Row(false, "attacker.example:8080"), Row(false, "localhost.attacker.example:8080"),
        Row(false, "localhost:8080.attacker.example"), Row(false, "localhost@attacker.example:8080"),
        Row(true, "127.0.0.2:8080", at: "127.0.0.2"), Row(true, "localhost", port: 80),
        Row(true, "localhost:80", port: 80), Row(false, "attacker.example", port: 80),
        Row(true, "api.test", allowing: ["api.test"]), Row(true, "API.test:443", allowing: ["api.test"]),
        Row(false, "other.test", allowing: ["api.test"]), Row(true, "localhost:8080", allowing: ["api.test"]),
        // Elsewhere nobody here knows the names, unless some are said.
        Row(true, "anything", at: "0.0.0.0"), Row(false, "anything", at: "0.0.0.0", allowing: ["api.test"]),
        Row(true, "api.test:1", at: "0.0.0.0", allowing: ["api.test"]),
    ]

    @Test("R23.6 who asks by another name is refused", arguments: rows) func refuses(_ row: Row) {
        let names = HostNames(
            address: row.address, port: row.port, isPrivate: row.address.hasPrefix("127."), allowing: row.allowed)
        let refusal = names.refusal(of: [row.host])
        #expect(refusal?.status == (row.isAnswered ? nil : 421))
        #expect(row.isAnswered || refusal?.field == "Host")
    }

    @Test("R23.6 a request asks for one host") func oneHost() {
        let names = HostNames(address: "127.0.0.1", port: 8080, isPrivate: true, allowing: [])
        #expect(names.refusal(of: [])?.status == 400)
        #expect(names.refusal(of: ["localhost:8080", "localhost:8080"])?.status == 400)
    }

    static let names: [(text: String, isName: Bool)] = [
        ("api.test", true), ("mock_api-1", true), ("", false), ("a:1", false), ("a b", false),
    ]

    @Test("R23.6 a name that can be allowed has no port", arguments: names)
    func allowed(row: (text: String, isName: Bool)) { #expect(HTTPServer.isHostName(row.text) == row.isName) }
}
