extension Starter {
    /// A policy in production: an account, scenarios of what must hold of it, two weeks of captured devices, labels of some of
    /// them, and the check of every change.
    static let bank = Starter(
        [
            ("scenario.toml", settings), (accountPath, account), ("labels.csv", labels),
            ("Scenarios/a-rooted-customer.yaml", rootedCustomer), ("Scenarios/a-stolen-version.yaml", stolenVersion),
            ("Scenarios/a-watched-farm.yaml", watchedFarm), (BankWeek.last.scenarioPath, BankWeek.last.scenario),
            (BankWeek.this.scenarioPath, BankWeek.this.scenario), (".github/workflows/scenario.yml", job),
        ],
        captures: [BankWeek.last.capture, BankWeek.this.capture],
        next: [
            ("Does what must hold still hold?", "scenario run"),
            (
                "More devices fail than last week: what changed?",
                "scenario compare \(BankWeek.last.capturePath) \(BankWeek.this.capturePath) --account \(accountPath)"
            ),
            ("Why does this good customer fail?", "scenario explain --device \(exampleCustomer)"),
            (
                "Whom does the filter let in again, once its pattern is right?",
                "scenario diff --change \"\(correction)\""
            ),
            ("Could anybody else get in, whom no capture shows?", "scenario prove --change \"\(correction)\""),
            ("Write the pattern into the account.", "scenario approov --account \(accountPath) --yes \(correction)"),
            ("Is something left over?", "scenario lint --strict ."),
            (
                "Which edit catches most bad devices, and blocks fewest good ones?",
                "scenario whatif --cost missed=40,blocked=6 --order cost"
            ),
            ("What are the fewest edits that are enough?", "scenario search --catch 90% --max-good-blocked 1%"),
            (
                "How soon would a rollout of a stricter policy show a mistake?",
                "scenario rollout \(BankWeek.this.capturePath) --account \(accountPath) --labels labels.csv --policy strict "
                    + "--steps 25%:2d,100%"
            ),
            (
                "All of this on a page",
                "scenario explore \(BankWeek.this.capturePath) --account \(accountPath) --labels labels.csv"
            ),
        ])

    private static let accountPath = "Scenarios/accounts/bank.yaml"
    // One with a label and version 5.10 of the app.
    private static let exampleCustomer = "ePR/MIE2ik1L7q4dmz3rIg=="
    private static let correction =
        #"filter -add stolen-version -key app-version -matchValue '^5\.1([^0-9]|\z)' -regex -reject"#

    private static let settings = """
        # Defaults of the commands that are run in this folder or below it. A value that is typed wins over its default, and a
        # report says the defaults that it used.
        account = "\(accountPath)"
        captures = ["\(BankWeek.this.capturePath)"]
        labels = "labels.csv"

        [diff]
        # A change may shut out at most this share of the captured devices; `scenario diff` exits with 4 beyond it.
        max-newly-rejected = "1%"

        """

