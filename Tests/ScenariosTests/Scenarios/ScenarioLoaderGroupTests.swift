import Testing

@testable import TestSupport

@Suite struct ScenarioLoaderGroupTests {
    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="
    private static let idForm = "is not a device ID; it has 22 characters of A–Z a–z 0–9 + / and then `==`"
    private static let mustAddUp = "the shares of `choose` must add up to 100%"
    private static let block = "such as 10.0.0.0/8, with no bits behind the prefix"

    static let groups: [LoaderRow] = [
        .head("a list of groups", "devices: ①[a]", Problem("①", "`devices` must be a mapping, not a list")),
        .head("text for a group", "devices: {bob: ①x}", Problem("①", "group `bob` must be a mapping, not text")),
        .head(
            "group named all", "devices: {①all: {}}",
            Problem("①", "a group cannot be called `all`, which means every group")),
        .head(
            "too many devices", "devices: ①{a: {count: 10000000}, b: {}}",
            Problem("①", "more than 10,000,000 devices in one scenario")),
        .head(
            "one ID twice", "devices: {a: {id: \(bob)}, ①b: {id: \(bob)}}",
            Problem("①", "device `\(bob)` is in group `a` already")),
        .twoAccounts(
            "which of several accounts", "devices: {①bob: {}}",
            Problem("①", "a group needs `account`, because the scenario has several")),
        .twoAccounts(
            "none of several accounts", "devices: {bob: {account: ①c}}",
            Problem("①", "`account` must be `a` or `b`, not `c`")),
        .group(
            "account where there is one", "account: ①a",
            Problem("①", "`account` names one of `accounts`, and the scenario has none")),
    ]

    static let fields: [LoaderRow] = [
        .group("no device", "count: ①0", Problem("①", "`count` must be a whole number from 1 to 10000000, not `0`")),
        .group("unknown system", "os: ①windows", Problem("①", "`os` must be `android` or `ios`, not `windows`")),
        .group(
            "system in capitals", "os: ①iOS",
            Problem("①", "`os` must be `android` or `ios`, not `iOS`", hint: "did you mean `ios`?")),
        .group(
            "unknown flag", "flags: [rooted, ①roted]",
            Problem("①", "unknown flag `roted`", hint: "did you mean `rooted`?")),
        .group(
            "flag that is near none", "flags: [①zzz]",
            Problem("①", "unknown flag `zzz`", hint: "an account can declare it under `flags`")),
        .group(
            "text for flags", "flags: ①rooted",
            Problem("①", "`flags` must be a list, not text", hint: "write `[rooted]`")),
        .group(
            "rate of an unknown flag", "flag-rates: {①roted: 2%}",
            Problem("①", "unknown flag `roted`", hint: "did you mean `rooted`?")),
        .group(
            "rate without sign", "flag-rates: {rooted: ①2}",
            Problem("①", "`rooted` must be a percentage from `0%` to `100%`, not `2`", hint: "write `2%`")),
        .group("list of rates", "flag-rates: ①[a]", Problem("①", "`flag-rates` must be a mapping, not a list")),
        .group(
            "registered maybe", "registered: ①maybe",
            Problem("①", "`registered` must be `true` or `false`, not `maybe`")),
        .group(
            "one ID for two devices", "count: 2, id: ①\(bob)",
            Problem("①", "`id` needs `count: 1`, but group `bob` has 2")),
        .group("short ID", "id: ①abc", Problem("①", "`abc` \(idForm)", hint: "it has 3 characters instead of 24")),
        .group(
            "pseudo device", "id: ①++FilteredSecPolicy++w==",
            Problem("①", "`++FilteredSecPolicy++w==` is not a device")),
        .group(
            "DeviceCheck of Android", "os: android, devicecheck: ①available",
            Problem("①", "`devicecheck` is of iOS, and these devices run Android")),
        .group(
            "SafetyNet of iOS", "os: ios, safetynet: ①pass",
            Problem("①", "`safetynet` is of Android, and these devices run iOS")),
        .group(
            "DeviceCheck that is none", "devicecheck: ①availabel",
            Problem(
                "①", "`devicecheck` must be `available`, `unavailable` or `invalid`, not `availabel`",
                hint: "did you mean `available`?")),
        .group(
            "too many bits", "devicecheck: {state: available, bits: ①4}",
            Problem("①", "`bits` must be a whole number from 0 to 3, not `4`")),
        .group(
            "month that is none", "devicecheck: {state: available, bits: 1, changed: ①2018-13}",
            Problem("①", "`2018-13` is not a month", hint: "such as 2018-03")),
        .group(
            "month in the future", "devicecheck: {state: available, bits: 1, changed: ①2020-02}",
            Problem("①", "`changed` lies after the scenario's start")),
        .group(
            "month without bits", "devicecheck: {state: available, changed: ①2018-03}",
            Problem("①", "`changed` goes with `bits`")),
        .group(
            "no state", "devicecheck: ①{bits: 1}", Problem("①", "`state` is missing from `devicecheck`")),
        .group("list for a physical device", "physical: ①[a]", Problem("①", "`physical` must be text, not a list")),
        .group(
            "unknown key", "①flag: [rooted]",
            Problem("①", "unknown key `flag` in group `bob`", hint: "did you mean `flags`?")),
    ]

