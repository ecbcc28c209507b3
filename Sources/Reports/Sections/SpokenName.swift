internal import PolicyEngine

/// Names of systems and apps as people say them, rather than as metrics have them (R13.1).
enum SpokenName {
    /// `Android` for `and`, `iOS · com.example` for `ios-com.example`; any other name as it is.
    static func text(of name: String) -> String {
        for system in OperatingSystem.allCases {
            if name == system.metricName { return system.spoken }
            let start = system.metricName + "-"
            if name.hasPrefix(start) { return "\(system.spoken) · \(name.dropFirst(start.count))" }
        }
        return name
    }
}

extension OperatingSystem {
    fileprivate var spoken: String {
        switch self {
        case .android: "Android"
        case .ios: "iOS"
        case .unknown: "Unknown system"
        }
    }
}
