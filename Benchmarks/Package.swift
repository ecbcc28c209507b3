// swift-tools-version: 6.2

import PackageDescription

/// The rules of the main package, for the benchmarks too.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "benchmarks",
    // Named, so that the folder of the checkout may have any name.
    dependencies: [.package(name: "policy-engine", path: "..")],
    targets: [
        .target(name: "CAllocations"),
        .executableTarget(
            name: "decisions",
            dependencies: ["CAllocations", .product(name: "PolicyEngine", package: "policy-engine")],
            swiftSettings: strict
        ),
    ]
)
