/// The files of the tests: an account, and scenarios that name it.
enum Samples {
    static let account = """
        account: prod
        policy: default,allow-root,risk
        flags:
          - {name: odd, description: Something odd}
        filters:
          - {name: vpn, key: ip, regex: "^10\\\\.", reject: true}
          - {name: lab, key: appid, match: com.example.lab}
          - {name: both, conjunction: [vpn, lab], risky: true}
        apis:
          - {domain: api.example.com}

        """

    static let scenario = """
        scenario: Uses them
        account: prod.yaml
        devices:
          bob: {os: android, attributes: {ip: 10.0.0.1}}
          amy: {os: ios}
        steps:
          - {at: 0s, fetch: [bob, amy], expect: [{group: bob, rejections: ["filter:vpn"]}, {group: amy, verdict: pass}]}
          - {at: 1h30m, approov: filter -remove both}
          - {at: 2h, set: {group: bob, flags: [rooted, odd]}}
        expect: {metrics: {rejection-filter-vpn: 1, filter-vpn: 1}}

        """

    /// One attestation, from an address that the filter rejects.
    static let capture =
        #"{"time":"2020-07-23T10:00:00Z","device-id":"h4gubfCFzJu81j/U2BJsdg==","public-flags":"rooted","ip":"10.1.2.3"}"#
        + "\n"

    static let files = ["prod.yaml": account, "s.yaml": scenario]
}
