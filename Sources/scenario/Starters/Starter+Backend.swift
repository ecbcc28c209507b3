extension Starter {
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
        # An account for tests alone: whoever reaches `scenario serve` gets valid tokens of it.
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
}
