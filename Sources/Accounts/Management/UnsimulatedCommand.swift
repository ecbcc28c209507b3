/// The topics of the manual that are not simulated because they bear on no attestation, each with the reason.
enum UnsimulatedCommand {
    /// The reason why a topic is not simulated.
    ///
    /// - Returns: `nil` for a topic that is, or that the manual does not have.
    static func reason(topic: String) -> String? {
        switch topic {
        case "metrics": "`scenario run` and `scenario replay` report the metrics"
        case "sdk": "the SDK is simulated, so there is none to get"
        case "role", "whoami", "init", "password":
            "nobody has to log in; `--role` or `--token` says in which role a command is given"
        default: nil
        }
    }
}