    private static let account = #"""
        # The account in production. Replace it by yours: `scenario approov` understands the commands of the service.
        account: example-bank
        # Rules, rejection policy and annotation policy: which flags are looked at, which make a device fail, and which a token
        # names to the backend.
        policy: default,default,risk
        # Rules beside the default ones, as a rollout needs them for the sampled devices.
        rules: [trial]
        filters:
          # Version 5.1 of the app was copied together with its key, so it gets no valid tokens any more.
          # scenario: allow open-ended-pattern because it has to match all builds, such as 5.1(117)
          - {name: stolen-version, key: app-version, regex: '^5\.1', reject: true}
          # The addresses of a hosting company. A risky device gets tokens with a shorter lifetime.
          - {name: hosting, key: ip, regex: '^203\.0\.113\.', risky: true}
          # A filter without an action only counts: look first, reject later.
          - {name: android7, key: device, regex: '^Android 7'}
          # Devices that match both filters.
          - {name: farm, conjunction: [hosting, android7]}
        devices:
          # These pass, whatever the policy and the filters say.
          - {id: \#(BankWeek.branchManager), policy: "default,whitelist,all", label: branch-manager}
          - {id: \#(BankWeek.testPhone), policy: "default,whitelist,all", label: test-phone}
        apis:
          - {domain: api.bank.example}

        """#

    private static let rootedCustomer = """
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

    private static let stolenVersion = """
        scenario: The stolen version is rejected on both systems
        account: accounts/bank.yaml
        devices:
          copies: {count: 10, os: android, attributes: {app-version: 5.1(117)}}
          older-phones: {count: 10, os: ios, attributes: {app-version: "5.1"}}
          current: {count: 10, os: android, attributes: {app-version: 5.9(214)}}
        steps:
          - {at: 0s, fetch: [copies, older-phones], expect: {verdict: fail, rejections: ["filter:stolen-version"]}}
          - {at: 0s, fetch: current, expect: {verdict: pass}}

        """

    private static let watchedFarm = """
        scenario: The farm is watched, and gets tokens for a short time
        account: accounts/bank.yaml
        devices:
          farm: {count: 10, attributes: {device: "Android 7.1.2, SM-G955F, samsung, dream2lte, en_GB", ip: 203.0.113.0/24}}
          guests: {count: 10, attributes: {device: "Android 14, Pixel 8, google, shiba, en_GB", ip: 203.0.113.0/24}}
        steps:
          - {at: 0s, fetch: farm, expect: {verdict: pass, filters: {farm: 10}, lifetime: 2m}}
          - {at: 0s, fetch: guests, expect: {verdict: pass, filters: {hosting: 10, farm: 0}, lifetime: 2m}}

        """

    // Customers who showed their passport in a branch are good, and devices from which money was stolen are bad.
    private static let labels = """
        user-property,device-id,label
        branch 3,,good
        branch 12,,good
        branch 34,,good
        ,bKpHlzNdvNE3YiDnGwA08A==,bad
        ,87tIq5i2OabQiZFa/mHhZA==,bad
        ,eg2Yvy1yQJgeGF7xsyYjyQ==,bad
        ,fsl5ZLhiWRfVF1Myh3+dpA==,bad
        ,d/DTHLLfIbxMIgyoGJiplA==,bad
        ,DD3tP2ldeYcyDwcgfYnPdQ==,bad
        ,gC2Su3uQsl4yRaJ/FFb3FA==,bad
        ,4SAnjqGkUZczEj2R4Josog==,bad
        ,31LQdo/KrcfwMGR2t9sH9A==,bad
        ,VCoef+aSBNlVU6HKjMF9Gg==,bad
        ,zsyDMHaP+e5nr4opcUVtkA==,bad
        ,TKtvOx1pNUa2Ao49dzNJrA==,bad
        ,ZVV1xgOyFkpwbOez11Z3Hg==,bad
        ,gm7ZUzgRQz50bUlqiRUF/A==,bad
        ,8HxK14G6Yegx47HYMNURCw==,bad
        ,HjPwk6lMR9V06PFpB1BAww==,bad
        ,oCWxV3Br3+eVbmq+2PK6uA==,bad
        ,mtDLcdB72R9Murd2oBl7jw==,bad
        ,7+z9dzUd6Bl6ZluWCTUYTA==,bad
        ,RB0nLQsMW2YMnSdkQi2E/g==,bad
        ,TmHq8b19RHe/1lQy32iXCw==,bad
        ,S5uWPzy8UmrNb/Cooia6OA==,bad
        ,QKo8s3NP4c6Da8K/JRaUyg==,bad
        ,ej2qM0sTEva+78mQ8KRFQg==,bad
        ,r4CV0RUzOaK9F8q4nysjzQ==,bad
        ,QmFuayBvZiBFeGFtcGxlMg==,bad

        """

    private static let job = """
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
              - run: scenario lint --strict Scenarios
              # What must hold.
              - run: scenario run
              # The effect of the change on the captured devices; scenario.toml has the limit, as it is before the change.
              - run: scenario diff --base "origin/$GITHUB_BASE_REF" --format markdown >> "$GITHUB_STEP_SUMMARY"

        """
}
