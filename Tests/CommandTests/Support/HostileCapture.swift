import Foundation

@testable import TestSupport

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
