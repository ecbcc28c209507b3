package import Documents

extension ScenarioSchema {
    /// The sentences on keys within those of a scenario, which have theirs beside them.
    package static let sentences = KeySentences(
        [ofGroups, ofSteps, ofExpectations, ofTokens].joined(separator: "\n"))

    private static let ofGroups = """
        zipf: How unevenly the devices attest: 0 is all alike, 1 is Zipf's law.
        rhythm: The hours at which devices attest: even, day, or a weight for each hour in UTC.
        weight: How often a device attests, compared with devices of other groups.
        chain: The certificates that the backend presents, the leaf first: names of keys, or pins.
        backends.token: Says if the backend checks tokens.
        serve.token: Says if the backend checks tokens from now on.
        backends.clock: The time by which the clock of the backend is ahead, or behind with a minus sign.
        group.count: The number of devices in the group.
        group.os: The system of the devices; by default the one that their attribute device names.
        group.account: The account of the devices, if the scenario has several.
        group.flags: The flags that the service observes on every device of the group.
        flag-rates: Flags, each with the share of devices on which it is observed; each device draws once.
        attributes: The attributes of the devices, such as ip or app-version.
        choose: Values, each with the share of devices that has it.
        group.id: The ID of the device, if the group has one.
        group.activity: The frequency and the times of the group's attestations, in place of the scenario's.
        physical: The name of hardware that several groups share, install by install.
        registered: With false, the app of the devices is not registered.
        devicecheck: The answer of the devices to Apple's DeviceCheck.
        state: The state of what is simulated, such as available, or none for no network.
        bits: The bits that Apple keeps for the devices at the start.
        changed: The month in which the bits were changed.
        safetynet: The answer of the devices to Google's SafetyNet.
        client: How the app uses the SDK, and makes its connections.
        built-in: The time of the configuration that is built into the app.
        config: Says who stores a new configuration: the SDK, the app, or nobody.
        read-pins: The time at which the app reads its pins.
        on-force: What the app does when pins are forced.
        on-blocked: What the app does after a blocked request.
        static-pins: The pins that are built into the app, by domain.
        unpinned: Says if the app connects when no pins apply.
        roots: Says if the app uses the managed trust roots.
        binding-header: The header whose value tokens are bound to.
        on-failed-fetch: What the app does if it gets no token.
        sign-messages: With false, the app never signs messages.
        dev-key: The key by which the app counts as a development version.
        pinning: With compromised, an attacker has switched off the app's pinning.
        """

    private static let ofSteps = """
        at: The time of the step from the start, such as 1h30m.
        every: The time from one repetition to the next.
        until: The time from the start up to which the step is repeated, or an outage lasts.
        domain: The API domain that the fetch names.
        to: The domain, or the URL, of the request.
        step.data: The value of the header that tokens are bound to; none leaves the header out.
        header: Says if the request has the header that tokens are bound to.
        as: The group whose tokens are sent.
        step.account: The account of the command; with cancelled, the service no longer answers its apps.
        step.expect: What must hold of the fetches, requests or calls of this step.
        fetch: The groups whose devices ask for a token once.
        request: The groups whose devices make a request once, with a token.
        serve: Changes what backends present and check, by domain.
        approov: A management command, as you would type it.
        set: Changes what is observed on the devices from now on.
        set.flags: The flags in place of those before.
        signal: Lets the platform or the SDK find other flags on a share of the devices.
        add: Flags that are observed from then on.
        remove: Flags that are no longer observed.
        share: The share of the devices, drawn by the seed; a greater share has those of a smaller one.
        launch: The groups whose apps start anew.
        over: The span in which each install has a time of its own.
        reinstall: The groups whose apps are removed and installed again.
        keep-id: With true, the devices keep their IDs.
        factory-reset: The groups whose devices are reset, and get new IDs.
        replace: The groups whose phones are replaced.
        keeps: The part that stays, the device-id, from a backup, or the hardware, which is reset; by default neither.
        bind: Binds the tokens of a group to data.
        bind.data: The data that the app passes to the SDK.
        binding: Lets the data that tokens are bound to change by itself.
        network: Moves the devices of a group to another network.
        only: The domains whose connections the proxy intercepts.
        trusted: With true, the platform trusts the proxy's certificate.
        outage: The services that do not answer.
        local: With true, the devices are on the network where management commands are given.
        retire-sdk: The version of the SDK that the service no longer knows from now on.
        clock: Lets the clocks of phones be wrong.
        offset: The time by which they are ahead, such as 10m, or behind, such as -10m.
        local-chain: The chain that is found on the network where management commands are given.
        answers: With false, the backend does not answer.
        serve.clock: The time by which the backend's clock is ahead, or behind with a minus sign.
        secure-string: Lets each app ask for a secure string, or define one.
        secure-string.key: The key of the string.
        define: The string that the app defines; an empty one removes it.
        custom-jwt: Lets each app ask for a token with claims of its own.
        payload: The claims of the app, as JSON or YAML.
        prove: Lets each app prove a measurement.
        kind: The measurement: of the app's integrity, or of the device.
        group: The group, or several.
        """

