extension Starter {
    /// A policy in production: an account, what must hold of it, a captured day, and the check of every change.
    static let bank = Starter(
        [
            ("scenario.toml", settings(account: "Scenarios/accounts/bank.yaml")),
            ("Scenarios/accounts/bank.yaml", bankAccount), ("Scenarios/a-rooted-customer.yaml", bankScenario),
            (capturePath, capture), (".github/workflows/scenario.yml", bankJob),
        ],
        next: [
            "scenario run", "scenario replay", #"scenario diff --change "policy -set default,strict,risk""#,
            "scenario whatif --order newly-rejected",
        ])

    private static let bankAccount = #"""
        # The account in production. Replace it by yours: `scenario approov` understands the commands of the service.
        account: example-bank
        # Rules, rejection policy and annotation policy: which flags are looked at, which make a device fail, and which a token
        # names to the backend.
        policy: default,default,risk
        filters:
          # A filter without an action only counts: look first, reject later.
          - {name: android9, key: device, regex: "^Android 9"}
          # A risky device gets tokens with a shorter lifetime.
          - {name: farm, key: ip, regex: '^203\.0\.113\.', risky: true}
        apis:
          - {domain: api.bank.example}

        """#

    private static let bankScenario = """
        scenario: A rooted customer is rejected until the policy allows it
        # The account, from the folder of this file.
        account: accounts/bank.yaml
        devices:
          # Groups of devices; flags are what the service finds on them.
          normal: {count: 100, os: android}
          rooted: {os: android, flags: [rooted]}
        steps:
          - at: 0s
            fetch: normal
            expect: {verdict: pass}
          - at: 0s
            fetch: rooted
            expect: {verdict: fail, rejections: [rooted]}
          # The command that an administrator would give; it is in force after 30 seconds.
          - at: 1m
            approov: policy -set default,allow-root,risk
          - at: 10m
            fetch: rooted
            expect: {verdict: pass, annotations: [risky-device]}

        """

    private static let bankJob = """
        # Checks every change of the account. `scenario` is installed from its Debian package, which is in packages/.
        name: scenario
        on: [pull_request]
        jobs:
          policy:
            runs-on: ubuntu-24.04
            steps:
              - uses: actions/checkout@v4
                with: {fetch-depth: 0}
              - run: sudo apt-get install --yes ./packages/scenario_*.deb
              # Errors, and settings that are probably mistakes.
              - run: scenario lint --strict Scenarios/accounts/bank.yaml Scenarios
              # What must hold.
              - run: scenario run
              # The effect of the change on the captured devices; scenario.toml has the limit.
              - run: scenario diff --base "origin/$GITHUB_BASE_REF" --format markdown >> "$GITHUB_STEP_SUMMARY"

        """
}
