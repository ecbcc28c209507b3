extension Starter {
    /// Tests of a backend: an account for tests, the phones that tests name, a capture, and the job that starts the service.
    static let backend = Starter(
        [
            ("scenario.toml", settings),
            ("Scenarios/accounts/test.yaml", testAccount), ("Scenarios/phones.yaml", phones),
            ("captures/day.jsonl", capture), (".github/workflows/backend.yml", backendJob), (".gitignore", ignored),
        ], keyedAccount: "Scenarios/accounts/test.yaml",
        next: [
            ("Does what must hold still hold?", "scenario run"),
            ("Which secret does your backend need, in base64?", "scenario approov secret -get base64 -plain"),
            (
                "Which tokens would the service send?",
                "scenario serve --population Scenarios/phones.yaml --port 8080"
            ),
            (
                "Which token does a normal phone get? In another window:",
                #"curl --data '{"group": "normal"}' http://127.0.0.1:8080/attest"#
            ),
            (
                "Which tokens does your backend have to refuse?",
                "scenario forge api.example.com --at now --output tokens"
            ),
        ])

    private static let settings = """
        # Defaults of the commands that are run in this folder or below it. A value that is typed wins over its default, and a
        # report says the defaults that it used.
        account = "Scenarios/accounts/test.yaml"
        captures = ["captures/day.jsonl"]

        """

    private static let testAccount = """
        # An account for tests alone: anyone who reaches `scenario serve` gets valid tokens of it.
        account: test
        policy: default,default,risk
        # A change is in force at once, so that tests need not wait.
        propagation: 0s
        # The secret that signs tokens; without this file, as in CI, it is derived from the account's name.
        keys: test.keys
        apis:
          - {domain: api.example.com}

        """

    private static let ignored = """
        # Secrets, and tokens that a backend accepts.
        *.keys
        tokens/

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
              - run: scenario lint --strict Scenarios
              - run: scenario run
              - run: |
                  scenario serve --population Scenarios/phones.yaml --port 8080 &
                  until curl --silent http://127.0.0.1:8080/healthcheck/att-test; do sleep 0.1; done
                  export APPROOV_SECRET=$(scenario approov secret -get base64 -plain)
                  make test  # the tests of your backend, with the service at http://127.0.0.1:8080

        """

    // Eight attestations of seven devices, two of which the service rejected.
    private static let capture = #"""
        {"time":"2026-01-12T08:00:03Z","device-id":"LmJXHZguVccYLjDqrRmo+A==","public-flags":"new-did","rejection-flags":"","device":"Android 13, Pixel 7","ip":"198.51.100.7","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:00:41Z","device-id":"fZDq198zk2ognU3nTzH9Lw==","public-flags":"","rejection-flags":"","device":"Android 12, SM-A515F","ip":"198.51.100.23","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:01:10Z","device-id":"z2/Un8dBKOqX2xLPc4BSBw==","public-flags":"rooted","rejection-flags":"rooted","device":"Android 11, SM-G973F","ip":"203.0.113.9","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:02:27Z","device-id":"+vAXbZZ8MWERcbeMQGpewQ==","public-flags":"new-did","rejection-flags":"","device":"iOS 16.5, iPhone14,5","ip":"198.51.100.80","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:02:58Z","device-id":"Pbtu/BYeL61PN5R5KpmTng==","public-flags":"safetynet-unavailable","rejection-flags":"","device":"Android 10, Mi A3","ip":"198.51.100.91","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:04:15Z","device-id":"DGM2tk1C4JNRyGNZTKPM/g==","public-flags":"frida,rooted","rejection-flags":"frida,rooted","device":"Android 9, Nexus 5X","ip":"203.0.113.66","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:05:00Z","device-id":"G54t7NgjbBHXrd+TaMF/sA==","public-flags":"","rejection-flags":"","device":"iOS 15.7, iPhone12,1","ip":"198.51.100.112","app-name":"Example","app-version":"1.4"}
        {"time":"2026-01-12T08:05:03Z","device-id":"fZDq198zk2ognU3nTzH9Lw==","public-flags":"","rejection-flags":"","device":"Android 12, SM-A515F","ip":"198.51.100.23","app-name":"Example","app-version":"1.4"}

        """#
}
