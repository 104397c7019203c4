/*
 * Calls the C ABI wrongly, and from several threads. C99 and C++17 compile it. It prints nothing if everything is
 * right.
 */
#include <account_service_client.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS "{\"api\": \"http://127.0.0.1:9\", \"product_id\": 4, \"timeout\": 2, \"key\": \"lic_example\"}"

static int failed = 0;

static void expect(char *answer, const char *path, const char *wanted) {
  char *found = asc_member(answer, path);
  if (strcmp(found ? found : "none", wanted) != 0) {
    failed = 1;
    printf("%s is %s, not %s, in %s\n", path, found ? found : "none", wanted, answer ? answer : "none");
  }
  asc_free(found);
  asc_free(answer);
}

static void is_wrong(char *answer) { expect(answer, "error.code", "bad_argument"); }

static void on_log(const char *line, void *context) {
  if (strstr(line, "/api/license/check") && !strstr(line, "lic_example")) *(int *)context = 1;
}

static void *check(void *client) {
  expect(asc_check(*(asc_client *)client), "ok.error.code", "unreachable");
  return NULL;
}

int main(void) {
  const char *wrong[] = {NULL, "", "[]", "{}", "\xff", "{\"api\": \"x\", \"product_id\": 4, \"tiemout\": 1}",
                         "{\"api\": \"x\", \"product_id\": 4, \"timeout\": -1}"};
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
    char *error = NULL;
    if (asc_open(wrong[n], NULL, NULL, &error) != 0) failed = 1;
    is_wrong(error);
  }
  if (asc_open(NULL, NULL, NULL, NULL) != 0 || asc_abi_version() != ASC_ABI_VERSION) failed = 1;
  char *error = (char *)&failed;
  int logged = 0;
  asc_client client = asc_open(OPTIONS, on_log, &logged, &error);
  if (client == 0 || error != NULL) failed = 1;
  is_wrong(asc_activate(client, NULL));
  is_wrong(asc_activate(client, "\xc3\x28"));
  is_wrong(asc_activate_offline(client, NULL));
  is_wrong(asc_lease(client, "{\"borrow_days\": -1}", NULL, NULL));
  if (asc_has(client, NULL) || asc_has(client, "export")) failed = 1;
  is_wrong(asc_updates(client, "{\"chanel\": 1}"));
  is_wrong(asc_install(client, NULL, NULL, NULL, NULL));
  is_wrong(asc_sign_in(client, "cli", NULL, NULL, NULL));
  expect(asc_activate(client, "no key"), "ok.error.code", "not_a_key");
  expect(asc_activate_offline(client, "{}"), "ok.error.code", "no_keys");
  expect(asc_release(client), "error.code", "unreachable");
  expect(asc_start_trial(client), "ok.error.code", "unreachable");
  expect(asc_lease(client, NULL, NULL, NULL), "ok.error.code", "unreachable");
  expect(asc_end_lease(client), "ok.state", "unknown");
  expect(asc_status(client), "ok.state", "unknown");
  expect(NULL, "ok", "none");
  pthread_t threads[20];
  for (int n = 0; n < 20; n++) pthread_create(&threads[n], NULL, check, &client);
  for (int n = 0; n < 20; n++) pthread_join(threads[n], NULL);
  if (!logged || asc_may_run(client)) failed = 1;
  asc_close(client);
  asc_close(client);
  is_wrong(asc_status(client));
  is_wrong(asc_check(0));
  asc_free(NULL);
  return failed || asc_may_run(client);
}
