/// An attestation as a line of a capture.
struct Event: Sendable {
    /// Such as `2020-07-23T11:10:43Z`.
    let time: String
    /// A letter that stands for a device.
    let device: Character
    var flags = ""
    /// `and`, `ios`, or none for another system.
    var system = ""
    var app: String?
    var version: String?
    var ip: String?

    init(
        _ time: String, _ device: Character, flags: String = "", system: String = "", app: String? = nil,
        version: String? = nil, ip: String? = nil
    ) {
        (self.time, self.device, self.flags, self.system) = (time, device, flags, system)
        (self.app, self.version, self.ip) = (app, version, ip)
    }

    /// The capture of some events.
    static func capture(_ events: [Event]) -> String { events.map(\.line).joined() }

    private var line: String {
        let attribute = ["and": "Android 9", "ios": "iOS, 12"][system]
        let members = [
            ("time", time), ("device-id", String(repeating: device, count: 22) + "=="), ("flags", flags),
            ("device", attribute), ("appid", app), ("app-version", version), ("ip", ip),
        ]
        let texts = members.compactMap { name, value in value.map { "\"\(name)\":\"\($0)\"" } }
        return "{\(texts.joined(separator: ","))}\n"
    }
}