    private static let ofExpectations = """
        verdict: The verdict of each token that came back: pass or fail.
        pass: The number of fetches with a token of a device that passed.
        fail: The number of fetches with a token of a device that failed.
        attested: The number of fetches for which the device was examined.
        cached: The number of fetches that a cached token answered.
        config-changed: The number of fetches that reported a new configuration.
        force-apply: The number of fetches that reported pins to apply at once.
        accepted: The number of requests that the backend accepted.
        refused: The number of requests that the backend refused.
        blocked: The number of requests that the app's pins blocked.
        intercepted: The number of requests that a proxy read.
        not-sent: The number of requests that the app did not send.
        no-connection: The number of requests without a connection.
        result: The result of each fetch or call, or how many ended in each way.
        proof: The result of each proof, or how many ended in each way.
        expectation.policy: The security policy that was applied.
        rejections: The reasons for which each device failed, or how many devices have each.
        expectation.flags: The flags of each attestation, or how many devices have each.
        annotations: The flags that each token names, or how many devices have each.
        filters: The filters that each attestation matched, or how many devices matched each.
        lifetime: The lifetime of each token, such as 5m.
        value: The secure string that each app gets; reports do not show it.
        device: The device, or the group of one device, that is meant.
        vacuous: With allowed, the expectation may hold because nothing happened.
        at-least: The least number or time.
        at-most: The greatest number or time.
        about: A number, and how far the count may be from it.
        about.value: The number that the count is about.
        within: The greatest difference from that number.
        metrics: The metrics of the service at the end, by name.
        device-state: The flags that the service keeps of devices, by group or device, or none.
        requests: The results of requests at the end, of all groups or by group.
        blocked-devices: The number of devices that were ever blocked.
        still-blocked: The number of devices without an accepted request since they were blocked.
        longest-blocked: The longest time from a device's first blocked request to its next accepted one.
        notifications: The number of mails about backends without a pin.
        end.account: The account that is meant, if the scenario has several.
        """

    private static let ofTokens = """
        expectation.arc: The response code: passed, failed, none, a code, or the flags that it holds.
        passed: The flags that the response code of a device that passed holds.
        failed: The flags that the response code of a device that failed holds.
        status: The verdict that the response code holds.
        arc.flags: The flags that the response code holds.
        expectation.token: The parts of each token, made as by the service and verified as by a backend.
        alg: The algorithm in the token's header.
        kid: The name of the key in the token's header.
        signature: The result of verifying the token.
        claims: The claims of the token; each is a value, none or any.
        claims.exp: The time at which the token expires.
        claims.did: The ID of the device.
        claims.arc: The attestation response code.
        claims.ip: The address of the client.
        claims.iss: The issuer.
        claims.aud: The audience: the API domain.
        claims.anno: The flags that the token names.
        claims.pay: The hash of the data that the token is bound to, or the data.
        pay.data: The data whose hash is compared.
        claims.mskid: The name of the key that signs messages.
        claims.imh: The measurement of the app's integrity.
        claims.dmh: The measurement of the device.
        claims.mpk: The key of the measurement's proof.
        claims.sip: The first characters of the signature.
        loggable: The form of each token that apps may log.
        error: The error in place of a token, or none.
        check: The result of token -check.
        """
}
