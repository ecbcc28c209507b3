extension ToolDefinition {
    /// This tool, with its commands in the order of the help: the only list of them.
    static let scenario = ToolDefinition(
        name: "scenario",
        summary: "Shows the effect of a device-attestation policy before it is set.",
        groups: [
            CommandGroup(title: "Begin", commands: [InitCommand.self]),
            CommandGroup(
                title: "Try a change",
                commands: [
                    DiffCommand.self, RolloutCommand.self, WhatIfCommand.self, SearchCommand.self, ProveCommand.self,
                    ExplainCommand.self, ExploreCommand.self,
                ]),
            CommandGroup(
                title: "Regression",
                commands: [RunCommand.self, RecordCommand.self, MinimiseCommand.self, LintCommand.self]),
            CommandGroup(
                title: "Streams",
                commands: [
                    ReplayCommand.self, CompareCommand.self, PackCommand.self, SplitCommand.self, MergeCommand.self,
                    GenerateCommand.self,
                ]),
            CommandGroup(
                title: "The service",
                commands: [ApproovCommand.self, PolicyCommand.self, ArcCommand.self, ServeCommand.self]),
            CommandGroup(
                title: "Tools",
                commands: [
                    LanguageServerCommand.self, AgentServerCommand.self, SchemaCommand.self, CompletionCommand.self,
                    ManualCommand.self, HelpCommand.self,
                    CompleteCommand.self,
                ]),
        ]
    )
}
