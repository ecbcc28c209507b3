import Testing

@testable import TestSupport
@testable import scenario

/// `--format csv` of `replay` and `diff`.
@Suite struct TableTests {
    // Bob is rooted and attests at 10:00 and 11:00, Amy at 10:00.
    @Test("R13.2a R13.2 a replay as rows by minute and window") func replay() throws {
        let run = try ToolRun(
            ["replay", "@day.jsonl", "--account", "@account.yaml", "--format=csv"], files: Sample.files)
        #expect(run.status == .success)
        #expect(
            run.output.replacing("\r\n", with: "\n") == """
                window,start,counts,pass,fail,pass-flag-new-did,pass-flag-risky-device,pass-flag-rooted,policy-allow-root
                minute,2020-07-23T10:00:00Z,attestations,2,0,2,1,1,2
                minute,2020-07-23T11:00:00Z,attestations,1,0,0,1,1,1
                hourly,2020-07-23T10:00:00Z,devices,2,0,0,0,0,0
                hourly,2020-07-23T11:00:00Z,devices,1,0,0,0,0,0
                daily,2020-07-23T00:00:00Z,devices,2,0,0,0,0,0
                monthly,2020-07-01T00:00:00Z,devices,2,0,0,0,0,0

                """)
    }

    @Test func diffOfACapture() throws {
        let run = try ToolRun(
            ["diff", "@three.jsonl", "--account=new", "--policy", "default,allow-root,default", "--format=csv"],
            files: DiffSample.files)
        #expect(
            run.output.replacing("\r\n", with: "\n") == """
                change,by,name,devices,attestations,fetches,example
                newly-rejected,all,,0,0,,
                newly-accepted,all,,2,2,,
                newly-accepted,flag,rooted,2,2,,DeviceAAAAAAAAAAAAAAA0==
                newly-accepted,system,unknown,2,2,,DeviceAAAAAAAAAAAAAAA0==
                annotations-changed,all,,0,0,,

                """)
    }

    @Test("R13.2a rows by minute leave out what depends on new devices") func doubt() throws {
        // A filter that rejects every new device, and no record that says which those are.
        let account = "filters: [{name: f, key: device-id, regex: ., new-did-only: true, reject: true}]\n"
        let files = DiffSample.files.merging(["new.yaml": account]) { $1 }
        let run = try ToolRun(["replay", "@three.jsonl", "--account", "@new.yaml", "--format=csv"], files: files)
        #expect(run.status == .success)
        #expect(
            run.output.replacing("\r\n", with: "\n") == """
                window,start,counts,pass,fail,fail-flag-new-did,fail-flag-risky-device,fail-flag-rooted,\
                pass-flag-new-did,policy-default,rejection-flag-rooted
                minute,2020-07-23T10:00:00Z,attestations,1,2,2,2,2,1,3,2
                hourly,2020-07-23T10:00:00Z,devices,1,2,0,0,2,0,0,0
                daily,2020-07-23T00:00:00Z,devices,1,2,0,0,2,0,0,0
                monthly,2020-07-01T00:00:00Z,devices,1,2,0,0,2,0,0,0

                """)
    }
}
