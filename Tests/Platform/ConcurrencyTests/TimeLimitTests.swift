import Concurrency
import Testing

struct TimeLimitTests {
    @Test("Work that takes too long is cancelled, other work is not")
    func limit() async throws {
        #expect(try await withTimeLimit(.seconds(60)) { 3 } == 3)
        await #expect(throws: CancellationError.self) {
            try await withTimeLimit(.milliseconds(1)) { try await Task.sleep(for: .seconds(60)) }
        }
    }

    @Test("Cancelling the caller cancels the work")
    func cancellation() async {
        let caller = Task { try await withTimeLimit(.seconds(60)) { try await Task.sleep(for: .seconds(60)) } }
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
    }
}
