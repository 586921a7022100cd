import Testing

@testable import Library

@Suite("Photos that get their names together")
struct LinkGroupTests {
    @Test("They leave three quarters of the files that the process may have open to others, and are never none")
    func room() {
        #expect([0, 1, 3, 4, 128, 1024, 8192, .max].map(LinkUpdater.groupSize) == [1, 1, 1, 1, 32, 256, 1024, 1024])
    }
}
