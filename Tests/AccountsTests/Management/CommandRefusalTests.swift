import PolicyEngine
import Testing

@testable import Accounts
@testable import TestSupport

/// Commands that cannot be understood, or that the service would refuse, with their hints.
@Suite struct CommandRefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let line, message: String
        var hint: String?
        var testDescription: String { line.isEmpty ? "empty line" : line }

        init(_ line: String, _ message: String, hint: String? = nil) {
            (self.line, self.message, self.hint) = (line, message, hint)
        }
    }

    private static let bob = "h4gubfCFzJu81j/U2BJsdg=="
    private static let policyActions =
        "`-get`, `-set`, `-addRejectFlag`, `-removeRejectFlag`, `-setARC`, `-getARC`, `-setIPTracking`, "
        + "`-getIPTracking`, `-setAudience`, `-getAudience`, `-setIssuer`, `-getIssuer`, `-setPinningTestURL`, "
        + "`-getPinningTestURL`, `-removePinningTestURL`"
    private static let deviceID = "is not a device ID; it has 22 characters of A–Z a–z 0–9 + / and then `==`"
    private static let filterName = "is not a filter name; use 1 to 20 lower-case letters, digits and `-`"
    private static let percent = "is not a number of percent from `0` to `100`"
    private static let filterNeeds = "a filter needs `-key` and `-matchValue`, or else `-conjunction`"
    private static let regexHint = #"write `\` before a special character to match it literally, as in `1\.2\.3\.4`"#

    static let grammar = [
        Row("", "empty command"), Row("$ approov", "empty command"),
        Row("polcy -set x", "unknown command `polcy`", hint: "did you mean `policy`?"),
        Row(
            "rm -rf", "unknown command `rm`",
            hint: "there are `policy`, `device`, `filter`, `devicecheck`, `safetynet`, `appsigncert`, `registration`, "
                + "`api`, `pin`, `token`, `secret`, `keyset`, `users`, `monitoring`"),
        Row("policy", "`policy` needs one of \(policyActions)"),
        Row("policy -sett x", "unknown option `-sett` of `policy`", hint: "did you mean `-set`?"),
        Row("policy whatever", "unknown option `whatever` of `policy`", hint: "there are \(policyActions)"),
        Row("policy -set", "`-set` needs a policy"), Row("policy -addRejectFlag", "`-addRejectFlag` needs a flag"),
        Row("policy -set a b", "unexpected word `b`"), Row("policy -set a -b", "unknown option `-b` of `-set`"),
        Row("device -add", "`-add` needs a device ID"), Row("device -remove", "`-remove` needs a device ID"),
        Row("filter -remove", "`-remove` needs a name"), Row("filter -add", "`-add` needs a name"),
        Row("filter -setSamplingPercentage", "`-setSamplingPercentage` needs a percentage"),
        Row("device -clearDeviceState now", "unexpected word `now`"),
        Row("device -add \(bob) -label", "`-label` needs a value"),
        Row("device -add \(bob) -label a -label b", "`-label` is given twice"),
        Row("filter -add a -key k -matchValue v -ban -ban", "`-ban` is given twice"),
        Row("device -add \(bob) -lable x", "unknown option `-lable` of `-add`", hint: "did you mean `-label`?"),
        Row("device -add \(bob) label", "unexpected word `label`", hint: "did you mean `-label`?"),
        Row("policy -set 'x", "quote ' is not closed"),
        // Commands of the manual that are known and do nothing here.
        Row(
            "devicecheck -addAuthKey key.pem -teamID T", "`key.pem` is not a key file",
            hint: "such as AuthKey_XXXXXXXXXX.p8"),
        Row(
            "devicecheck -addAuthKey AuthKey_.p8", "`AuthKey_.p8` is not a key file",
            hint: "such as AuthKey_XXXXXXXXXX.p8"
        ),
        Row(
            "devicecheck -addAuthKey AuthKey_X.p8 -bits bit2",
            "`bit2` is not a value of `-bits`; there are `none`, `bit0`, `bit1`, `both`", hint: "did you mean `bit0`?"),
        Row(
            "devicecheck -addAuthKey AuthKey_X.p8 -expiry 0",
            "`0` is not a number of months from 1 to 1200"),
        Row(
            "registration -removeMatching com.demo", "`com.demo` is not a package and an age",
            hint: "such as com.example.app,30d"),
        Row("api -add a.b -pinOnly -jwe", "`-jwe` cannot be combined with `-pinOnly`"),
        Row("api -add a.b -port 0", "`0` is not a port; ports are 1 to 65535"),
        Row("device -getFetches now", "`-getFetches` takes `timed` or `untimed`, not `now`"),
        Row(
            "token -genExample a.b -type other",
            "`other` is not a value of `-type`; there are `valid`, `invalid`, `failover`"),
        Row("token -genLongLived server", "`server` is not a name and an age", hint: "such as server-token,90d"),
        Row("token -genLongLived ,90d", "`,90d` is not a name and an age", hint: "such as server-token,90d"),
        Row("token -genLongLived server,0d", "`0d` is not a number of days from 1d to 36500d"),
        Row("token -genLongLived server,2h", "`2h` is not a number of days from 1d to 36500d"),
        Row("secret -get hex", "`hex` is not a value of `-get`; there are `base64`, `base64url`, `raw`"),
        Row("secret get raw", "unknown option `get` of `secret`", hint: "did you mean `-get`?"),
        Row("secret -setKeyID ''", "a key ID has 1 to 64 printable characters of ASCII"),
        Row(
            "secret -messageSigningKey get",
            "`get` is not a value of `-messageSigningKey`; there are `change`, `clear`, `get-raw`, `get-base64`, "
                + "`get-base64url`"),
        Row(
            "keyset -remove", "`-remove` needs `-kid`", hint: "it names the key; `keyset -list` lists them"),
        Row("keyset -add RS256 -keyLength 2k", "`2k` is not a length in bits"),
        Row("keyset -add RS256 -kid 'a b'", "a key ID has 1 to 64 printable characters of ASCII"),
        Row(
            "keyset -kid a", "unknown option `-kid` of `keyset`",
            hint: "there are `-add`, `-list`, `-remove`, `-getPEM`, `-getJWKS`, `-import`"),
        Row(
            "pin -api a.com -getLeafPin both",
            "`both` is not a value of `-getLeafPin`; there are `matching`, `local`, `remote`"),
        Row("pin -api a.com -getLeafPin local -port 0", "`0` is not a port; ports are 1 to 65535"),
        Row(
            "pin -getCertChainPins", "`-getCertChainPins` needs `-api`",
            hint: "it names the domain; `api -list` lists them"),
        Row("metrics", "`metrics` is not simulated", hint: "`scenario run` and `scenario replay` report the metrics"),
        Row(
            "monitoring -gett", "unknown option `-gett` of `monitoring`", hint: "did you mean `-get`?"),
        Row("sdk -getConfig a", "`sdk` is not simulated", hint: "the SDK is simulated, so there is none to get"),
        Row("role", "`role` is not simulated", hint: roles), Row("whoami", "`whoami` is not simulated", hint: roles),
        Row("init mydev.tok", "`init` is not simulated", hint: roles),
        Row("password -sendCode", "`password` is not simulated", hint: roles),
        Row(
            "registration -cloneToAccounts a,,b", "`a,,b` is not a list of accounts",
            hint: "such as accountA,accountB"),
        // Like the misprints of the manual, and not among them.
        Row("devicecheck-get", "unknown command `devicecheck-get`", hint: "did you mean `devicecheck -get`?"),
        Row(
            "-setPinningTestURL x", "unknown command `-setPinningTestURL`",
            hint: "did you mean `policy -setPinningTestURL`?"),
    ]
    private static let roles = "nobody has to log in; `--role` or `--token` says in which role a command is given"

    static let values = [
        Row("policy -setARC yes", "`-setARC` takes `on` or `off`, not `yes`"),
        Row("policy -setAudience true", "`-setAudience` takes `on` or `off`, not `true`"),
        Row("policy -setIssuer ON", "`-setIssuer` takes `on` or `off`, not `ON`"),
        Row(
            "policy -setIPTracking tokens",
            "`tokens` is not a value of `-setIPTracking`; there are `none`, `token`, `full`",
            hint: "did you mean `token`?"),
        Row(
            "policy -setPinningTestURL ''", "the pinning test URL is empty",
            hint: "`policy -removePinningTestURL` removes it"),
        Row("safetynet -set ''", "the SafetyNet API key is empty", hint: "`safetynet -remove` removes it"),
        Row("device -add \(bob) -label ''", "the value of `-label` is empty"),
        Row("device -add \(bob) -probeURL ''", "the value of `-probeURL` is empty"),
        Row(
            "api -add a.b -pinType leaf", "`leaf` is not a value of `-pinType`; there are `local`, `remote`, `none`"),
        Row("filter -add a -key ip -matchValue '' -regex", "an empty regex is found in every value"),
        Row("filter -setSamplingPercentage 0.1%", "`0.1%` \(percent)"),
        Row("filter -setSamplingPercentage 101", "`101` \(percent)"),
        Row("filter -setSamplingPercentage=-1", "`-1` \(percent)"),
        Row("device -add bob", "`bob` \(deviceID)"), Row("device -remove latest", "`latest` \(deviceID)"),
        Row(
            "device -add \(bob) -pinMode blockall",
            "`blockall` is not a value of `-pinMode`; there are `pin`, `unpin`, `block`, `blockAll`",
            hint: "did you mean `blockAll`?"),
        Row("device -add \(bob) -banMode on", "`on` is not a value of `-banMode`; there are `ban`, `unban`"),
        Row("filter -add My -key ip -matchValue x", "`My` \(filterName)"),
        Row("filter -add a", filterNeeds), Row("filter -add a -key ip", filterNeeds),
        Row("filter -add a -matchValue x", filterNeeds), Row("filter -add a -key '' -matchValue x", filterNeeds),
        Row("filter -add a -conjunction b+c+b", "input `b` of conjunction `a` is named twice"),
        Row("filter -add a -conjunction b -key ip", "`-key` cannot be combined with `-conjunction`"),
        Row("filter -add a -conjunction b -matchValue x", "`-matchValue` cannot be combined with `-conjunction`"),
        Row("filter -add a -conjunction b -regex", "`-regex` cannot be combined with `-conjunction`"),
        Row(
            "filter -add a -key ip -matchValue '1(2' -regex",
            "bad regex `1(2`: missing closing parenthesis at offset 3",
            hint: regexHint),
    ]

    private static let inner = "name the inputs of the inner conjunction instead"

    static let effects = [
        Row(
            "policy -set default,alow-root,default",
            "unknown rejection policy `alow-root`; there are `default`, `strict`, `allow-cloned`, `allow-xposed`, "
                + "`allow-root`, `allow-root-and-jailbroken`, `allow-root-and-jailbroken-only`, "
                + "`allow-raj-only-short-lifetime`, `whitelist`, `blacklist`", hint: "did you mean `allow-root`?"),
        Row(
            "policy -set default,custom,default",
            "the rejection policy `custom` cannot be set; set a preset and add or remove single flags"),
        Row(
            "policy -set alt-rule,default,default", "unknown rules `alt-rule`; this account has `default`, `alt-rules`",
            hint: "did you mean `alt-rules`?"),
        Row(
            "policy -set default,default",
            "`default,default` is not a security policy; write `rules,rejection,annotation` without spaces",
            hint: "did you mean `default,default,default`?"),
        Row(
            "policy -set strict",
            "`strict` is not a security policy; write `rules,rejection,annotation` without spaces",
            hint: "did you mean `default,strict,default`?"),
        Row(
            "policy -set alt-rules,strict",
            "`alt-rules,strict` is not a security policy; write `rules,rejection,annotation` without spaces",
            hint: "did you mean `alt-rules,strict,default`?"),
        Row(
            "policy -set none",
            "`none` is not a security policy; write `rules,rejection,annotation` without spaces"),
        Row("policy -addRejectFlag automted", "unknown flag `automted`", hint: "did you mean `automated`?"),
        Row("policy -removeRejectFlag zzzzzz", "unknown flag `zzzzzz`"),
        Row(
            "device -add \(bob) -policy alt-rulez,default,default",
            "unknown rules `alt-rulez`; this account has `default`, `alt-rules`", hint: "did you mean `alt-rules`?"),
        Row("device -removeMatching A", "no device has the user name or the label `A`"),
        Row("devicecheck -remove", "there is no DeviceCheck key"),
        Row(
            "devicecheck -addAuthKey AuthKey_X.p8", "`-addAuthKey` needs `-teamID`",
            hint: "the developer account shows the team ID"),
        Row("safetynet -remove", "there is no SafetyNet API key"),
        Row("api -remove a.b", "there is no API domain `a.b`"),
        Row(
            "appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1",
            "there is no app signing certificate `C0:F3:15:9B:A5:6C:A8:E1`"),
        Row(
            "appsigncert -add missing.der", "certificate `missing.der`: no such file or directory",
            hint: "a fingerprint can be given instead"),
        Row(
            "registration -removeMatching com.app,30d", "`-removeMatching` needs the time",
            hint: "a scenario has a time; `scenario approov` takes it from `--at`, such as `--at now`"),
        Row("device -remove w4mmGFZkpz5oPz6w6gl1Cw==", "there is no entry for device `w4mmGFZkpz5oPz6w6gl1Cw==`"),
        Row(
            "device -add ++FilteredSecPolicy++w== -pinMode pin",
            "`++FilteredSecPolicy++w==` is not a device and takes no pin mode"),
        Row(
            "device -add ++FilteredSecPolicy++w== -banMode unban",
            "`++FilteredSecPolicy++w==` is not a device and takes no ban mode"),
        Row("filter -remove my-ip", "there is no filter `my-ip`", hint: "did you mean `myip`?"),
        Row(
            "filter -add c -conjunction myp+android7", "input `myp` of conjunction `c` is no filter",
            hint: "did you mean `myip`?"),
        Row("filter -add c -conjunction ''", "input `` of conjunction `c` is no filter"),
        Row("filter -add c -conjunction myip+", "input `` of conjunction `c` is no filter"),
        Row(
            "filter -add c -conjunction both+myip", "input `both` of conjunction `c` is a conjunction itself",
            hint: inner),
        Row(
            "filter -add myip -conjunction android7",
            "`myip` cannot become a conjunction; it is an input of conjunction `both`", hint: inner),
    ]

    private static let rules = """
        rules: [alt-rules]
        filters:
          - {name: myip, key: ip, match: 1.2.3.4}
          - {name: android7, key: device, regex: "Android 7"}
          - {name: both, conjunction: [android7, myip]}
        devices: [{id: h4gubfCFzJu81j/U2BJsdg==, label: x}]
        """

    @Test(arguments: grammar + values) func isNotUnderstood(_ row: Row) {
        #expect(throws: CommandError(row.message, hint: row.hint)) { try ManagementCommand(row.line) }
    }

    @Test(arguments: effects) func isRefusedAndChangesNothing(_ row: Row) throws {
        let before = try AccountText.account(Self.rules)
        var account = before
        let command = try ManagementCommand(row.line)
        let error = #expect(throws: CommandError.self) { try command.apply(to: &account, in: CommandContext()) }
        #expect(error?.description == row.message)
        #expect(error.map { $0.hint } == row.hint)
        #expect(account.policy == before.policy)
        #expect(account.filters == before.filters)
        #expect(account.devices == before.devices)
    }

    @Test func the26thFilterIsRefusedAndTheOldOnesCanBeReplaced() throws {
        let filters = (1...25).map { "  - {name: f\($0), key: ip, match: x}\n" }.joined()
        var account = try AccountText.account("filters:\n\(filters)")
        let error = #expect(throws: CommandError.self) {
            try ManagementCommand("filter -add one-more -key ip -matchValue x").apply(
                to: &account, in: CommandContext())
        }
        #expect(error?.description == "filter `one-more` is one too many; an account has at most 25")
        #expect(error?.hint == "remove one, or use one regex for several values")
        _ = try ManagementCommand("filter -add f7 -key ip -matchValue y").apply(to: &account, in: CommandContext())
        #expect(account.filters.count == 25)
    }

    @Test func the26thDeviceIsRefusedAndTheOldOnesCanBeChanged() throws {
        let devices = (10...34).map { "  - id: h4gubfCFzJu81j/U2BJs\($0)==\n" }.joined()
        var account = try AccountText.account("devices:\n\(devices)")
        let error = #expect(throws: CommandError.self) {
            try ManagementCommand("device -add \(Self.bob)").apply(to: &account, in: CommandContext())
        }
        #expect(error?.description == "device `\(Self.bob)` is one too many; an account has at most 25 device entries")
        let change = try ManagementCommand("device -add h4gubfCFzJu81j/U2BJs20== -label x")
        _ = try change.apply(to: &account, in: CommandContext())
        #expect(account.devices.count == 25)
    }
}
