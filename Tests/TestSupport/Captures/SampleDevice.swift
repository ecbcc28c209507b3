/// Device IDs of the manual.
enum SampleDevice {
    static let nexus = "qZka0yfv+ExvOq3PRh6pGw=="
    static let iphone = "w4mmGFZkpz5oPz6w6gl1Cw=="
    static let bob = "h4gubfCFzJu81j/U2BJsdg=="
    /// Not canonical base64, and a device ID all the same (R1.1).
    static let odd = "ExampleApproovTokenDID=="
}
