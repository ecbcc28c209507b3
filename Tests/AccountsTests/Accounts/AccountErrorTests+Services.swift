import PolicyEngine
import Testing

@testable import TestSupport

extension AccountErrorTests {
    static let services = [
        Row(
            "two teams", "team: A\ndevicecheck: {team-id: ①B, key-id: K}\n",
            Problem("①", "`team-id` is `B`, but `team` is `A`")),
        Row("devicecheck as text", "devicecheck: ①on\n", Problem("①", "`devicecheck` must be a mapping, not text")),
        Row(
            "bits", "devicecheck: {key-id: K, bits: ①bit2}\n",
            Problem(
                "①", "`bits` must be `none`, `bit0`, `bit1` or `both`, not `bit2`", hint: didYouMean("bit0"))),
        Row(
            "expiry", "devicecheck: {key-id: K, expiry: ①0}\n",
            Problem("①", "`expiry` must be a whole number from 1 to 1200, not `0`")),
        Row(
            "key of devicecheck", "devicecheck: {key-id: K, ①key: x}\n",
            Problem("①", "unknown key `key` in `devicecheck`")),
        Row(
            "quota", "safetynet: {api-key: x, daily-quota: ①-1}\n",
            Problem("①", "`daily-quota` must be a whole number from 0 to 1000000000, not `-1`")),
        Row(
            "eleven certificates",
            "app-signing-certs: ["
                + (10...19).map { "\"00:11:22:33:44:55:66:\($0)\", " }.joined() + "①\"00:11:22:33:44:55:66:20\"]\n",
            Problem(
                "①",
                "app signing certificate `00:11:22:33:44:55:66:20` is one too many; an account has at most 10")),
        Row(
            "certificate that is none", "app-signing-certs: [①\"C0:F3:15:9B\"]\n",
            Problem("①", "`C0:F3:15:9B` is not a fingerprint; it has eight bytes such as `C0:F3:15:9B:A5:6C:A8:E1`")),
        Row(
            "certificate without a fingerprint", "app-signing-certs: [①{subject: CN=a}]\n",
            Problem("①", "`fingerprint` is missing from a certificate")),
        Row(
            "expiry of a certificate",
            "app-signing-certs: [{fingerprint: 'C0:F3:15:9B:A5:6C:A8:E1', expiry: ①2041-05-21}]\n",
            Problem(
                "①", "`expiry` must be an instant such as `2020-07-23T00:00:00Z`, not `2041-05-21`",
                hint: "write `2041-05-21T00:00:00Z`")),
        Row("pinning test URL", "pinning-test-url: ①''\n", Problem("①", "`pinning-test-url` must not be empty")),
        Row(
            "certificate twice",
            "app-signing-certs: [\"C0:F3:15:9B:A5:6C:A8:E1\", ①\"c0:f3:15:9b:a5:6c:a8:e1\"]\n",
            Problem("①", "app signing certificate `C0:F3:15:9B:A5:6C:A8:E1` is there already")),
        Row(
            "registration without a signature", "registrations: [①{appid: a}]\n",
            Problem("①", "`app-sig` is missing from a registration")),
        Row(
            "expiry of a registration", "registrations: [{app-sig: a, appid: b, expiry: ①2020-07-23}]\n",
            Problem(
                "①", "`expiry` must be an instant such as `2020-07-23T00:00:00Z`, not `2020-07-23`",
                hint: "write `2020-07-23T00:00:00Z`")),
        Row(
            "251 registrations",
            "registrations: [" + Array(repeating: "{app-sig: a, appid: b}, ", count: 250).joined()
                + "①{app-sig: c, appid: d, app-version: 2.0(3), sdk: 2974}]\n",
            Problem("①", "registration `cd-2.0[3]-2974` is one too many; an account has at most 250")),
        Row("domain twice", "apis: [{domain: a}, {domain: ①a}]\n", Problem("①", "API domain `a` is there already")),
        Row("no domain", "apis: [①{type: account}]\n", Problem("①", "`domain` is missing from an API domain")),
        Row(
            "type of a domain", "apis: [{domain: a, type: ①keysets}]\n",
            Problem(
                "①", "`type` must be `account`, `keyset`, `restricted` or `pinOnly`, not `keysets`",
                hint: didYouMean("keyset"))),
        Row(
            "26 domains", "apis: [" + (1...25).map { "{domain: d\($0)}, " }.joined() + "{domain: ①d26}]\n",
            Problem("①", "API domain `d26` is one too many; an account has at most 25")),
        Row(
            "domain that is none", "apis: [{domain: ①a.b/c}]\n",
            Problem("①", "`a.b/c` is not a domain; it has letters, digits, `-` and `.` only")),
        Row(
            "eleven pins", "apis: [{domain: a, pins: ①[a, b, c, d, e, f, g, h, i, j, k]}]\n",
            Problem("①", "11 pins of one domain; there can be at most 10")),
        Row(
            "port", "apis: [{domain: a, monitor-port: ①65536}]\n",
            Problem("①", "`monitor-port` must be a whole number from 1 to 65535, not `65536`")),
        Row("keys", "keys: ①[]\n", Problem("①", "`keys` must be text, not a list")),
    ]
}
