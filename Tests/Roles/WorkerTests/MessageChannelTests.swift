import Foundation
import Glibc
import RenderHost
import Synchronization
import Testing

@Suite struct MessageChannelTests {
    @Test("Waiting for a message that comes byte by byte ends in time, and received bytes are kept")
    func slowMessage() throws {
        let (ours, theirs) = try #require(MessageChannel.pair())
        var channel = MessageChannel(owning: ours)
        let isAwaited = Mutex(true)
        Thread {
            for byte in [0, 4, 0, 0] + [UInt8](repeating: 7, count: 1024) {
                _ = withUnsafeBytes(of: byte) { send(theirs, $0.baseAddress, 1, Int32(MSG_NOSIGNAL)) }
                if isAwaited.withLock({ $0 }) { usleep(20_000) }
            }
            close(theirs)
        }.start()
        let isNothing = channel.receive(milliseconds: 200, limit: 1 << 20) == .nothingYet
        #expect(isNothing)
        isAwaited.withLock { $0 = false }
        let isWhole =
            channel.receive(milliseconds: 60_000, limit: 1 << 20) == .message([UInt8](repeating: 7, count: 1024))
        #expect(isWhole)
        #expect(channel.receive(milliseconds: -1, limit: 1 << 20) == .ended)
    }

    @Test("Open files come with their message, and each only once")
    func descriptors() throws {
        let (ours, theirs) = try #require(MessageChannel.pair())
        var channel = MessageChannel(owning: ours)
        let other = MessageChannel(owning: theirs)
        var pipes: [Int32] = [-1, -1]
        #expect(pipe(&pipes) == 0)
        defer { close(pipes[0]) }
        // More than one read's worth, and little enough for the socket to accept at once.
        let isSent = other.send([UInt8](repeating: 1, count: 100_000), with: [pipes[1], pipes[1]]) && other.send([2])
        #expect(isSent)
        close(pipes[1])
        let first = channel.receive(milliseconds: 60_000, limit: 1 << 20)
        #expect(first == .message([UInt8](repeating: 1, count: 100_000)))
        let received = channel.takeDescriptors()
        let none = channel.takeDescriptors()
        #expect(received.count == 2 && none.isEmpty)
        #expect(channel.receive(milliseconds: 60_000, limit: 1 << 20) == .message([2]))
        // The other end of the pipe shows when the last copy is closed.
        for descriptor in received {
            #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
            close(descriptor)
        }
        var byte: UInt8 = 0
        #expect(read(pipes[0], &byte, 1) == 0)
    }

    @Test("Unclaimed files are closed with the channel")
    func unwanted() throws {
        let (ours, theirs) = try #require(MessageChannel.pair())
        var pipes: [Int32] = [-1, -1]
        #expect(pipe(&pipes) == 0)
        defer { close(pipes[0]) }
        do {
            var channel = MessageChannel(owning: ours)
            let other = MessageChannel(owning: theirs)
            let isSent = other.send([1], with: [pipes[1]])
            #expect(isSent)
            close(pipes[1])
            #expect(channel.receive(milliseconds: 60_000, limit: 1 << 20) == .message([1]))
        }
        var byte: UInt8 = 0
        #expect(read(pipes[0], &byte, 1) == 0)
    }
}
