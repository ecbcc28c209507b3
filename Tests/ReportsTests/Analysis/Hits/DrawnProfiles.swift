import PolicyEngine

@testable import Replay
@testable import TestSupport

/// Devices drawn by chance, with the values that they showed.
struct DrawnProfiles {
    /// By device: the index of a value for each of three keys, and flags.
    private(set) var devices: [(values: [Int], flags: [Bool], isRejected: Bool)] = []

    static let keys = ["os-version", "app-version", "ip/16", "flags"]
    private static let sizes = [6, 5, 20]

    /// - Parameters:
    ///   - seed: Draws all.
    ///   - count: The number of devices.
    ///   - percent: The share of devices that are newly rejected, by their values and flags.
    init(seed: UInt64, count: Int, percent: (_ values: [Int], _ flags: [Bool]) -> Int) {
        var chance = SplitMix64(seed: seed)
        for _ in 0..<count {
            // The first values are more frequent than the others.
            let values = Self.sizes.map { chance.below(1 + chance.below($0)) }
            let flags = (0..<4).map { _ in chance.happens(12) }
            devices.append((values, flags, chance.happens(percent(values, flags))))
        }
    }

    /// The profiles.
    var profiles: DeviceProfiles {
        var profiles = DeviceProfiles(keys: Self.keys)
        for (index, device) in devices.enumerated() {
            var numbers = device.values.enumerated().map { key, value in profiles.number(of: "v\(value)", key: key) }
            for (flag, isSet) in device.flags.enumerated() where isSet {
                numbers.append(profiles.number(of: "f\(flag)", key: 3))
            }
            profiles.add(
                numbers, device: DeviceID(first: UInt64(index), second: 1),
                device.isRejected ? .rejected : .unaffected)
        }
        return profiles
    }

    /// The devices and the newly rejected ones that showed all of some values.
    func counts(_ terms: [(key: String, value: String)]) -> (devices: Int, rejected: Int) {
        let found = devices.filter { device in
            terms.allSatisfy { term in
                guard let number = Int(term.value.dropFirst()) else { return false }
                if term.key == "flags" { return device.flags[number] }
                return Self.keys.firstIndex(of: term.key).map { device.values[$0] == number } ?? false
            }
        }
        return (found.count, found.count { $0.isRejected })
    }
}
