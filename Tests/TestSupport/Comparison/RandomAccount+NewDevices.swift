extension RandomAccount {
    /// The text of an account without all that depends on new devices: filters for those alone look for what nothing has, and
    /// `new-did` rejects nowhere.
    static func withoutNewDevices(_ text: String) -> String {
        text.split(separator: "\n").map { line in
            if line.contains("new-did-only: true"), let name = line.split(separator: ",").first {
                let options = line.split(separator: ", ").filter { $0.contains(": true") && !$0.contains("conj") }
                    .map { $0.replacing("}", with: "") }
                return "\(name), key: what-nothing-has, match: x"
                    + options.filter { !$0.hasPrefix("new-did-only") }.map { ", \($0)" }.joined() + "}"
            }
            guard line.hasPrefix("reject-flags: {add:"), line.contains("new-did") else { return String(line) }
            let others = line.replacing("reject-flags: {add: [", with: "").replacing("]}", with: "")
                .split(separator: ", ").filter { $0 != "new-did" }.joined(separator: ", ")
            return "reject-flags: {add: [\(others)], remove: [new-did]}"
        }.joined(separator: "\n") + "\n"
    }
}
