import Testing

@testable import PhotoTree

@Suite("Photos that are named together")
struct LinkGroupTests {
    @Test("A group leaves three quarters of the open file limit to others, and is never empty")
    func room() {
        #expect([0, 1, 3, 4, 128, 1024, 8192, .max].map(LinkUpdater.groupSize) == [1, 1, 1, 1, 32, 256, 1024, 1024])
    }
}
