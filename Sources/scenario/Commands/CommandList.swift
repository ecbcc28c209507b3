extension ToolDefinition {
    /// This tool, with its commands in the order of the help: the only list of them.
    static let scenario = ToolDefinition(
        name: "scenario",
        summary: "Shows the effect of a device-attestation policy before it is set.",
        commands: [
            RunCommand.self, ReplayCommand.self, DiffCommand.self, MergeCommand.self, SplitCommand.self,
            WhatIfCommand.self, ProveCommand.self, SearchCommand.self, ExplainCommand.self, LintCommand.self,
            MinimiseCommand.self,
            RecordCommand.self, PolicyCommand.self, ApproovCommand.self, ArcCommand.self, GenerateCommand.self,
            ServeCommand.self, SchemaCommand.self, CompletionCommand.self,
            ManualCommand.self, CompleteCommand.self,
        ]
    )
}
