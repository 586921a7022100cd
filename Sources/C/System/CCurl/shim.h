#include <curl/curl.h>
#include <stdbool.h>

/* Swift cannot call variadic functions. */

typedef size_t (*rawmill_web_sink)(char *, size_t, size_t, void *);

struct rawmill_web_request {
    const char *method, *url;
    struct curl_slist *headers;
    /* Form and body may be NULL. */
    curl_mime *form;
    const char *body;
    size_t body_bytes;
    /* PEM file with CA certificates; NULL for the system's. */
    const char *authorities;
    long connect_seconds, silence_seconds;
    /* Ignores the environment's proxy. */
    bool ignores_proxy;
    /* Receives the response. */
    rawmill_web_sink sink;
    void *context;
    /* CURL_ERROR_SIZE bytes for an error message. */
    char *problem;
};

/* For example "7.88.1". */
static inline const char *rawmill_web_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }

/* Sends a request and waits for the whole response. Does not follow redirects: the headers may hold a secret. */
static inline CURLcode rawmill_web_send(CURL *handle, const struct rawmill_web_request *request, long *status)
{
    curl_easy_reset(handle);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, request->problem);
    curl_easy_setopt(handle, CURLOPT_URL, request->url);
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->method);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, request->headers);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, request->connect_seconds);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, request->silence_seconds);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, request->sink);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, request->context);
    if (request->ignores_proxy)
        curl_easy_setopt(handle, CURLOPT_PROXY, "");
    if (request->authorities != NULL)
        curl_easy_setopt(handle, CURLOPT_CAINFO, request->authorities);
    if (request->form != NULL) {
        curl_easy_setopt(handle, CURLOPT_MIMEPOST, request->form);
    } else if (request->body != NULL) {
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_bytes);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request->body);
    }
    CURLcode result = curl_easy_perform(handle);
    *status = 0;
    if (result == CURLE_OK)
        (void)curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, status);
    return result;
}
