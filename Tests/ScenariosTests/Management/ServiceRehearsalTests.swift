import Testing

@testable import TestSupport

/// Commands of a scenario that its accounts would refuse are errors at their positions, before anything runs.
@Suite struct ServiceRehearsalTests {
    private static let noFile = "certificate `nowhere.der`: no such file or directory"

    private static func account(_ name: String, _ account: String, _ steps: String, _ problems: Problem...) -> LoaderRow
    {
        LoaderRow(
            name, "scenario: s\naccount: {\(account)}\nsteps:\n\(steps)\nexpect: {metrics: {pass: 0}}\n", problems)
    }

    static let refused: [LoaderRow] = [
        .command(
            "a key without a team", "①devicecheck -addAuthKey AuthKey_X.p8",
            Problem("①", "`-addAuthKey` needs `-teamID`", hint: "the team ID stands in the developer account")),
        .command("no DeviceCheck key", "①devicecheck -remove", Problem("①", "there is no DeviceCheck key")),
        .command("no SafetyNet key", "①safetynet -remove", Problem("①", "there is no SafetyNet API key")),
        .command("a domain", "①api -remove a.com", Problem("①", "there is no API domain `a.com`")),
        .command(
            "a certificate", "①\"appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1\"",
            Problem("①", "there is no app signing certificate `C0:F3:15:9B:A5:6C:A8:E1`")),
        .command(
            "a certificate's file", "①appsigncert -add nowhere.der",
            Problem("①", noFile, hint: "a fingerprint will do as well")),
        .command("a registration", "①registration -remove S=a-1", Problem("①", "there is no registration `S=a-1`")),
        .command(
            "registrations", "①\"registration -removeMatching a,30d\"",
            Problem("①", "no registration of `a` is 30d old")),
    ]

    static let later: [LoaderRow] = [
        account(
            "a key that is removed twice", "devicecheck: {team-id: T, key-id: K}",
            "- {at: 0s, approov: devicecheck -remove}\n- {at: 1s, approov: ①devicecheck -remove}",
            Problem("①", "there is no DeviceCheck key")),
        account(
            "a key of SafetyNet that is removed twice", "",
            "- {at: 0s, approov: safetynet -set k}\n- {at: 1s, approov: safetynet -remove}\n"
                + "- {at: 2s, approov: ①safetynet -remove}", Problem("①", "there is no SafetyNet API key")),
        account(
            "a certificate that is added twice", "",
            "- {at: 0s, approov: 'appsigncert -add C0:F3:15:9B:A5:6C:A8:E1'}\n"
                + "- {at: 1s, approov: ①'appsigncert -add C0:F3:15:9B:A5:6C:A8:E1:00'}",
            Problem("①", "app signing certificate `C0:F3:15:9B:A5:6C:A8:E1` is there already")),
        account(
            "a domain that is added twice", "apis: [{domain: b.com}]",
            "- {at: 0s, approov: api -add a.com}\n- {at: 1s, approov: ①api -add A.com}",
            Problem("①", "API domain `A.com` is there already")),
        account(
            "a domain that is removed twice", "apis: [{domain: a.com}, {domain: b.com}]",
            "- {at: 0s, approov: api -remove a.com}\n- {at: 1s, approov: ①api -remove a.com}",
            Problem("①", "there is no API domain `a.com`", hint: "did you mean `b.com`?")),
        account(
            "a registration that is removed twice", "registrations: [{app-sig: S=, appid: a}]",
            "- {at: 0s, approov: registration -remove S=a-*}\n- {at: 1s, approov: ①registration -remove S=a-*}",
            Problem("①", "there is no registration `S=a-*`")),
        // Time goes by from step to step: at 0s it is a minute old, at 1m two.
        account(
            "registrations that are not old enough yet",
            "registrations: [{app-sig: S=, appid: a, added: 2019-12-31T23:59:00Z}]",
            "- {at: 0s, approov: ①'registration -removeMatching a,90s'}\n"
                + "- {at: 1m, approov: 'registration -removeMatching a,90s'}",
            Problem("①", "no registration of `a` is 1m30s old")),
        account(
            "several mistakes, all of them reported", "",
            "- {at: 0s, approov: ①api -remove a.com}\n- {at: 0s, approov: ②safetynet -remove}\n"
                + "- {at: 0s, approov: ③registration -remove x}",
            Problem("①", "there is no API domain `a.com`"), Problem("②", "there is no SafetyNet API key"),
            Problem("③", "there is no registration `x`")),
    ]

    @Test("formats: is refused where it stands", arguments: refused + later) func saysWhatIsWrong(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(!isLoaded)
    }

    static let taken: [LoaderRow] = [
        account(
            "what an earlier command made possible", "team: T",
            "- {at: 0s, approov: devicecheck -addAuthKey AuthKey_K.p8}\n- {at: 0s, approov: devicecheck -remove}\n"
                + "- {at: 0s, approov: safetynet -set k}\n- {at: 0s, approov: safetynet -remove}\n"
                + "- {at: 0s, approov: 'appsigncert -add C0:F3:15:9B:A5:6C:A8:E1'}\n"
                + "- {at: 0s, approov: 'appsigncert -remove C0:F3:15:9B:A5:6C:A8:E1'}\n"
                + "- {at: 0s, approov: registration -list}"),
        account(
            "the first domain and the last", "",
            "- {at: 0s, approov: ①api -add a.com}\n- {at: 0s, approov: ②api -remove a.com}",
            Problem("①", "from now on only `a.com` is served; before, every domain was"),
            Problem("②", "the account lists no API domain any more, so none is served")),
        account(
            "registrations that grew old", "registrations: [{app-sig: S=, appid: a, added: 2020-01-01T00:00:00Z}]",
            "- {at: 1h, approov: 'registration -removeMatching a,59m59s'}"),
    ]

    @Test("formats: is taken, with warnings", arguments: taken) func takesWhatMayBe(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(isLoaded)
    }

    @Test("formats: each account is rehearsed apart") func accounts() {
        let row = LoaderRow.twoAccounts(
            "",
            "steps:\n- {at: 0s, approov: safetynet -set k, account: a}\n"
                + "- {at: 1s, approov: safetynet -remove, account: a}\n"
                + "- {at: 1s, approov: ①safetynet -remove, account: b}",
            Problem("①", "there is no SafetyNet API key"))
        #expect(row.outcome.found == row.outcome.expected)
    }
}
