// Evaluates one rooted device under a policy that allows it, and prints the decision in words.

import PolicyEngine

var account = Account(name: "test-account")
account.policy = try account.securityPolicy("default,allow-root,risk")
try account.append(
    Filter(name: "old-app", test: .exact(key: "app-version", value: "0.2.1"), options: [.reject, .risky]))

// Names become numbers once: the engine compares numbers only.
var symbols = SymbolTable(catalogue: account.catalogue)
var engine = Engine(account: account, symbols: &symbols)
let codec = ResponseCodec(account: account)
let appVersion = symbols.attributes.key(named: "app-version")

if let id = DeviceID("h4gubfCFzJu81j/U2BJsdg=="), let rooted = account.catalogue.flag(named: "rooted") {
    var attestation = Attestation(
        time: Instant(secondsSinceEpoch: 1_595_502_643),
        device: symbols.devices.intern(id),
        flags: [rooted]
    )
    for version in ["7.2.1", "0.2.1"] {
        attestation.set(symbols.attributes.intern(version, for: appVersion), for: appVersion)
        let decision = engine.attest(attestation, symbols: symbols)
        let code = codec.code(passed: decision.passed, flags: decision.flags)
        print(decision.passed, decision.lifetime, symbols.catalogue.names(of: decision.flags))
        print(engine.rejections(of: decision, catalogue: symbols.catalogue), code)
        if let meaning = codec.meaning(of: code) { precondition(meaning.flags == decision.flags) }
        attestation.time = attestation.time + 600
    }
    // true 120 ["rooted", "new-did", "risky-device"]
    // [] KRKB2HXA2P
    // false 120 ["rooted", "risky-device"]
    // ["filter:old-app"] LBDXKR6WND
}
