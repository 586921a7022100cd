/// What code that took over a render process would try.
#pragma once

/// Where the attacks aim.
struct rawmill_target {
    /// A file of somebody's, which can be read and written as far as its rights go.
    const char *file;
    /// The folder that it is in.
    const char *folder;
    /// The process that started this one.
    int parent;
    /// An address in that process.
    const void *secret;
    /// A port on this machine at which a program listens.
    int port;
    /// A file that is open for writing.
    int descriptor;
};

/// How many attacks there are.
extern const int rawmill_attack_count;

/// An attack's name; null beyond the last.
const char *rawmill_attack_name(int index);

/// Makes an attack. Returns 0 if it worked, the error number if it was refused, or -1 if there is none of that name. It does not
/// return if the kernel ends the process for it.
int rawmill_attack(const char *name, const struct rawmill_target *target);

/// A file without a name, open for writing, as a render process gets one. Returns its descriptor.
int rawmill_given_file(const char *folder);
