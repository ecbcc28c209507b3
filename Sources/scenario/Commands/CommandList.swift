extension ToolDefinition {
    /// This tool, with its commands in the order of the help: the only list of them.
    static let scenario = ToolDefinition(
        name: "scenario", summary: "Shows the effect of a device-attestation policy before it is set.",
        groups: [
            CommandGroup("Begin", [.start]),
            CommandGroup("Try a change", [.diff, .rollout, .whatif, .search, .prove, .explain, .explore]),
            CommandGroup("Regression", [.run, .record, .minimise, .pins, .lint]),
            CommandGroup("Streams", [.replay, .compare, .pack, .split, .merge, .generate]),
            CommandGroup("The service", [.approov, .policy, .arc, .serve, .forge, .requests]),
            CommandGroup("Tools", [.lsp, .mcp, .schema, .completion, .manual, .help, .complete]),
        ])
}
