#include <jansson.h>

/* A macro that Swift does not import. */
static inline json_t *rawmill_json_parse(const char *bytes, size_t count, json_error_t *error)
{
    return json_loadb(bytes, count, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, error);
}

static inline void rawmill_json_release(json_t *value) { json_decref(value); }

static inline int rawmill_json_kind(const json_t *value) { return (int)json_typeof(value); }
