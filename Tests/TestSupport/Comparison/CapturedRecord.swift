/// A record of a capture, as far as a test knows it.
struct CapturedRecord {
    let device: String
    /// RFC 3339, in UTC.
    let time: String
    let seconds: Int
    let flags: [String]
    var attributes: [String: String]
    /// True if the service passed it; `nil` if the capture does not say.
    let verdict: Bool?

    /// The system by the rules of metrics: `and`, `ios` or `unknown`.
    var system: String {
        let device = attributes["device"] ?? ""
        return device.hasPrefix("Android") ? "and" : device.hasPrefix("iOS") ? "ios" : "unknown"
    }

    /// The app and the app in its version, as metrics name them.
    var apps: (app: String?, version: String?) {
        guard let id = attributes["appid"] else { return (nil, nil) }
        let app = "\(system)-\(id)"
        return (app, attributes["app-version"].map { "\(app)-\($0)" })
    }

    /// The record as a line of JSON.
    var line: String {
        var members = ["time": time, "device-id": device, "public-flags": flags.joined(separator: ",")]
        members.merge(attributes) { $1 }
        if let verdict { members["rejection-flags"] = verdict ? "" : "rooted" }
        let parts = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }
        return "{\(parts.joined(separator: ","))}\n"
    }
}
