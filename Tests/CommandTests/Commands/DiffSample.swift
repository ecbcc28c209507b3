@testable import scenario

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

    /// A command line with an account, which is a new one where it names none.
    static func named(_ arguments: [String]) -> [String] {
        arguments.contains { $0.hasPrefix("--account") } ? arguments : arguments + ["--account=new"]
    }

    /// A capture of devices that attest once each, the first of them rooted.
    static func capture(devices: Int, rooted: Int) -> String {
        (0..<devices).map { number in
            let flags = number < rooted ? "rooted" : ""
            return #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(device(number))","flags":"\#(flags)"}"# + "\n"
        }.joined()
    }
}
