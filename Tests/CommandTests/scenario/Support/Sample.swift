import Foundation

@testable import TestSupport
@testable import scenario

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

/// Captures and accounts that the tests of `diff` name.
enum DiffSample {
    /// The files of ``Sample``, and some more.
    static let files = Sample.files.merging([
        "root.yaml": "policy: default,allow-root,default\n", "plain.yaml": "account: plain\n",
        "allow.txt": "policy -set default,allow-root,default\n", "broken.yaml": "account: broken\npolcy: x\n",
        "thousand.jsonl": capture(devices: 1000, rooted: 1), "three.jsonl": capture(devices: 3, rooted: 2),
    ]) { $1 }

    /// The ID of a device by its number, which is at most 9 999.
    static func device(_ number: Int) -> String {
        let digits = String(number)
        return "Device" + String(repeating: "A", count: 16 - digits.count) + digits + "=="
    }

    /// A capture of devices that attest once each, the first of them rooted.
    static func capture(devices: Int, rooted: Int) -> String {
        (0..<devices).map { number in
            let flags = number < rooted ? "rooted" : ""
            return #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(device(number))","flags":"\#(flags)"}"# + "\n"
        }.joined()
    }
}

/// Keys of tests: the standards' own, since making one takes its time.
enum SampleKeys {
    /// The RSA key of RFC 7520, 3.4, under the name `mykey`, as a JSON Web Key on one line.
    static let rsa =
        #"{"alg":"RS256","use":"sig","kid":"mykey","kty":"RSA","n":"n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuK"#
        + #"PEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_AJmSCpMaJMRBSFKrKb2wqVwGU_NsYOYL-QtiWN2lbzcEe6XC0dApr5"#
        + #"ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpPe7Tpe-OfVfHd1E6cS6M1FZcD1NNLYD5lFHpPI9bTwJlsde3uhGqC0ZCuEHg8lhzwOH"#
        + #"rtIQbS0FVbb9k3-tVTU4fg_3L_vniUFAKwuCLqKnS2BYwdq_mzSnbLY7h_qixoR7jig3__kRhuaxwUkRz5iaiQkqgc5gHdrNP5zw"#
        + #"","e":"AQAB","d":"bWUC9B-EFRIo8kpGfh0ZuyGPvMNKvYWNtB_ikiH9k20eT-O1q_I78eiZkpXxXQ0UTEs2LsNRS-8uJbvQ-A"#
        + #"1irkwMSMkK1J3XTGgdrhCku9gRldY7sNA_AKZGh-Q661_42rINLRCe8W-nZ34ui_qOfkLnK9QWDDqpaIsA-bMwWWSDFu2MUBYwkH"#
        + #"TMEzLYGqOe04noqeq1hExBTHBOBdkMXiuFhUq1BU6l-DqEiWxqg82sXt2h-LMnT3046AOYJoRioz75tSUQfGCshWTBnP5uDjd18k"#
        + #"Khyv07lhfSJdrPdM5Plyl21hsFf4L_mHCuoFau7gdsPfHPxxjVOcOpBrQzwQ","p":"3Slxg_DwTXJcb6095RoXygQCAZ5RnAvZl"#
        + #"no1yhHtnUex_fp7AZ_9nRaO7HX_-SFfGQeutao2TDjDAWU4Vupk8rw9JR0AzZ0N2fvuIAmr_WCsmGpeNqQnev1T7IyEsnh8UMt-n"#
        + #"5CafhkikzhEsrmndH6LxOrvRJlsPp6Zv8bUq0k","q":"uKE2dh-cTf6ERF4k4e_jy78GfPYUIaUyoSSJuBzp3Cubk3OCqs6grT8"#
        + #"bR_cu0Dm1MZwWmtdqDyI95HrUeq3MP15vMMON8lHTeZu2lmKvwqW7anV5UzhM1iZ7z4yMkuUwFWoBvyY898EXvRD-hdqRxHlSqAZ"#
        + #"192zB3pVFJ0s7pFc","dp":"B8PVvXkvJrj2L-GYQ7v3y9r6Kw5g9SahXBwsWUzp19TVlgI-YV85q1NIb1rxQtD-IsXXR3-Tanev"#
        + #"uRPRt5OBOdiMGQp8pbt26gljYfKU_E9xn-RULHz0-ed9E9gXLKD4VGngpz-PfQ_q29pk5xWHoJp009Qf1HvChixRX59ehik","dq"#
        + #"":"CLDmDGduhylc9o7r84rEUVn7pzQ6PF83Y-iBZx5NT-TpnOZKF1pErAMVeKzFEl41DlHHqqBLSM0W1sOFbwTxYWZDm6sI6og5i"#
        + #"TbwQGIC3gnJKbi_7k_vJgGHwHxgPaX2PnvP-zyEkDERuf-ry4c_Z11Cq9AqC2yeL6kdKT1cYF8","qi":"3PiqvXQN0zwMeE-sBv"#
        + #"Zgi289XP9XCQF3VWqPzMKnIgQp7_Tugo6-NZBKCQsMf3HaEGBjTVJs_jcK8-TRXvaKe-7ZMaQj8VfBdYkssbu0NKDDhjJ-Gtisea"#
        + #"DVWt7dcH0cfwxgFUHpQh7FoCrjFJ6h6ZEpMF6xmujs4qMpPz8aaI4"}"#
}

/// A capture of devices whose apps, versions and flags have names that do harm where they are not escaped.
enum HostileCapture {
    /// One attestation for each name, in JSON Lines.
    static func text() throws -> String {
        try Attack.withLines.enumerated().map { number, attack in
            let record: [String: Any] = [
                "time": "2020-07-23T\(10 + number / 6):00:00Z", "device-id": DiffSample.device(number),
                "public-flags": number % 2 == 0 ? "rooted" : "", "appid": attack.text, "app-version": attack.text,
            ]
            return String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self) + "\n"
        }.joined()
    }
}
