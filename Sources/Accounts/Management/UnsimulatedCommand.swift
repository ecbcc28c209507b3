/// The topics of the manual that are not simulated because they affect no attestation, each with the reason.
enum UnsimulatedCommand {
    static let reasons = [
        "metrics": "`scenario run` and `scenario replay` report the metrics",
        "sdk": "the SDK is simulated, so there is none to get",
        "role": nobodyLogsIn, "whoami": nobodyLogsIn, "init": nobodyLogsIn, "password": nobodyLogsIn,
    ]

    private static let nobodyLogsIn =
        "nobody has to log in; `--role` or `--token` says in which role a command is given"
}
