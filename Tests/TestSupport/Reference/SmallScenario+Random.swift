extension SmallScenario {
    private static let names = ["bob", "amy", "eve"]
    private static let ids = ["h4gubfCFzJu81j/U2BJsdg==", "DoYouReadThisText01234==", "w4mmGFZkpz5oPz6w6gl1Cw=="]
    private static let keys = ["A", "B", "CA"]
    private static let hosts = ["a.com", "a.com", "a.com", "b.com", "c.com"]

    /// A scenario by chance.
    init(seed: UInt64) {
        var chance = Chance(seed: seed)
        account.propagation = chance.pick([0, 30])
        account.domains["a.com"] = chance.some(of: Self.keys, 40)
        if chance.happens(70) { account.domains["b.com"] = chance.some(of: Self.keys, 30) }
        if account.domains["b.com"] != nil, chance.happens(30) { account.pinOnly = ["b.com"] }
        if chance.happens(30) { account.domains["*"] = chance.some(of: Self.keys, 50) }
        for host in ["a.com", "b.com"] where chance.happens(80) { backends[host] = Self.backend(&chance) }
        for number in 0...chance.below(3) {
            devices.append(
                SmallDevice(
                    name: Self.names[number], id: Self.ids[number], flags: chance.happens(15) ? "rooted" : "",
                    client: Self.client(&chance), sdk: chance.pick([nil, nil, .old, .new]),
                    isCompromised: chance.happens(15)))
            if chance.happens(15) { account.modes[Self.ids[number]] = Self.mode(&chance) }
        }
        // As commands will find it.
        var known = account
        for (host, backend) in backends { known.leaves[host] = backend.chain[0] }
        var time = 0
        for _ in 0..<(6 + chance.below(20)) {
            time += chance.pick([0, 0, 1, 15, 29, 30, 31, 60, 110, 120, 180, 299, 300])
            steps.append((time, action(&chance, &known, at: time)))
        }
        steps.append((time + 1, .request(host: "a.com", data: data(&chance))))
    }

    private static func backend(_ chance: inout Chance) -> SmallBackend {
        SmallBackend(
            chain: chance.pick([["A", "CA"], ["B", "CA"], ["A"], ["B", "OTHER"], ["OTHER"]]),
            wantsToken: chance.pick([nil, nil, nil, true, false]))
    }

    private static func mode(_ chance: inout Chance) -> String {
        chance.pick(["pin", "unpin", "block", "blockAll"])
    }

    private static func client(_ chance: inout Chance) -> SmallClient {
        var client = SmallClient()
        if chance.happens(30) { client.builtIn = chance.pick([0, 30, 100, 300, 600]) }
        client.config = chance.pick(["auto", "auto", "app", "none"])
        client.reading = chance.pick(["connection", "config-change", "launch"])
        client.relaunchesOnForce = chance.happens(40)
        client.relaunchesOnBlocked = chance.happens(40)
        if chance.happens(20) { client.staticPins = [chance.pick(keys)] }
        client.refusesUnpinned = chance.happens(20)
        client.ignoresRoots = chance.happens(20)
        client.hasHeader = chance.happens(20)
        client.sendsAlways = chance.happens(20)
        client.isSilent = chance.happens(20)
        return client
    }

    // Only where a device binds tokens to a header may there be data.
    private func data(_ chance: inout Chance) -> String? {
        guard devices.contains(where: \.client.hasHeader) else { return nil }
        return chance.pick([nil, "none", "x", "x", "y"])
    }

    private func action(_ chance: inout Chance, _ known: inout SmallAccount, at time: Int) -> SmallAction {
        switch chance.below(24) {
        case 20: return .plain(host: chance.pick(Self.hosts))
        case 21: return .steal(host: chance.pick(Self.hosts), from: device(&chance).name, data: data(&chance))
        case 22: return .binding(device(&chance).name, every: chance.pick([1, 60, 179, 180]))
        case 23: return .spread(over: chance.pick([1, 30, 200]))
        case 0..<8: return .request(host: chance.pick(Self.hosts), data: data(&chance))
        case 8: return .fetch
        case 9, 10:
            let (host, backend) = (chance.pick(["a.com", "b.com"]), Self.backend(&chance))
            known.leaves[host] = backend.chain[0]
            return .serve(host, backend)
        case 11, 12, 13: return command(&chance, &known)
        case 14: return .launch(device(&chance).name)
        case 15: return .reinstall(device(&chance).name)
        case 16, 17:
            let only: String? = chance.pick([nil, "a.com", "b.com"])
            let state = chance.pick(["ok", "ok", "none", "poor", "mitm", "mitm"])
            return .network(
                device(&chance).name, state: state, only: state == "mitm" ? only : nil, trusted: chance.happens(60))
        case 18: return .outage(chance.pick(["primary", "failover", "all"]), until: time + chance.pick([30, 90, 400]))
        case 19 where chance.happens(30): return .updateSDK(device(&chance).name, chance.pick([.old, .new]))
        default: return .update(device(&chance).name, staticPins: [chance.pick(Self.keys)])
        }
    }

    private func device(_ chance: inout Chance) -> SmallDevice { chance.pick(devices) }

    // One that the account takes.
    private func command(_ chance: inout Chance, _ known: inout SmallAccount) -> SmallAction {
        let domain = chance.pick(known.domains.keys.sorted())
        let pins = known.domains[domain] ?? []
        switch chance.below(9) {
        case 0, 1, 2:
            guard let key = Self.keys.first(where: { !pins.contains($0) }) else { return .force }
            known.domains[domain] = pins + [key]
            return .addPin(key, domain: domain)
        case 3:
            guard let key = pins.first else { return .force }
            known.domains[domain] = Array(pins.dropFirst())
            return .removePin(key, domain: domain)
        case 4:
            if known.domains["b.com"] == nil {
                known.domains["b.com"] = [known.leaves["b.com"] ?? "b.com"]
                return .addDomain("b.com", isPinOnly: chance.happens(30))
            }
            known.domains["b.com"] = nil
            return .removeDomain("b.com")
        case 5:
            let (id, mode) = (device(&chance).id, Self.mode(&chance))
            known.modes[id] = mode
            return .pinMode(mode, id: id)
        case 6: return .changeSecret
        case 7:
            known.signing.isOn = !known.signing.isOn || chance.happens(50)
            return .changeSigning(on: known.signing.isOn)
        default: return .force
        }
    }
}
