internal import Foundation
public import Testing

/// What a test needs beyond Swift. Where it is missing the test is skipped, and the report says why; in the continuous
/// integration nothing is skipped, so the test runs and fails.
public enum Requirement: Sendable {
    /// A program that Debian installs.
    case program(String)
    /// `shared/raw`, RAW files of real cameras.
    case realFiles
    /// `shared/kafka`, and the Java that runs it.
    case kafka
    /// What `Deploy/build-levels` makes: the render programs for the processor levels.
    case levelBuilds

    /// Whether the continuous integration runs the tests.
    public static let isCI = ProcessInfo.processInfo.environment["CI"] != nil

    /// Why the test cannot run here; nil where it can.
    public var obstacle: String? {
        switch self {
        case .program(let name):
            ExternalTool.path(of: name) == nil
                ? "\(name) is not installed; Deploy/install-dependencies --tests installs it" : nil
        case .realFiles: Self.isThere("raw", in: Checkout.shared, "real RAW files")
        case .kafka: Self.isThere("kafka/kafka", in: Checkout.shared, "Kafka") ?? Requirement.program("java").obstacle
        case .levelBuilds:
            Self.isThere(
                ".build/rawmill/libexec/rawmill", in: Checkout.folder, "render programs; run Deploy/build-levels")
        }
    }

    private static func isThere(_ path: String, in folder: URL, _ what: String) -> String? {
        let path = folder.appending(path: path).path
        return FileManager.default.fileExists(atPath: path) ? nil : "\(path) is missing: no \(what)"
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, with the reason in the report, where what it needs is missing. In CI the test runs all the same, and
    /// fails.
    public static func needs(_ requirement: Requirement) -> Self {
        let obstacle = requirement.obstacle
        return .enabled(if: obstacle == nil || Requirement.isCI, "\(obstacle ?? "")")
    }
}
