// Answers HTTP requests with decisions, by plain sockets and no framework. `swift run AnswerRequests 8080`, and elsewhere:
// curl -H 'Device: h4gubfCFzJu81j/U2BJsdg==' -H 'Flags: rooted' -H 'App-Version: 0.2.1' http://127.0.0.1:8080/

import PolicyEngine

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

var account = Account(name: "test-account")
account.policy = try account.securityPolicy("default,allow-root,risk")
try account.append(Filter(name: "old-app", test: .exact(key: "app-version", value: "0.2.1"), options: .reject))
var symbols = SymbolTable(catalogue: account.catalogue)
var engine = Engine(account: account, symbols: &symbols)
let appVersion = symbols.attributes.key(named: "app-version")

/// Evaluates the device that the headers of a request describe; `nil` if they name no device, or no flag.
@MainActor func decision(about headers: [String: String]) -> String? {
    guard let id = headers["device"].flatMap({ DeviceID($0) }) else { return nil }
    var attestation = Attestation(time: Instant(secondsSinceEpoch: time(nil)), device: symbols.devices.intern(id))
    for name in headers["flags", default: ""].split(separator: ",") {
        guard let flag = try? symbols.catalogue.intern(observed: String(name)) else { return nil }
        attestation.flags.insert(flag)
    }
    if let version = headers["app-version"] {
        attestation.set(symbols.attributes.intern(version, for: appVersion), for: appVersion)
    }
    let decision = engine.attest(attestation, symbols: symbols)
    let reasons = engine.rejections(of: decision, catalogue: symbols.catalogue)
    return "\(decision.passed ? "passed" : "rejected by \(reasons)") \(symbols.catalogue.names(of: decision.flags))\n"
}

/// Reads the headers of a request; the end of a line is one character to Swift.
func headers(from connection: Int32) -> [String: String] {
    var request = ""
    var bytes = [UInt8](repeating: 0, count: 4096)
    while !request.contains("\r\n\r\n"), request.utf8.count < 65_536 {
        let count = read(connection, &bytes, bytes.count)
        guard count > 0 else { return [:] }
        request += String(decoding: bytes[..<count], as: UTF8.self)
    }
    let fields = request.split(separator: "\r\n").dropFirst().map { $0.split(separator: ": ", maxSplits: 1) }
    return Dictionary(fields.map { ($0[0].lowercased(), String($0.last ?? "")) }) { first, _ in first }
}

var address = sockaddr_in()
address.sin_family = sa_family_t(AF_INET)
address.sin_port = (CommandLine.arguments.dropFirst().first.flatMap { UInt16($0) } ?? 8080).bigEndian
address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
// An enumeration to the GNU library, and a number to others.
let listener = socket(AF_INET, unsafeBitCast(SOCK_STREAM, to: Int32.self), 0)
let isBound = withUnsafeBytes(of: &address) {
    bind(listener, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count)) == 0
}
guard isBound, listen(listener, 16) == 0 else { fatalError("the port is in use") }
signal(SIGPIPE, SIG_IGN)
while true {
    let connection = accept(listener, nil, nil)
    let text = decision(about: headers(from: connection))
    let answer = text.map { "HTTP/1.1 200 OK\r\nContent-Length: \($0.utf8.count)\r\n\r\n\($0)" }
    let bytes = Array((answer ?? "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").utf8)
    _ = write(connection, bytes, bytes.count)
    close(connection)
}
