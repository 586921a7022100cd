import Concurrency
import Testing

struct BackoffTests {
    @Test("Delays double up to the maximum, and start again after a reset")
    func doubling() {
        var backoff = Backoff(initial: .milliseconds(250), max: .seconds(1))
        #expect(
            (0..<4).map { _ in backoff.nextDelay() } == [
                .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(1),
            ])
        backoff.reset()
        #expect(backoff.nextDelay() == .milliseconds(250))
    }

    @Test(
        "The delay after a number of failures equals that after as many attempts",
        arguments: [(-1, 1), (0, 1), (1, 1), (2, 2), (5, 16), (6, 32), (7, 32), (.max, 32)])
    func counted(failures: Int, seconds: Int) {
        #expect(Backoff(initial: .seconds(1), max: .seconds(32)).delay(afterFailures: failures) == .seconds(seconds))
    }

    @Test("A maximum below the initial delay limits it, and a zero delay stays zero")
    func limits() {
        var short = Backoff(initial: .seconds(5), max: .seconds(2))
        #expect(short.nextDelay() == .seconds(2))
        #expect(Backoff(initial: .zero, max: .seconds(1)).delay(afterFailures: .max) == .zero)
    }
}
