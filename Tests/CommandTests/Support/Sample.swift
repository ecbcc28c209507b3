/// The files that command lines of tests name.
enum Sample {
    static let bob = "h4gubfCFzJu81j/U2BJsdg=="
    static let amy = "DoYouReadThisText01234=="

    static let files = [
        "good.yaml": good, "fails.yaml": fails, "warns.yaml": "scenario: Warns\ntags: [odd]\n", "bad.yaml": bad,
        "worse.yaml": worse, "unchecked.yaml": unchecked, "folder/": "", "account.yaml": account,
        "account-bad.yaml": "polcy: x\n", "day.jsonl": day, "day.txt": text, "odd.txt": oddZone, "fetches.txt": fetches,
        "malformed.jsonl": malformed, "disordered.jsonl": disordered, "empty.jsonl": "", "blank.jsonl": "\n\n",
        "other.txt": "what is this\n",
    ]

    static let good = """
        scenario: Good
        tags: [even, one]
        devices: {bob: {id: \(bob), os: ios}}
        steps: [{at: 0s, fetch: bob, expect: {verdict: pass}}]

        """

    static let fails = """
        scenario: Fails
        tags: [odd]
        devices: {bob: {id: \(bob), os: ios}}
        steps: [{at: 0s, fetch: bob, expect: {verdict: fail, pass: 1}}]

        """

    static let bad = """
        scenario: Bad
        seeds: 1
        devices: {bob: {flags: [roted]}}
        steps: [{at: 0s, fetch: bob, expect: {pass: 1}}]

        """

    static let worse = "scenario: [Worse]\nexpect: {metrics: {pass: 0}}\n"

    static let unchecked = """
        scenario: Unchecked
        devices: {bob: {id: \(bob)}}
        steps: [{at: 0s, fetch: bob, expect: {device: \(amy), pass: 0}}]

        """

    static let account = "account: prod\npolicy: default,allow-root,risk\n"

    private static func record(_ time: String, _ id: String, _ flags: String) -> String {
        #"{"time":"2020-07-23T\#(time)Z","device-id":"\#(id)","public-flags":"\#(flags)"}"# + "\n"
    }

    static let day = record("10:00:00", bob, "rooted") + record("10:00:01", amy, "") + record("11:00:00", bob, "rooted")
    static let malformed = record("10:00:00", bob, "rooted") + "{\"time\":1}\nnothing\n" + record("11:00:00", amy, "")
    static let disordered = record("11:00:00", amy, "") + record("10:00:00", bob, "rooted")

    static let text = """
        --- \(bob) 2020-07-23 10:00:00 UTC ---
        device: Android 8.1.0, Nexus 5X
        public-flags: rooted
        rejection-flags: rooted

        --- \(amy) 2020-07-23 10:00:01 UTC ---
        public-flags: 
        rejection-flags: 

        """

    static let oddZone = "--- \(bob) 2020-07-23 10:00:00 NZST ---\npublic-flags: \n"

    static let fetches = """
        \(bob) 2020-07-23 10:00:00 UTC
        \(bob) 2020-07-23 10:05:00 UTC
        \(amy) 2020-07-23 10:00:00 UTC
        ExampleApproovTokenDID== 2020-07-23 10:00:00 UTC

        """
}
