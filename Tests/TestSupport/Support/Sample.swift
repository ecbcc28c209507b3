internal import PolicyEngine

/// Values that many tests share.
enum Sample {
    /// A device of the manual, in canonical base64.
    static let device = "h4gubfCFzJu81j/U2BJsdg=="
    /// A second one.
    static let otherDevice = "w4mmGFZkpz5oPz6w6gl1Cw=="
    /// The manual's sample that is not canonical base64 (R1.1).
    static let odd = "ExampleApproovTokenDID=="
    /// The pseudo device (R1.2).
    static let filteredPolicy = "++FilteredSecPolicy++w=="
    /// The account of the samples.
    static let accountName = "test-account"

    /// 2020-07-23T11:10:43Z.
    static let time = Instant(secondsSinceEpoch: 1_595_502_643)

    /// The instant that many seconds after ``time``.
    static func time(after seconds: Int) -> Instant { time + seconds }

    /// A device by its number, in canonical base64.
    static func device(_ number: Int) -> String { DeviceID(first: 0, second: UInt64(number)).description }
}

/// Device IDs of the manual.
enum SampleDevice {
    static let nexus = "qZka0yfv+ExvOq3PRh6pGw=="
    static let iphone = "w4mmGFZkpz5oPz6w6gl1Cw=="
    static let bob = "h4gubfCFzJu81j/U2BJsdg=="
    /// Not canonical base64, and a device ID all the same (R1.1).
    static let odd = "ExampleApproovTokenDID=="
}
