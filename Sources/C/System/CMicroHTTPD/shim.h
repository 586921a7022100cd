#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* Swift calls no variadic functions: these say for it which options there are.

   MHD_OPTION_LISTENING_ADDRESS_REUSE is not among them: without it the library sets SO_REUSEADDR, so that connections
   that a former process of this port left behind do not stop this process from listening; a live listener still does. With 0 it sets
   nothing; with 1 it sets SO_REUSEPORT, and two programs would share the port. */

struct rawmill_http_settings {
    unsigned int flags;
    /* 0 gives each connection a thread of its own. */
    unsigned int threads;
    unsigned int connections;
    unsigned int idle_seconds;
    size_t memory_bytes;
    /* In PEM; NULL for no TLS. */
    const char *key, *certificate;
};

static inline struct MHD_Daemon *rawmill_http_start(
    struct rawmill_http_settings settings, MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback guest, void *context, const struct sockaddr *address)
{
    struct MHD_OptionItem options[] = {
        { MHD_OPTION_CONNECTION_LIMIT, settings.connections, NULL },
        { MHD_OPTION_CONNECTION_TIMEOUT, settings.idle_seconds, NULL },
        { MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings.memory_bytes, NULL },
        { MHD_OPTION_END, 0, NULL },
        { MHD_OPTION_END, 0, NULL },
        { MHD_OPTION_END, 0, NULL },
        { MHD_OPTION_END, 0, NULL },
    };
    int count = 3;
    if (settings.threads > 0)
        options[count++] = (struct MHD_OptionItem){ MHD_OPTION_THREAD_POOL_SIZE, settings.threads, NULL };
    if (settings.key != NULL && settings.certificate != NULL) {
        options[count++] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings.key };
        options[count++] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings.certificate };
    }
    return MHD_start_daemon(
        settings.flags, 0, NULL, NULL, handler, context,
        MHD_OPTION_SOCK_ADDR, address,
        MHD_OPTION_NOTIFY_CONNECTION, guest, context,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_ARRAY, options,
        MHD_OPTION_END);
}

/* Sets after how many seconds of silence a connection is closed; 0 for never. */
static inline void rawmill_http_set_timeout(struct MHD_Connection *connection, unsigned int seconds)
{
    (void)MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/* The port that was bound; 0 where that cannot be known. */
static inline unsigned int rawmill_http_port(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/* The socket of a connection; -1 where that cannot be known. */
static inline int rawmill_http_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}
