internal import PolicyEngine

/// The removed registrations of an account: a record of such an app counts as of an app without one (R15.2).
struct RemovedRegistrations {
    private let removed: [Registration]
    private let left: [Registration]

    init(_ account: Account) {
        removed = account.removedRegistrations
        left = account.registrations ?? []
    }

    /// The formula that a record is of such an app.
    func holds(_ record: RuleModel.Record, _ space: DeviceSpace) -> Formula {
        guard !removed.isEmpty else { return .no }
        let app = App(record: record, space: space)
        return .disjunction(removed.map(app.isMatched)) && !.disjunction(left.map(app.isMatched))
    }

    // The app that a record describes.
    private struct App {
        let record: RuleModel.Record
        let space: DeviceSpace

        // R15.1, for a capture: an app with `app-id-sig` is one of Android.
        func isMatched(by registration: Registration) -> Formula {
            let isAndroid = !isAbsent("app-id-sig")
            let isPackage: Formula
            let isBundle: Formula
            switch registration.kind {
            case .package: (isPackage, isBundle) = (.yes, .no)
            case .bundle: (isPackage, isBundle) = (.no, .yes)
            case .bundleOnAndroid: (isPackage, isBundle) = (!isAndroid, isAndroid)
            }
            let signed =
                (isPackage && has(registration.signature, "app-sig"))
                || (isBundle && has(registration.signature, "app-id-sig"))
            return .conjunction([
                signed, registration.package.map { has($0, "appid") } ?? .yes,
                registration.matchedVersions.map { .disjunction($0.map { has($0, "app-version") }) } ?? .yes,
                registration.libraryID.map { isAbsent("sdkid") || has($0, "sdkid") } ?? .yes,
                registration.expiry.map { !isLate($0) } ?? .yes,
            ])
        }

        private func has(_ value: String, _ key: String) -> Formula {
            guard let attribute = space.attribute(named: key), let number = space.classNumber(of: value, key: key)
            else { return .no }
            return record.classes[attribute][number]
        }

        private func isAbsent(_ key: String) -> Formula {
            space.attribute(named: key).map { record.values[$0][0] } ?? .yes
        }

        private func isLate(_ expiry: Instant) -> Formula {
            space.expiries.firstIndex(of: expiry).map { record.isLate[$0] } ?? .no
        }
    }
}
