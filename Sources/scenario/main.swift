internal import CMemorySettings
internal import Documents

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

// What tables of devices and values leave when they grow is a quarter of what a replay would need in all.
return_large_blocks_at_once()
PartialFiles.removeWhenProcessEnds()
PartialFiles.removeWhenMemoryEnds(exitStatus: ExitStatus.outOfMemory.rawValue)
exit(ScenarioTool.runProcess(console: .standard).rawValue)
