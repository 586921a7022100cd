import ExternalTools
import Foundation
import Jobs
import Testing

@Suite("Failures.md") struct FailureDocumentTests {
    static let document = Checkout.folder
        .appending(path: "Sources/Programs/rawmill/Documentation.docc/Guide/Failures.md")

    static func row(_ reason: FailureReason) -> String {
        let verdict =
            switch reason.verdict {
            case .reject: "ends the job"
            case .retry: "tried again"
            case .stop: "stops the work"
            }
        return "| `\(reason.rawValue)` | \(verdict) | \(reason.remedy) |"
    }

    @Test("The document has a row for every failure reason, and no other")
    func rows() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(rows == FailureReason.allCases.map(Self.row))
    }
}
