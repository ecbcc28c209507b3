import PolicyEngine

@testable import TestSupport

/// A device of a capture that is drawn by chance, with the values that it showed.
struct DrawnDevice {
    let version, system: Int
    let networks: Set<Int>
    var isRooted = false

    /// Draws the values; the first ones are more frequent than the others.
    init(_ chance: inout SplitMix64) {
        version = chance.below(1 + chance.below(4))
        system = chance.below(1 + chance.below(4))
        networks = Set((0...chance.below(2)).map { _ in chance.below(1 + chance.below(8)) })
    }

    /// A record of each device and network, as JSON Lines.
    static func capture(_ devices: [DrawnDevice]) -> String {
        var lines: [String] = []
        for (number, device) in devices.enumerated() {
            for network in device.networks.sorted() {
                let time = Instant(secondsSinceEpoch: 1_595_498_400 + lines.count)
                lines.append(
                    #"{"time":"\#(time)","device-id":"\#(DeviceID(first: UInt64(number), second: 9))","flags":""#
                        + #"\#(device.isRooted ? "rooted" : "")","app-version":"5.\#(device.version)","#
                        + #""ip":"10.\#(network).1.\#(number % 250)","#
                        + #""device":"Android \#(device.system + 7), A, B, C, de"}"# + "\n")
            }
        }
        return lines.joined()
    }
}
