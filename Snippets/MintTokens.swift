// Mints tokens of an account as fast as one core can, and prints how many a second: `swift run -c release MintTokens`.

import PolicyEngine

var account = Account(name: "test-account")
account.includesIssuer = true

var minter = try TokenMinter(account: account, domain: "mydomain.com")
var symbols = SymbolTable(catalogue: account.catalogue)
var engine = Engine(account: account, symbols: &symbols)
let devices = (0..<1000).map { DeviceID(first: 7, second: $0) }
let start = Instant(secondsSinceEpoch: 1_595_502_643)
let decisions = devices.enumerated().map { number, device in
    engine.attest(
        Attestation(time: start + number, device: symbols.devices.intern(device)), symbols: symbols)
}

let count = 1_000_000
var bytes = 0
let elapsed = ContinuousClock().measure {
    for number in 0..<count {
        let index = number % devices.count
        var facts = TokenFacts(device: devices[index])
        facts.responseCode = "UDBQD4PPXM"
        facts.address = "1.2.3.4"
        bytes += minter.token(for: decisions[index], facts).utf8.count
    }
}

// The token made last is one that a backend accepts.
var facts = TokenFacts(device: devices[0])
facts.address = "1.2.3.4"
let token = minter.token(for: decisions[0], facts)
let claims = try TokenVerifier(key: account.signingKey).claims(of: token, at: start)
precondition(claims.device == devices[0])

let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
print(
    "\(Int(Double(count) / seconds)) tokens a second with \(minter.key.algorithm.rawValue), \(bytes / count) bytes each"
)
