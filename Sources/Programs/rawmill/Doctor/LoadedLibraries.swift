import Archives
import Compression
import Database
import Digest
import HTTPClient
import JSON
import KafkaBroker
import PostgreSQL
import Processes
import Records
import Sandbox
import Settings
import Web

extension LoadedLibrary {
    /// Those of this program. The render program has the libraries for pictures.
    static var ofThisProgram: [LoadedLibrary] {
        all([
            ("Jansson", JSONLibrary.version, "libjansson"),
            ("Lensfun", nil, "liblensfun"), ("libarchive", ArchiveLibrary.version, "libarchive"),
            ("libcurl", HTTPClientLibrary.version, "libcurl"), ("libdeflate", nil, "libdeflate"),
            ("libmicrohttpd", WebLibrary.version, "libmicrohttpd"), ("libpq", PostgreSQLLibrary.version, "libpq"),
            ("librdkafka", KafkaLibrary.version, "librdkafka"),
            ("libseccomp", SystemCallFilterLibrary.version, "libseccomp"),
            ("libyaml", YAMLLibrary.version, "libyaml-0"), ("OpenSSL", OpenSSLLibrary.version, "libcrypto"),
            ("protobuf-c", MessageLibrary.version, "libprotobuf-c"), ("SQLite", SQLiteLibrary.version, "libsqlite3"),
            ("zlib", DeflateLibrary.version, "libz"),
        ])
    }
}
