import Testing

@testable import TestSupport

/// The errors for calls, cancelled accounts and features, at their positions.
@Suite struct CallLoaderTests {
    static let rows: [LoaderRow] = [
        .steps(
            "R21.2 nobody", "- {at: 0s, secure-string: ①{key: k}}",
            Problem("①", "`group` is missing from `secure-string`")),
        .steps(
            "R21.2 no key", "- {at: 0s, secure-string: ①{group: bob}}",
            Problem("①", "`key` is missing from `secure-string`")),
        .steps(
            "R21.2 a key of the step that is none", "- {at: 0s, secure-string: {group: bob, key: k, ①value: v}}",
            Problem("①", "unknown key `value` in `secure-string`")),
        .steps(
            "R21.2 a result that it cannot have",
            "- {at: 0s, secure-string: {group: bob, key: k}, expect: {result: ①BAD_URL}}",
            Problem(
                "①",
                "`result` must be `SUCCESS`, `NO_NETWORK`, `POOR_NETWORK`, `MITM_DETECTED`, `NO_APPROOV_SERVICE`, "
                    + "`REJECTED`, `DISABLED`, `UNKNOWN_KEY` or `BAD_KEY`, not `BAD_URL`")),
        .steps(
            "R21.3 no payload", "- {at: 0s, custom-jwt: ①{group: bob}}",
            Problem("①", "`payload` is missing from `custom-jwt`")),
        .steps(
            "R22.2 a kind that is none", "- {at: 0s, prove: {group: bob, kind: ①app}}",
            Problem("①", "`kind` must be `integrity` or `device`, not `app`")),
        .steps(
            "R22.2 a proof that is none", "- {at: 0s, prove: {group: bob, kind: device}, expect: {proof: ①passed}}",
            Problem("①", "`proof` must be `match`, `mismatch` or `none`, not `passed`")),
        .steps(
            "R20 an account that is not cancelled", "- {at: 0s, account: ①deleted}",
            Problem("①", "`account` must be `cancelled`, not `deleted`")),
        .twoAccounts(
            "R20 which of several", "steps:\n- {at: 0s, account: ①cancelled}",
            Problem("①", "`account: cancelled` needs `account`, because the scenario has several")),
        .head(
            "R21.1 a feature that is none", "account: {features: [①secure-string]}",
            Problem(
                "①",
                "a feature must be `secure-strings`, `custom-jwt`, `measurement` or `message-signing`, not "
                    + "`secure-string`", hint: "did you mean `secure-strings`?")),
        .head(
            "R21.1 a feature twice", "account: {features: [measurement, ①measurement]}",
            Problem("①", "feature `measurement` is there already")),
        .head(
            "R21.2 a key that is too long",
            "account: {secure-strings: {①\(String(repeating: "k", count: 65)): x}}",
            Problem("①", "a key of `secure-strings` has 1 to 64 characters")),
    ]

    @Test("R20–R22 says what is wrong", arguments: rows) func saysWhatIsWrong(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(!isLoaded)
    }
}
