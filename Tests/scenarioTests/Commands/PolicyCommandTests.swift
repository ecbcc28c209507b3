import Testing

@testable import scenario

/// `scenario policy`; the expected marks are those of the table of presets (R4.2).
@Suite struct PolicyCommandTests {
    @Test(arguments: [
        ("rooted", "x x x u . . . . . x"), ("xposed", "x x x . . . . . . x"), ("cloned", "x x . x x . x x . x"),
        ("emulator", "x x x x x . x x . x"), ("bad-hmac", "x x x x x x x x x x"),
        ("safetynet-missing", ". x . . . . . . . x"), ("automated", ". . . . . . . . . x"),
    ])
    func theTableSaysWhatEachPresetRejects(_ flag: String, marks: String) throws {
        let run = try ToolRun("policy").ending(.success)
        let line = run.output.split(separator: "\n").first { $0.hasPrefix("  \(flag) ") }
        #expect(line?.split(separator: " ").joined(separator: " ") == "\(flag) \(marks)")
    }

    @Test func declaredFlagsAreInTheTable() throws {
        let files = ["a.yaml": "flags: [{name: odd-clock}]\nrules: [other]\n"]
        let run = try ToolRun("policy --account @a.yaml", files: files)
        #expect(run.output.contains("odd-clock"))
        #expect(
            try ToolRun("policy other,strict,odd-clock --account=@a.yaml", files: files).status == .success)
    }

    @Test func aDifferenceHasTheFlagsThatChangeSides() throws {
        let run = try ToolRun("policy diff default default,strict,risk")
        #expect(
            run.output == """
                default,default,default → default,strict,risk
                  annotations default → risk
                  devicecheck-unavailable  accepts  → rejects
                  devicecheck-missing      accepts  → rejects
                  safetynet-fail-profile   accepts  → rejects
                  safetynet-unavailable    accepts  → rejects
                  safetynet-missing        accepts  → rejects

                """)
    }

    @Test func hiddenAttributesAreToldToo() throws {
        let short = try ToolRun("policy diff allow-root-and-jailbroken-only allow-raj-only-short-lifetime")
        #expect(short.output.contains("tokens live 300 or 120 s before and 45 s after"))
        #expect(short.output.contains("no flag is treated differently"))
        let white = try ToolRun("policy diff blacklist whitelist")
        #expect(white.output.contains("not everything is rejected any more"))
        #expect(white.output.contains("rejecting filters do not count"))
    }

    @Test("R4.5 blacklist rejects on every flag") func blacklistRejectsEverything() throws {
        let lines = try ToolRun("policy blacklist").output.split(separator: "\n")
        let flags = lines.drop { $0 != "flag level rejection policy:" }.dropFirst()
        #expect(flags.count == 37)
        #expect(flags.allSatisfy { $0.hasPrefix("  reject ") })
    }

    // Manual, Getting Current Security Policy.
    @Test func onePolicyIsShownAsTheManualShowsIt() throws {
        let run = try ToolRun("policy default,allow-root,all")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(6) == [
                "security policy is \"default,allow-root,all\" meaning:",
                "  rules: default (Default security rules)",
                "  rejection: allow-root (Accept rooted Android devices but reject emulators/simulators and "
                    + "Frida/Cydia/Cycript)",
                "  annotation: all (All flags in Approov token)", "flag level rejection policy:",
                "  reject app-not-registered       App is not registered, which may indicate that it is fake or "
                    + "tampered",
            ])
    }

    static let refused = [
        ToolRow(name: "unknown preset", arguments: "policy strct", status: .usage, error: "did you mean `strict`?"),
        ToolRow(name: "unknown rules", arguments: "policy other,strict,risk", status: .usage, error: "`other`"),
        ToolRow(name: "two policies", arguments: "policy strict default", status: .usage, error: "policy diff"),
        ToolRow(name: "a difference of one", arguments: "policy diff strict", status: .usage, error: "two"),
        ToolRow(
            name: "no such account", arguments: "policy --account @none.yaml", status: .invalidInput,
            error: "none.yaml"),
    ]

    @Test(arguments: refused) func refuses(_ row: ToolRow) throws {
        let run = try ToolRun(row.arguments.list)
        #expect(run.status == row.status)
        #expect(run.error.contains(row.error))
        #expect(run.output.isEmpty)
    }
}
