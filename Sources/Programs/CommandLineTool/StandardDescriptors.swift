internal import Glibc

/// Descriptors 0, 1 and 2. Who starts a program may have closed them (`>&-`). The next file that is opened would get their
/// number, and what is printed would be written into it.
package enum StandardDescriptors {
    /// Opens those that are closed: nothing can be read from them, and what is written is gone. Before any other file is opened.
    package static func open() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is this one. Without devices, as in some containers, a folder takes it: it cannot be written.
            if unsafe Glibc.open("/dev/null", O_RDWR) == -1 { _ = unsafe Glibc.open("/", O_RDONLY | O_DIRECTORY) }
        }
    }
}