    static let attributes: [LoaderRow] = [
        .group("list of attributes", "attributes: ①[a]", Problem("①", "`attributes` must be a mapping, not a list")),
        .group(
            "attributes that follow from the device", "attributes: {①device-id: x, ②flags-all: x, ③public-flags: x}",
            Problem("①", "`device-id` follows from the device and cannot be given"),
            Problem("②", "`flags-all` follows from the device and cannot be given"),
            Problem("③", "`public-flags` follows from the device and cannot be given")),
        .group("list for a value", "attributes: {device: ①[a]}", Problem("①", "`device` must be text, not a list")),
        .group("empty value", "attributes: {device: ①}", Problem("①", "`device` must not be empty")),
        .group(
            "bits behind the prefix", "attributes: {ip: ①10.0.0.1/8}",
            Problem("①", "`10.0.0.1/8` is not a block of addresses", hint: block)),
        .group(
            "prefix too long", "attributes: {ip: ①10.0.0.0/33}",
            Problem("①", "`10.0.0.0/33` is not a block of addresses", hint: block)),
        .group(
            "no choice", "attributes: {device: ①{②chose: {a: 100%}}}",
            Problem("①", "`choose` is missing from `device`"),
            Problem("②", "unknown key `chose` in `device`", hint: "did you mean `choose`?")),
        .group(
            "block among choices", "attributes: {ip: {choose: {10.0.0.0/8: 50%, ①10.0.0.1/8: 50%}}}",
            Problem("①", "`10.0.0.1/8` is not a block of addresses", hint: block)),
        .group("shares below", "attributes: {device: {choose: ①{a: 50%, b: 49.9%}}}", Problem("①", mustAddUp)),
        .group("shares above", "attributes: {device: {choose: ①{a: 60%, b: 50%}}}", Problem("①", mustAddUp)),
        .group("nothing to choose from", "attributes: {device: {choose: ①{}}}", Problem("①", mustAddUp)),
        .group(
            "share without sign", "attributes: {device: {choose: {a: ①50, b: 50%}}}",
            Problem("①", "`a` must be a percentage from `0%` to `100%`, not `50`", hint: "write `50%`")),
        .group(
            "list of choices", "attributes: {device: {choose: ①[a]}}",
            Problem("①", "`choose` must be a mapping, not a list")),
    ]

    @Test(arguments: groups + fields + attributes) func saysWhatIsWrong(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(!isLoaded)
    }

    static let warnings: [LoaderRow] = [
        .group(
            "flags that are derived", "flags: [①new-did, rooted, ②risky-device]",
            Problem("①", "`new-did` is derived; it need not be given"),
            Problem("②", "`risky-device` is derived; it need not be given")),
        .twoAccounts(
            "one ID in two accounts",
            "devices: {one: {account: a, id: \(bob)}, two: {account: b, id: \(bob)}}"),
    ]

    @Test(arguments: warnings) func takesWhatMayBe(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(isLoaded)
    }
}
