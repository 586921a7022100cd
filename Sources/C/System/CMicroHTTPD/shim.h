#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* Swift cannot call variadic functions.

   MHD_OPTION_LISTENING_ADDRESS_REUSE is left unset, which sets SO_REUSEADDR: connections of a former process on this
   port do not prevent listening, but a live listener does. 0 would set nothing, and 1 would set SO_REUSEPORT, which lets
   two programs share the port. */

struct rawmill_http_settings {
    unsigned int flags;
    /* 0 for one thread per connection. */
    unsigned int threads;
    unsigned int connections;
    unsigned int idle_seconds;
    size_t memory_bytes;
    /* PEM; NULL for no TLS. */
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

/* Sets the idle timeout of a connection; 0 for none. */
static inline void rawmill_http_set_timeout(struct MHD_Connection *connection, unsigned int seconds)
{
    (void)MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/* The bound port; 0 if unknown. */
static inline unsigned int rawmill_http_port(struct MHD_Daemon *daemon)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}

/* The socket of a connection; -1 if unknown. */
static inline int rawmill_http_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}
