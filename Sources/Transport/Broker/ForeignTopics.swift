extension Transport {
    /// Claims the topics for the library in a folder. Throws `BrokerError.broken` if they belong to another library.
    public func claim(for library: String, in folder: String, identityFile: String) async throws {
        let owner = try await claim(for: library)
        if owner != library { throw BrokerError.foreign(owner: owner, library: library, folder, identityFile) }
    }
}

extension BrokerError {
    /// The error for topics that belong to another library than the role's.
    public static func foreign(
        owner: String, library: String, _ folder: String, _ identityFile: String
    ) -> BrokerError {
        .broken(
            """
            the cluster's topics belong to the library \(owner), but \(folder) is the library \(library). Mount the \
            right folder, give all roles of this library another --cluster-name, or, if it was restored without its \
            hidden folder, write \(owner) into \(folder)/\(identityFile).
            """)
    }
}
