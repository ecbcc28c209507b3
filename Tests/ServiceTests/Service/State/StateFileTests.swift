import Foundation
import Testing

@testable import HTTP
@testable import PolicyEngine
@testable import Scenarios
@testable import Service
@testable import TestSupport

/// A state that a service keeps in a file, and continues from.
@Suite struct StateFileTests {
    @Test("R23.5 what happened is there after a restart") func whatHappenedIsThereAfterARestart() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("state")
        var before: [String] = []
        do {
            var bench = try StateBench.bench(path)
            try StateBench.happen(&bench)
            before = StateBench.seen(&bench)
        }
        #expect(before[0].contains("scenario_devices{state=\"banned\"} 1\n"))
        #expect(before[6].contains("odd"))
        var bench = try StateBench.bench(path, at: "2020-12-09T15:32:03Z")
        expect(StateBench.seen(&bench), equals: before)
        // The ban holds, and numbers continue.
        let attested = try bench.attest()
        expect(attested.verdict, equals: "fail")
        expect(attested.decision["index"] as? Int, equals: 3)
    }

    @Test("R23.5 keys that were drawn are there after a restart") func keysThatWereDrawnAreThereAfterARestart() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("state")
        var before = ""
        var (secret, users): (Secret?, [UserRole]?)
        do {
            var bench = try StateBench.bench(path)
            for algorithm in ["RS256", "ES384", "HS256"] {
                let answer = bench.send("POST /approov?confirm=YES", #"["keyset","-add","\#(algorithm)"]"#)
                expect(answer.status, equals: 200, "\(answer.text)")
            }
            before = bench.send("GET /.well-known/jwks.json").text
            // A user who is added has a number that is drawn, too.
            expect(bench.send("POST /approov?confirm=YES", #"["secret","-change"]"#).status, equals: 200)
            secret = bench.service.account.latest.accountSecret
            expect(bench.send("POST /approov?confirm=YES", #"["users","-add","bob@x.io"]"#).status, equals: 200)
            users = bench.service.account.latest.users
            try expect(TokenKey.keys(jwks: before).count, equals: 2)
        }
        var bench = try StateBench.bench(path)
        expect(bench.send("GET /.well-known/jwks.json").text, equals: before)
        expect(bench.service.account.latest.accountSecret, equals: secret)
        expect(bench.service.account.latest.users, equals: users)
        expect(users?.count, equals: 1)
        // Nobody but the owner reads what was drawn.
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        expect(mode, equals: 0o600)
    }

    @Test("R23.5 the clock continues where it was") func theClockGoesOnWhereItWas() throws {
        let folder = try TemporaryFolder()
        let start = try #require(Instant(rfc3339: "2020-07-23T00:00:00Z"))
        do {
            var bench = try StateBench.bench(folder.path("state"), clock: .virtual(start), at: "2020-01-01T00:00:00Z")
            expect(bench.send("POST /clock", #"{"advance":"1d"}"#).status, equals: 200)
        }
        var bench = try StateBench.bench(folder.path("state"), clock: .virtual(start), at: "2020-01-01T00:00:00Z")
        try expect(bench.attest().decision["time"] as? String, equals: "2020-07-24T00:00:00Z")
    }

    @Test("R23.5 what is refused is not kept") func whatIsRefusedIsNotKept() throws {
        let folder = try TemporaryFolder()
        do {
            var bench = try StateBench.bench(folder.path("state"))
            expect(bench.send("POST /attest", "{}").status, equals: 400)
            expect(bench.send("POST /attest?domain=x.io", ServiceBench.record()).status, equals: 400)
            expect(bench.send("POST /approov", #"["policy","-set","x"]"#).status, equals: 400)
            let unknown = #"["device","-getInfo","\#(ServiceBench.device)","-clear"]"#
            expect(bench.send("POST /approov", unknown).status, equals: 400)
            expect(bench.send("POST /approov", #"["device","-getFetches","timed"]"#).status, equals: 200)
        }
        let state = try StateFile(path: folder.path("state"), origin: "as it is")
        var events = 0
        try state.replay { _ throws(StateFailure) in events += 1 }
        expect(events, equals: 0)
    }

    @Test("R23.5 what was cleared stays so") func whatWasClearedStaysSo() throws {
        let folder = try TemporaryFolder()
        do {
            var bench = try StateBench.bench(folder.path("state"))
            _ = try bench.attest()
            let cleared = bench.send("POST /approov", #"["device","-getFetches","timed","-clear"]"#)
            #expect(cleared.text.contains(ServiceBench.device))
            expect(bench.send("POST /approov", #"["device","-clearDeviceState"]"#, headers: [:]).status, equals: 409)
            expect(bench.send("POST /approov?confirm=YES", #"["device","-clearDeviceState"]"#).status, equals: 200)
        }
        var bench = try StateBench.bench(folder.path("state"))
        let fetches = bench.send("POST /approov", #"["device","-getFetches","timed"]"#)
        expect(fetches.text, equals: "{\"printed\":[],\"reported\":[],\"warnings\":[],\"mail\":[]}\n")
        try expect(bench.attest().decision["flags"] as? [String], equals: ["new-did"])
    }

    @Test("R23.5 a state of another account is refused") func aStateOfAnotherAccountIsRefused() throws {
        let folder = try TemporaryFolder()
        _ = try StateBench.bench(folder.path("state"))
        #expect(throws: StateFailure.otherAccount) { try StateBench.bench(folder.path("state"), origin: "edited") }
    }

    @Test("R23.5 one process uses a state") func oneProcessUsesAState() throws {
        let folder = try TemporaryFolder()
        let first = try StateBench.bench(folder.path("state"))
        #expect(throws: StateFailure.inUse) { try StateBench.bench(folder.path("state")) }
        expect(first.service.account.deviceCount, equals: 0)
    }

    @Test("R23.5 a file of something else is refused and stays") func aFileOfSomethingElseIsRefusedAndStays() throws {
        let text = String(repeating: "no database\n", count: 200)
        let folder = try TemporaryFolder(["state": text])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("state"))
        #expect(throws: StateFailure.noState) { try StateBench.bench(folder.path("state")) }
        expect(folder["state"], equals: text)
        #expect(throws: StateFailure.self) { try StateBench.bench(folder.path("none/state")) }
    }

    @Test("R23.5 names that SQLite takes for something else are refused", arguments: [":memory:", "file:state", ""])
    func namesOfSQLiteAreRefused(name: String) throws {
        let failure = StateFailure.badName(name)
        #expect(throws: failure) { try StateBench.bench(name) }
        #expect(!FileManager.default.fileExists(atPath: name))
        expect(failure.hint, equals: "a path such as ./state")
    }

    @Test("R23.5 a state that others may read is refused", arguments: [0o644, 0o640, 0o604, 0o620])
    func aStateThatOthersMayReadIsRefused(mode: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("state")
        _ = try StateBench.bench(path)
        let before = FileManager.default.contents(atPath: path)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(throws: StateFailure.readable(path)) { try StateBench.bench(path) }
        expect(FileManager.default.contents(atPath: path), equals: before)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(throws: Never.self) { try StateBench.bench(path) }
    }

    @Test("R23.5 a state that was made empty beforehand is begun") func anEmptyFileIsBegun() throws {
        let folder = try TemporaryFolder(["state": ""])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path("state"))
        #expect(throws: StateFailure.readable(folder.path("state"))) { try StateBench.bench(folder.path("state")) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("state"))
        #expect(throws: Never.self) { try StateBench.bench(folder.path("state")) }
    }

    @Test("R23.5 a database of another program stays as it is") func aForeignDatabaseStaysAsItIs() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("state")
        try SQLiteProgram.run("CREATE TABLE mail (text); INSERT INTO mail VALUES ('x');", on: path)
        let before = FileManager.default.contents(atPath: path)
        #expect(throws: StateFailure.noState) { try StateBench.bench(path) }
        expect(FileManager.default.contents(atPath: path), equals: before)
        try expect(FileManager.default.contentsOfDirectory(atPath: folder.path("")), equals: ["state"])
    }
}

/// States that are not as they were written: they are refused, or nothing of what is answered is affected.
@Suite struct StateDamageTests {
    private static func state(in folder: TemporaryFolder) throws -> (path: String, seen: [String]) {
        let path = folder.path("state")
        var bench = try StateBench.bench(path)
        try StateBench.happen(&bench)
        return (path, StateBench.seen(&bench))
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    // True if the state is refused; one that is served has to give the answers of before.
    private static func isRefused(_ path: String, _ seen: [String]) throws -> Bool {
        do {
            var bench = try StateBench.bench(path, at: "2020-12-09T15:32:03Z")
            expect(StateBench.seen(&bench), equals: seen)
            return false
        } catch is StateFailure {
            return true
        }
    }

    static let edits = [
        "UPDATE event SET time = time + 1 WHERE number = 2", "UPDATE event SET kind = 'failover' WHERE number = 1",
        "UPDATE event SET body = CAST(replace(body, '6.6.6.6', '6.6.6.7') AS BLOB) WHERE number = 1",
        "UPDATE event SET body = (SELECT body FROM event WHERE number = 1) WHERE number = 2",
        "DELETE FROM event WHERE number = 1", "DELETE FROM event WHERE number = 3",
        "DELETE FROM event WHERE number > 3",
        "DELETE FROM event", "UPDATE event SET number = number + 1 WHERE number > 7",
        "UPDATE origin SET events = events - 1", "UPDATE origin SET sum = zeroblob(32)", "DELETE FROM origin",
        "INSERT INTO event SELECT 99, kind, time, body, sum FROM event WHERE number = 1", "DROP TABLE event",
        "UPDATE event SET sum = zeroblob(32) WHERE number = 5", "PRAGMA user_version = 3", "PRAGMA application_id = 1",
    ]

    @Test("R23.5 a state that was edited is refused", arguments: edits) func edited(_ edit: String) throws {
        let (folder, path) = try Self.copy()
        try SQLiteProgram.run("\(edit);", on: path)
        #expect(throws: StateFailure.self) { try StateBench.bench(path) }
        expect(folder.path("state"), equals: path)
    }

    private static func copy() throws -> (TemporaryFolder, String) {
        let folder = try TemporaryFolder()
        return (folder, try state(in: folder).path)
    }

    @Test("R23.5 no damaged byte changes what is answered", arguments: 0..<8) func damaged(_ first: Int) throws {
        let folder = try TemporaryFolder()
        let (path, seen) = try Self.state(in: folder)
        let sound = try Self.bytes(path)
        #expect(try !Self.isRefused(path, seen))
        var refused = 0
        let step = 8 * Exhaustive.choice(5, whole: 1)
        for position in stride(from: first * 19, to: sound.count, by: step * 19) {
            var damaged = sound
            damaged[position] ^= UInt8(1 << (position % 8))
            try Self.write(damaged, to: path)
            if try Self.isRefused(path, seen) { refused += 1 }
        }
        #expect(refused > 0)
        for length in stride(from: 1 + first * 37, to: sound.count, by: step * 37) {
            try Self.write(Array(sound.prefix(length)), to: path)
            #expect(try Self.isRefused(path, seen), "\(length) bytes")
        }
    }

    // A process that was killed leaves a log beside the file; its bytes count as much.
    @Test("R23.5 no damaged byte of a log is served") func damagedLog() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let path = folder.path("state")
        var bench = try StateBench.bench(path)
        try StateBench.happen(&bench)
        let seen = StateBench.seen(&bench)
        let (database, log) = (try Self.bytes(path), try Self.bytes(path + "-wal"))
        let copied = other.path("state")
        func isRefused(_ log: [UInt8]) throws -> Bool {
            try Self.write(database, to: copied)
            try Self.write(log, to: copied + "-wal")
            return try Self.isRefused(copied, seen)
        }
        #expect(try !isRefused(log))
        for position in stride(from: 0, to: log.count, by: Exhaustive.choice(1009, whole: 211)) {
            var damaged = log
            damaged[position] ^= 0x10
            #expect(try isRefused(damaged), "byte \(position)")
        }
        // The database alone is as it was when nothing had happened; its log is not forgotten without notice.
        try Self.write([], to: copied)
        try Self.write(log, to: copied + "-wal")
        #expect(throws: StateFailure.self) { try StateBench.bench(copied) }
        // Whoever closes the database empties its log.
        withExtendedLifetime(bench) {}
    }

    @Test("R23.5 a log that a kill cut off is no damage", arguments: [0, 1, 31, 32, 40, 5000, 20_000])
    func cutLog(_ missing: Int) throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        var bench = try StateBench.bench(folder.path("state"))
        try StateBench.happen(&bench)
        let log = try Self.bytes(folder.path("state") + "-wal")
        try Self.write(try Self.bytes(folder.path("state")), to: other.path("state"))
        try Self.write(Array(log.dropLast(missing)), to: other.path("state") + "-wal")
        withExtendedLifetime(bench) {}
        #expect(throws: Never.self) { try StateBench.bench(other.path("state")) }
    }

    // More events than the log holds before it is emptied.
    @Test("R23.5 a long state is read again") func longState() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("state")
        let event = StateEvent(.clock, at: Instant(secondsSinceEpoch: 0), [UInt8](repeating: 7, count: 100))
        do {
            let state = try StateFile(path: path, origin: "o")
            for _ in 0..<1500 { try state.append(event) }
        }
        let state = try StateFile(path: path, origin: "o")
        try state.append(event)
        var events = 0
        try state.replay { found throws(StateFailure) in
            events += 1
            if found != event { throw .unsound("another event") }
        }
        expect(events, equals: 1501)
    }
}
