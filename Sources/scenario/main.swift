internal import CLibrary
internal import CSystem
internal import Documents

// The blocks that tables of devices and values free when they grow are a quarter of what a replay would need in all.
return_large_blocks_at_once()
PartialFiles.removeWhenProcessEnds()
PartialFiles.removeWhenMemoryEnds(exitStatus: ExitStatus.outOfMemory.rawValue)
exit(ScenarioTool.runProcess(console: .standard).rawValue)
