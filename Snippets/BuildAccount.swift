// Builds an account in code: what an account file says, as a value.

import PolicyEngine

// Flags are declared first, since policies may name them.
var account = try Account(
    name: "shapes", declaring: [FlagDeclaration(name: "vpn", meaning: "A VPN is on", isRisk: true)])
account.declaredRules = ["beta"]
account.policy = try account.securityPolicy("default,allow-root,vpn+risky-device")
if let vpn = account.catalogue.flag(named: "vpn") { account.policy.rejection.addRejectFlag(vpn) }

// Filters on what devices send.
try account.append(Filter(name: "old-app", test: .exact(key: "app-version", value: "0.2.1"), options: .reject))
try account.append(
    Filter(name: "test-build", test: .regex(key: "device-props", pattern: Pattern("test-keys|userdebug"))))
try account.append(
    Filter(name: "old-test-build", test: .conjunction(["old-app", "test-build"]), options: [.ban, .risky]))

// A second policy for one device in two hundred, and settings of a single device.
let filtered = try account.filteredSecurityPolicy("beta,strict,all")
if let id = DeviceID(DeviceID.filteredPolicyText) { try account.append(DeviceEntry(id: id, policy: filtered)) }
account.samplingPercentage = Percentage("0.5") ?? .zero
if let id = DeviceID("h4gubfCFzJu81j/U2BJsdg==") {
    let lenient = SecurityPolicy(rules: "default", rejection: RejectionPolicy(preset: .whitelist), annotation: .none)
    try account.append(DeviceEntry(id: id, policy: lenient, label: "test phone", pinMode: .unpin, banMode: .unban))
}

// The app, the backend that its tokens are for, and the key that they are signed with.
try account.append(
    Registration(signature: "Ac15BRFWqxn79dGsjOdVJXVqBQQ64ZWTAuKdrzRC9hc=", package: "com.example.shapes"))
let key = try TokenKey.new(.es256, id: "backend")
try account.keys.keySet.append(key)
account.keys.messageSigningKey = .new()
try account.append(APIDomain(name: "api.example.com", type: .keyset, algorithm: "ES256", keyID: "backend"))
account.ipTracking = .none
account.includesIssuer = true

print(account.policy)
// default,custom,vpn+risky-device
print(account.filters.map(\.name), account.devices.map { $0.label ?? "filtered policy" })
// ["old-app", "test-build", "old-test-build"] ["filtered policy", "test phone"]

// An invalid filter is an error with a sentence for people; the account stays as it was.
do throws(FilterError) {
    try account.append(Filter(name: "old-app", test: .exact(key: "app-version", value: "0.2.2")))
} catch {
    print(error)
    // filter `old-app` exists already
}
