internal import Mounts

/// The control groups of a process, cgroups(7), whose limits apply to it.
///
/// A process belongs to one group in each hierarchy: version 2 has a single hierarchy, version 1 has one for each
/// controller, and a machine may have both. A group's limits apply to all groups below it, so every folder from the
/// process's own group up to the mount's top counts.
struct ControlGroups {
    private let memberships: [Membership]
    private let mounts: [Hierarchy]

    /// - Parameters:
    ///   - membership: content of `/proc/self/cgroup`.
    ///   - mounts: content of `/proc/self/mountinfo`.
    init(membership: String, mounts: String) {
        memberships = membership.split(separator: "\n").compactMap { Membership($0) }
        self.mounts = mounts.split(separator: "\n").compactMap { Hierarchy($0) }
    }

    /// The folders whose limits for a controller apply to the process, its own group first.
    ///
    /// - Parameter controller: `cpu`, `memory`, …; nil for version 2, which has a single hierarchy.
    func folders(controller: String?) -> [String] {
        guard let group = memberships.first(where: { $0.has(controller) }) else { return [] }
        let candidates = mounts.filter { $0.has(controller) }
        // A mount may show only part of the hierarchy. In a container with its own mount but the host's group names, no
        // mount matches; the group is then at the mount's top, if it is visible at all.
        guard let mount = candidates.first(where: { $0.relative(group.path) != nil }) ?? candidates.first else {
            return []
        }
        var names = (mount.relative(group.path) ?? "").split(separator: "/")
        var folders: [String] = []
        while true {
            folders.append(([mount.point] + names.map(String.init)).joined(separator: "/"))
            guard names.popLast() != nil else { return folders }
        }
    }

    /// A line of `/proc/self/cgroup`: `4:memory:/user/session`, and in version 2 `0::/user/session`.
    private struct Membership {
        private let controllers: [Substring]
        let path: Substring

        init?(_ line: Substring) {
            // The path comes last and may contain colons.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[2].hasPrefix("/") else { return nil }
            controllers = fields[1].split(separator: ",")
            path = fields[2]
        }

        func has(_ controller: String?) -> Bool {
            controller.map { name in controllers.contains { $0 == name } } ?? controllers.isEmpty
        }
    }

    private struct Hierarchy {
        private let root: String
        /// Mount point, without trailing slash.
        let point: String
        /// Nil for version 2.
        private let controllers: [String]?

        init?(_ line: Substring) {
            guard let mount = Mount(line) else { return nil }
            switch mount.kind {
            case "cgroup": controllers = mount.fileSystemOptions
            case "cgroup2": controllers = nil
            default: return nil
            }
            root = mount.root
            let point = String(decoding: mount.path, as: UTF8.self)
            self.point = point == "/" ? "" : point
        }

        func has(_ controller: String?) -> Bool {
            switch (controllers, controller) {
            case (nil, nil): true
            case (let controllers?, let controller?): controllers.contains { $0 == controller }
            default: false
            }
        }

        /// A group's path below the mount; nil if it lies outside.
        func relative(_ path: Substring) -> Substring? {
            // A group outside the process's namespace has a path with `..`.
            guard !path.split(separator: "/").contains("..") else { return nil }
            if root == "/" { return path }
            guard path.hasPrefix(root) else { return nil }
            let rest = path.dropFirst(root.count)
            return rest.isEmpty || rest.hasPrefix("/") ? rest : nil
        }
    }
}
