/// The files of a new project: commented, and valid as they are.
struct Starter {
    /// The files by their paths in the folder of the project, in the order in which somebody reads them.
    let files: [(path: String, text: String)]
    /// The lines that say what to try first.
    let next: [String]

    /// A purpose of a project.
    enum Purpose: String, CaseIterable {
        /// A policy in production, with captured devices.
        case bank
        /// Tests of a backend against the simulated service.
        case backend
    }

    /// The files for a purpose.
    init(_ purpose: Purpose) {
        switch purpose {
        case .bank: self = .bank
        case .backend: self = .backend
        }
    }

    init(_ files: [(path: String, text: String)], next: [String]) {
        (self.files, self.next) = (files, next)
    }

    /// Tests of a backend: an account for tests, the phones that tests name, a capture, and the job that starts the service.
    static let backend = Starter(
        [
            ("scenario.toml", settings(account: "Scenarios/accounts/test.yaml")),
            ("Scenarios/accounts/test.yaml", testAccount), ("Scenarios/phones.yaml", phones),
            (capturePath, capture), (".github/workflows/backend.yml", backendJob),
        ],
        next: [
            "scenario run",
            "scenario serve --account Scenarios/accounts/test.yaml --population Scenarios/phones.yaml --port 8080",
            #"curl --data '{"group": "normal"}' http://127.0.0.1:8080/attest"#,
        ])

    private static let testAccount = """
        # An account for tests alone: anyone who reaches `scenario serve` gets valid tokens of it.
        account: test
        policy: default,default,risk
        # A change is in force at once, so that tests need not wait.
        propagation: 0s
        apis:
          - {domain: api.example.com}

        """

    private static let phones = """
        scenario: The phones of our tests
        account: accounts/test.yaml
        devices:
          # `POST /attest` with {"group": "rooted"} is an attestation of such a phone.
          normal: {count: 10, os: android}
          rooted: {count: 10, os: android, flags: [rooted]}
          debugged: {count: 10, os: ios, flags: [debug]}
        steps:
          # A request is accepted where its token is valid.
          - at: 0s
            request: all
            to: api.example.com
            expect:
              - {group: normal, accepted: 10}
              - {group: rooted, accepted: 0}
              - {group: debugged, accepted: 0}

        """

    private static let backendJob = """
        # Starts the simulated service, and runs the tests of the backend against it. `scenario` is installed from its Debian
        # package, which is in packages/.
        name: backend
        on: [pull_request]
        jobs:
          tests:
            runs-on: ubuntu-24.04
            steps:
              - uses: actions/checkout@v4
              - run: sudo apt-get install --yes ./packages/scenario_*.deb
              - run: scenario lint --strict Scenarios/accounts/test.yaml Scenarios
              - run: scenario run
              - run: |
                  scenario serve --account Scenarios/accounts/test.yaml --population Scenarios/phones.yaml --port 8080 &
                  until curl --silent http://127.0.0.1:8080/healthcheck/att-test; do sleep 0.1; done
                  make test  # the tests of your backend, with the service at http://127.0.0.1:8080

        """

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
              # The effect of the change on the captured devices; scenario.toml has the limit, as it is before the change.
              - run: scenario diff --base "origin/$GITHUB_BASE_REF" --format markdown >> "$GITHUB_STEP_SUMMARY"

        """

    /// The path of the capture in every project.
    static let capturePath = "captures/day.jsonl"

    /// Eight attestations of seven devices, two of which the service rejected.
    static let capture = #"""
        {"time":"2026-01-12T08:00:03Z","device-id":"LmJXHZguVccYLjDqrRmo+A==","public-flags":"new-did","rejection-flags":"","device":"Android 13, Pixel 7","ip":"198.51.100.7","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:00:41Z","device-id":"fZDq198zk2ognU3nTzH9Lw==","public-flags":"","rejection-flags":"","device":"Android 12, SM-A515F","ip":"198.51.100.23","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:01:10Z","device-id":"z2/Un8dBKOqX2xLPc4BSBw==","public-flags":"rooted","rejection-flags":"rooted","device":"Android 11, SM-G973F","ip":"203.0.113.9","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:02:27Z","device-id":"+vAXbZZ8MWERcbeMQGpewQ==","public-flags":"new-did","rejection-flags":"","device":"iOS 16.5, iPhone14,5","ip":"198.51.100.80","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:02:58Z","device-id":"Pbtu/BYeL61PN5R5KpmTng==","public-flags":"safetynet-unavailable","rejection-flags":"","device":"Android 10, Mi A3","ip":"198.51.100.91","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:04:15Z","device-id":"DGM2tk1C4JNRyGNZTKPM/g==","public-flags":"frida,rooted","rejection-flags":"frida,rooted","device":"Android 9, Nexus 5X","ip":"203.0.113.66","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:05:00Z","device-id":"G54t7NgjbBHXrd+TaMF/sA==","public-flags":"","rejection-flags":"","device":"iOS 15.7, iPhone12,1","ip":"198.51.100.112","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:05:03Z","device-id":"fZDq198zk2ognU3nTzH9Lw==","public-flags":"","rejection-flags":"","device":"Android 12, SM-A515F","ip":"198.51.100.23","app-name":"Example","app-version":"1.4"}

        """#

    /// The defaults of a project.
    ///
    /// - Parameter account: The path of its account.
    static func settings(account: String) -> String {
        """
        # Defaults of the commands that are run in this folder or below it. A value that is typed wins over its default, and a
        # report says the defaults that it used.
        account = "\(account)"
        captures = ["\(capturePath)"]

        [diff]
        # A change may shut out at most this share of the captured devices; `scenario diff` exits with 4 beyond it.
        max-newly-rejected = "1%"

        """
    }
}
