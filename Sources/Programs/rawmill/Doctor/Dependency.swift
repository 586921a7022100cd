import Archives
import Compression
import Database
import Decode
import Digest
import Encode
import HTTPClient
import JSON
import KafkaBroker
import PostgreSQL
import Processes
import Records
import Sandbox
import Settings
import Web

/// A library that the program was loaded with.
struct Dependency {
    let name: String
    /// Nil where the library does not tell its version.
    let version: String?
    /// Where it was loaded from; nil where the system does not tell.
    let file: String?

    /// All of them, by name.
    static var all: [Dependency] {
        let files = OperatingSystem.loadedLibraries
        return [
            ("Exempi", nil, "libexempi"), ("Highway", nil, "libhwy"), ("Jansson", JSONLibrary.version, "libjansson"),
            ("Lensfun", nil, "liblensfun"),
            ("libarchive", ArchiveLibrary.version, "libarchive"),
            ("libavif", AVIFLibrary.version, "libavif"), ("libcurl", HTTPClientLibrary.version, "libcurl"),
            ("libdeflate", nil, "libdeflate"),
            ("libjpeg-turbo", nil, "libturbojpeg"),
            ("libjxl", JXLLibrary.version, "libjxl"), ("libjxl's threads", nil, "libjxl_threads"),
            ("libmicrohttpd", WebLibrary.version, "libmicrohttpd"), ("libpq", PostgreSQLLibrary.version, "libpq"),
            ("LibRaw", RawLibrary.version, "libraw_r"),
            ("librdkafka", KafkaLibrary.version, "librdkafka"),
            ("libseccomp", SystemCallFilterLibrary.version, "libseccomp"),
            ("libyaml", YAMLLibrary.version, "libyaml-0"),
            ("Little CMS", ProfileLibrary.version, "liblcms2"), ("OpenSSL", OpenSSLLibrary.version, "libcrypto"),
            ("protobuf-c", MessageLibrary.version, "libprotobuf-c"), ("SQLite", SQLiteLibrary.version, "libsqlite3"),
            ("zlib", DeflateLibrary.version, "libz"),
        ].map { (name: String, version: String?, file: String) in
            let path = files.first { $0.split(separator: "/").last?.hasPrefix("\(file).so") == true }
            return Dependency(name: name, version: version, file: path)
        }
    }
}
