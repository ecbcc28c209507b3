package import Documents

extension AccountSchema {
    /// The sentences on keys within those of an account, which have theirs beside their declarations.
    package static let sentences = KeySentences(
        """
        reject-flags.add: Flags that make a device fail besides those of the preset.
        reject-flags.remove: Flags of the preset that no longer make a device fail.
        flags.name: The name of the flag: lower-case letters, digits and hyphens.
        flags.description: The meaning of the flag, for people.
        flags.risk: With true, the flag makes a device risky.
        filters.name: The name of the filter, which commands, reports and conjunctions use.
        filters.key: The attribute at which the filter looks, such as ip or app-version.
        filters.match: The filter matches if the attribute has exactly this value.
        filters.regex: The filter matches if this regular expression is found in the attribute.
        filters.conjunction: The filter matches if all these filters match.
        filters.new-did-only: With true, only devices with a new ID match.
        filters.capture-device-info: With true, the service records the devices that match.
        filters.reject: With true, devices that match fail.
        filters.ban: With true, devices that match are banned: they fail from then on.
        filters.risky: With true, devices that match are risky, so their tokens live for a shorter time.
        filters.exec-filtered-sec-policy: With true, the filtered policy decides about devices that match.
        devices.id: The ID of the device: 22 characters and ==.
        devices.policy: The security policy for this device, in place of the account's.
        devices.label: A name for people.
        devices.user: The person who added the entry.
        devices.pin-mode: How the app of this device treats pins.
        devices.ban-mode: Bans the device, or lifts its ban.
        devices.probe-url: A URL with https that the app of this device tries to reach.
        devicecheck.team-id: The developer team at Apple.
        devicecheck.key-id: The key at Apple; without it, DeviceCheck is off.
        devicecheck.bits: The bits that Apple keeps for a device and that ban it.
        devicecheck.expiry: The months after which a bit at Apple no longer bans.
        safetynet.api-key: The key at Google; without it, SafetyNet is off.
        safetynet.daily-quota: The number of requests a day that Google answers.
        app-signing-certs.fingerprint: The fingerprint of the certificate: bytes joined by colons.
        app-signing-certs.subject: The owner of the certificate.
        app-signing-certs.expiry: The time up to which the certificate is valid.
        registrations.app-sig: The signature of the app.
        registrations.appid: The package of the app; without it, any package with the signature.
        registrations.app-version: The version of the app; without it, or with *, any version.
        registrations.version-name: A name that is shown in place of the version.
        registrations.sdk: The SDK and its version, such as Android(2.5.0).
        registrations.library-id: The number of the SDK's library, compared if the device has one.
        registrations.bundle: With true, it is an app bundle, whose signature is app-id-sig.
        registrations.label: A name for people.
        registrations.added: The time at which the app was registered.
        registrations.expiry: The time at which the registration ends, as older files name it.
        registrations.expires: The time at which the registration ends; without it, never.
        registrations.added-by: The developer who registered the app.
        registrations.cloned-from: The account from which the registration was cloned.
        apis.domain: The name of the host that the app calls, or * for the managed trust roots.
        apis.type: The kind of key that makes the domain's tokens, or pinOnly for no tokens.
        apis.alg: The algorithm of the domain's tokens.
        apis.kid: The key of the key set that makes the domain's tokens.
        apis.pins: The pins of which the backend's certificates need one.
        apis.monitor-port: The port at which the backend's certificates are watched.
        user-roles.id: The role, a hyphen and four digits, such as dev-1234.
        user-roles.email: The user's address.
        user-roles.name: The user's name; by default the part of the address before the @.
        user-roles.added: The time at which the role was added.
        user-roles.expires: The time at which the access ends.
        user-roles.password-protected: With true, it is shown that a password protects the access; none is asked for.
        user-roles.primary: With true, the role came with the account, and no command revokes it.
        user-roles.revoked: The time at which the access was revoked.
        monitoring.emails: The addresses that get mails about problems.
        monitoring.summary: The frequency of the mails that sum up.
        monitoring.emergency-contact: A text about whom to call.
        """)
}

extension KeyFileSchema {
    /// The sentences on keys that have none beside their declarations.
    package static let sentences = KeySentences(
        """
        key-set.alg: The algorithm that the key is for.
        key-set.kty: The type of the key, as a JSON Web Key calls it.
        """)
}
