internal import Glibc

/// Descriptors 0, 1 and 2, which the parent process may have closed (`>&-`). The next opened file would then get their
/// numbers, and receive what is printed.
package enum StandardDescriptors {
    /// Opens the closed ones: reads and writes of them have no effect. Call it before any other file is opened.
    package static func open() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is this one. Without /dev/null, as in some containers, use a folder, which cannot
            // be written.
            if unsafe Glibc.open("/dev/null", O_RDWR) == -1 { _ = unsafe Glibc.open("/", O_RDONLY | O_DIRECTORY) }
        }
    }
}
