/*
 * License checks, also offline, updates and installs for one product of an account service on one device.
 *
 * Texts are UTF-8 and end with a zero byte. Functions that return `char *` return JSON: {"ok": VALUE}, or {"error":
 * {"status": HTTP STATUS OR null, "code": TEXT, "message": TEXT, "retry_after": SECONDS OR null}}. Free each such text
 * by `asc_free`, never by `free`. A null pointer, a text that is not UTF-8, invalid JSON and a client that is not open
 * give the code "bad_argument".
 *
 * Threads may share a client, and one may close it while others call. Calls block, for at most `timeout`, except
 * `asc_sign_in` and `asc_install`. Your functions are called in the thread that calls the library, and `log` and
 * `on_lost` also in the one that renews a lease; they must return, not throw or jump. `context` is passed back to them.
 */
#ifndef ACCOUNT_SERVICE_CLIENT_H
#define ACCOUNT_SERVICE_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. Compare it with `asc_abi_version`. Later versions add functions and change none. */
#define ASC_ABI_VERSION 2
uint32_t asc_abi_version(void);

/* A handle; 0 means none. */
typedef uint64_t asc_client;

/* A line of text for the log of the application. It must not call the library. */
typedef void (*asc_on_log)(const char *line, void *context);
/*
 * JSON with the fields that the buyer needs in a browser ("user_code", "verification_uri",
 * "verification_uri_complete").
 */
typedef void (*asc_on_code)(const char *code, void *context);
/* The status as JSON, once the application may not run any more because its lease is lost. */
typedef void (*asc_on_lost)(const char *status, void *context);
/* The number of bytes received, and in total. A nonzero result cancels. It is called at least ten times a second. */
typedef int (*asc_on_progress)(uint64_t received, uint64_t total, void *context);

/*
 * Opens a client. `options` is JSON: "api" and "product_id", and optionally "folder" (the storage; without it the
 * client remembers nothing after its end), "keys" (the pinned content of the shop's /.well-known/jwks.json),
 * "app_version", "key", "device_id", "device_name", "issuer", "language" ("en" or "ko") and "timeout" (seconds). `log`
 * and `error` may be null. On failure it returns 0, and *error is a JSON answer with "error"; otherwise *error is null.
 */
asc_client asc_open(const char *options, asc_on_log log, void *context, char **error);
/* Closes a client, and ends the renewal of its lease without giving it back. Closing one twice, or 0, does nothing. */
void asc_close(asc_client client);
/* Frees a text from this library; null does nothing. */
void asc_free(char *text);

/* True if the remembered license lets the application run. Uses no network. */
bool asc_may_run(asc_client client);
/* True if the application may run and its license has this feature. Uses no network. */
bool asc_has(asc_client client, const char *feature);
/*
 * A field of an answer by its path, such as "ok.state" or "error.message": its text, or its JSON if it is not a text;
 * null if there is none.
 */
char *asc_member(const char *answer, const char *path);

/*
 * These return the status: "state", "may_run", "code", "message", "runs_until", "edition", "features", "metadata",
 * "days_left" (of a trial), "check_due", "error" and so on.
 * They fail only for a bad argument: without an answer from the server, the status is the previous one, with
 * "ok.error".
 */
char *asc_status(asc_client client);
char *asc_check(asc_client client);
char *asc_activate(asc_client client, const char *key);
char *asc_activate_offline(asc_client client, const char *file);
/* Starts the trial of this device, without a key. Does nothing while a license runs. */
char *asc_start_trial(asc_client client);
/*
 * Takes a slot of a floating license, and renews it in the background. `options` is null or JSON: "borrow_days" holds
 * the slot for so many days, in which the application may run offline. `on_lost` may be null.
 */
char *asc_lease(asc_client client, const char *options, asc_on_lost on_lost, void *context);
/* Gives the slot of a lease back, unless it is borrowed. Call it at exit, before `asc_close`. */
char *asc_end_lease(asc_client client);

/* The text of a request for a machine that is never online. */
char *asc_offline_request(asc_client client);
/* Releases this device's slot, unless it is borrowed, and forgets the license. */
char *asc_release(asc_client client);
/* The signed policy of the shop, or null. */
char *asc_policy(asc_client client);
/* The newest release. `choice` is null or JSON: "channel", "platform", "release" (an id). */
char *asc_updates(asc_client client, const char *choice);
/* Downloads a release to the path `to`. `choice` and `on_progress` may be null. */
char *asc_install(asc_client client, const char *to, const char *choice, asc_on_progress on_progress, void *context);
/*
 * Signs in by a code. Returns once the buyer has decided, the code has expired, or another thread has closed the
 * client. `device_name` may be null.
 */
char *asc_sign_in(asc_client client, const char *client_id, const char *device_name, asc_on_code on_code,
                  void *context);

#ifdef __cplusplus
}
#endif

#endif
