// Judges one rooted device under a policy that allows it.

import PolicyEngine

var account = Account(name: "test-account")
account.policy = try account.securityPolicy("default,allow-root,risk")

var symbols = SymbolTable(catalogue: account.catalogue)
var engine = Engine(account: account, symbols: &symbols)

if let id = DeviceID("h4gubfCFzJu81j/U2BJsdg=="), let rooted = account.catalogue.flag(named: "rooted") {
    let attestation = Attestation(
        time: Instant(secondsSinceEpoch: 1_595_502_643),
        device: symbols.devices.intern(id),
        flags: [rooted]
    )
    let decision = engine.attest(attestation, symbols: symbols)
    print(decision.passed, decision.lifetime, symbols.catalogue.names(of: decision.flags))
    // true 120 ["rooted", "new-did", "risky-device"]
}
