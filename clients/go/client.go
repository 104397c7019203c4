// Package accountservice is a client of the account service: license checks, also offline, updates and installs of one
// product on one device.
package accountservice

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"
)

// Options of a client. API and ProductID are required.
type Options struct {
	API        string       // The address of the API host, such as https://api.example.com.
	ProductID  int64        // The id of the product.
	Key        string       // An API key or license key. By default, the key of SignIn or Activate.
	AppVersion string       // The version of the application, to check against the update window.
	DeviceID   string       // The id of this installation; by default, a random one that is remembered.
	DeviceName *string      // The name of this device in the buyer's list; by default the host name, none where it is empty.
	Store      Store        // The storage; memory by default.
	Issuer     string       // The iss of the shop's tokens; by default API.
	Language   string       // en or ko, for the server's sentences.
	Log        func(string) // Receives a line for each request and each fault of the store; never a key, token or body.
	// Pinned keys: no other key is trusted. Without them, anybody who edits the store can sign their own license.
	Keys      []Key
	Timeout   time.Duration       // The timeout of a call, or of the next piece of a download; 15 s by default.
	Transport http.RoundTripper   // http.DefaultTransport by default, which reads HTTPS_PROXY and NO_PROXY.
	Now       func() time.Time    // The clock, for tests.
	Sleep     func(time.Duration) // The pause before a retry, for tests.
}

// Client checks the license of one product on one device. Goroutines may share it.
type Client struct {
	options        Options
	http           *http.Client
	scope, product string                // The ends of the names of this shop's texts, and of this product's.
	turn           chan struct{}         // Holds one token, for a call that changes the license.
	unkept         sync.Map              // The texts that the store failed to save.
	fault          atomic.Pointer[Error] // The last error of the store.
	held           atomic.Pointer[lease]

	mu     sync.Mutex // Guards the creation of an id, the clock, and the end of the renewal in the background.
	clock  string     // The clock's text as last written by this process, and its time by the monotonic clock.
	ticked time.Time
	at     float64 // The time of the last status.
	stop   context.CancelFunc
}

var (
	unscoped = regexp.MustCompile(`[^a-z0-9.-]`)
	pasted   = regexp.MustCompile(`^[A-Za-z0-9._~+/=-]{8,255}$`)
	// filler matches characters that mails and pages insert into or around a key.
	filler = regexp.MustCompile("[\\s\\x{85}\\p{Z}\\p{Cf}\"'`<>“”„‟‘’‚‛«»‹›]+")
)

// New creates a client.
func New(options Options) *Client {
	options.API = strings.TrimRight(options.API, "/")
	options.Issuer = cmp.Or(options.Issuer, options.API)
	options.Timeout = cmp.Or(options.Timeout, 15*time.Second)
	if options.Store == nil {
		options.Store = MemoryStore()
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	name, _ := os.Hostname()
	if options.DeviceName != nil {
		name = *options.DeviceName
	}
	name = string([]rune(name)[:min(100, utf8.RuneCountInString(name))])
	options.DeviceName = &name
	// A key is only sent to the address that the application configured.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	host := strings.ToLower(options.API[strings.Index(options.API, "://")+1:])
	return &Client{
		options: options, http: &http.Client{CheckRedirect: stay, Transport: options.Transport},
		scope:   "." + unscoped.ReplaceAllString(strings.TrimLeft(host, ":/"), "_"),
		product: "-" + strconv.FormatInt(options.ProductID, 10), turn: make(chan struct{}, 1),
	}
}

// Status returns the remembered license. It uses no network, and never fails.
func (c *Client) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, least, deviceID := c.now(), 0.0, c.knownDevice()
	kept := c.load("answer" + c.product)
	if held := c.held.Load(); held != nil && kept["refusal"] == nil && textOf(kept["token"]) == "" {
		// Another process gave the shared lease back; this one takes a slot again when it renews.
		kept = maps.Clone(held.answer)
	}
	if refused, _ := kept["refusal"].(object); states[textOf(refused["code"])] == "" {
		delete(kept, "refusal")
	}
	shop, keys := c.trusted()
	policy, token := policyOf(shop["policy"], keys), c.claimsOf(kept["token"], keys)
	if deviceID = cmp.Or(deviceID, textOf(token["device_id"])); token["device_id"] != deviceID || kept["refusal"] != nil {
		token = nil
	}
	if policy != nil {
		least = secondsOf(*policy.SignedAt)
	}
	if token != nil {
		least = max(least, token["iat"].(float64))
	}
	if text := c.get("clock" + c.product); text != c.clock {
		c.clock, c.ticked = text, time.Now()
	}
	at, isDue := ticked(parse([]byte(c.clock)), now, math.Floor(time.Since(c.ticked).Seconds()), least)
	if isDue {
		c.keepClock(at)
	}
	c.at = at
	return c.judge(kept, token, policy, deviceID, at, now)
}

// Check asks the server, remembers its answer, and returns the status. It takes a slot if this device has none. Without
// an answer, the status is the previous one, with Error.
func (c *Client) Check(ctx context.Context) Status { return c.renew(ctx, false) }

// Activate asks the server with a pasted key, and stores the key once the server accepts it. If the key is refused
// while the present license may run, nothing changes, and Error has the refusal. Without a key, Activate is Check.
// After device_shared, it makes this machine a new device.
func (c *Client) Activate(ctx context.Context, key ...string) Status {
	return c.renew(ctx, true, key...)
}

func (c *Client) renew(ctx context.Context, isNew bool, given ...string) Status {
	ctx, end := c.begin(ctx)
	defer end()
	return c.withError(c.askAgain(ctx, isNew, given...))
}

// askAgain asks with a pasted key; without one, it renews the lease or the trial if there is one.
func (c *Client) askAgain(ctx context.Context, isNew bool, given ...string) error {
	before, present := c.Status(), c.key()
	key, isPasted := present, len(given) > 0
	if isPasted {
		if key = filler.ReplaceAllString(given[0], ""); !pasted.MatchString(key) {
			return fail("not_a_key", "This is not a license key. Copy the whole key, as the shop shows it.")
		}
	}
	if isNew && before.Code == "device_shared" {
		c.set("device", rand.Text())
	}
	isTrial := !isPasted && (before.State == "trial" || before.Code == "trial_ended")
	if !isPasted && c.leaseID(before) != "" {
		return c.renewLease(ctx, 0)
	}
	if isTrial && key == "" {
		return c.askTrial(ctx)
	}
	said, err := c.ask(ctx, key, checkPath, nil)
	if err == nil && isTrial && said.refusal["code"] == "not_entitled" {
		return c.askTrial(ctx)
	}
	if err == nil && before.MayRun && (key != present || before.State == "trial") {
		err = said.refused()
	}
	// An answer belongs to the key that asked, and another process may have changed the key since.
	if kept := c.key(); err != nil || (kept != present && kept != key) {
		return err
	}
	if key != present {
		c.keep("key", object{"key": key})
	}
	c.take(said)
	_, _ = c.policy(ctx)
	return nil
}

// Release releases this device's slot, unless it is borrowed, and forgets the license. A device that signed in by code
// is signed out.
// isReleased is true if the device held a slot; message is the server's.
func (c *Client) Release(ctx context.Context) (isReleased bool, message string, err error) {
	ctx, end := c.begin(ctx)
	defer end()
	id, err := c.deviceID()
	if err != nil {
		return false, "", err
	}
	path, body := "/api/products/"+c.product[1:]+"/license/device/revoke", object{"device_id": id}
	isSignedIn := c.options.Key == "" && c.load("key")["signed_in"] == true
	if lease := c.leaseID(c.Status()); lease != "" {
		c.stopKeeping(nil)
		// A borrowed slot stays taken, so its token is kept.
		if isReleased, err = c.giveBack(ctx, lease); err != nil || !isSignedIn {
			return isReleased, "", cmp.Or(err, c.faulted())
		}
	}
	if isSignedIn {
		path, body = "/api/cli/device/logout", nil
	}
	got, err := c.call(ctx, "POST", path, body)
	if err != nil {
		return false, "", err
	}
	if isSignedIn {
		c.set("key", "")
	}
	c.set("answer"+c.product, "")
	slots, _ := strconv.Atoi(got.header.Get("X-Released-Slots"))
	return isReleased || slots > 0 || textOf(got.body["released_device_id"]) != "", textOf(got.body["message"]), c.faulted()
}

// Policy fetches the signed policy and remembers it; nil if the shop signs none.
func (c *Client) Policy(ctx context.Context) (*Policy, error) {
	ctx, end := c.begin(ctx)
	defer end()
	return c.policy(ctx)
}

func (c *Client) policy(ctx context.Context) (newest *Policy, err error) {
	got, err := c.call(ctx, "GET", "/api/client-config", nil)
	signature := textOf(got.body["signature"])
	if err != nil || signature == "" {
		return nil, err
	}
	var next *Policy
	err = c.verified(ctx, func(shop object, keys []Key) bool {
		newest, next = policyOf(shop["policy"], keys), policyOf(signature, keys)
		return next != nil
	})
	if err == nil && isLater(newest, next) {
		shop, _ := c.trusted()
		shop["policy"], newest = signature, next
		c.keep("trust"+c.product, shop)
	}
	return newest, err
}

// Choice narrows updates and installs. Platform is this machine's by default; Release is an id.
type Choice struct {
	Channel, Platform string
	Release           int64
}

// Updates returns the newest release for this device: ProductUpdateApiData of the API.
func (c *Client) Updates(ctx context.Context, choice Choice) (map[string]any, error) {
	got, err := c.call(ctx, "GET", c.chosen("/updates", choice, c.options.AppVersion), nil)
	update, _ := got.body["update"].(object)
	return update, err
}

// OfflineRequest returns the file with which the buyer requests a license for a machine that never goes online.
func (c *Client) OfflineRequest() (string, error) {
	_ = c.faulted()
	body, err := c.asked()
	body["perpetual"] = true
	text, _ := json.Marshal(body)
	return string(text), cmp.Or(err, c.faulted())
}

// ActivateOffline reads the answer to OfflineRequest. Its keys must be pinned.
func (c *Client) ActivateOffline(file string) Status {
	_, end := c.begin(context.Background())
	defer end()
	id, err := c.deviceID()
	said := parse([]byte(file))
	// If the file's own keys counted, anybody could sign one.
	_, keys := c.trusted()
	switch {
	case err != nil:
	case len(keys) == 0:
		err = fail("no_keys", "Without a network, the application must bring the keys of its shop.")
	case c.claimsOf(said["token"], keys)["device_id"] != id:
		err = fail("wrong_file", "The file is no answer to a request of this device.")
	default:
		c.remember(object{"token": said["token"]})
		// The file takes the place of a lease, whose renewal would take a slot again.
		c.stopKeeping(nil)
		c.held.Store(nil)
	}
	return c.withError(err)
}

// begin starts a call that changes remembered texts, once the previous one has ended. Waiting counts toward the call's
// deadline.
func (c *Client) begin(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	select {
	case c.turn <- struct{}{}:
		_ = c.faulted()
		return ctx, func() { <-c.turn; cancel() }
	case <-ctx.Done():
		return ctx, cancel
	}
}

// withError returns the status after a call. An unreadable store may explain a missing key.
func (c *Client) withError(err error) Status {
	status := c.Status()
	if fault := c.faulted(); fault != nil && (err == nil || err.(*Error).Code == "no_key") {
		err = fault
	}
	_ = errors.As(err, &status.Error)
	return status
}

func (c *Client) asked() (object, error) {
	id, err := c.deviceID()
	body := object{"product_id": c.options.ProductID, "device_id": id}
	if c.options.AppVersion != "" {
		body["app_version"] = c.options.AppVersion
	}
	return body, err
}

// said is the server's answer to a check, a trial or a lease, and the lease in it.
type said struct {
	status               int
	nonce                string
	next, refusal, lease object
}

// refused is the error of a refusal; nil for a valid license.
func (s said) refused() error {
	if s.refusal == nil {
		return nil
	}
	code := textOf(s.refusal["code"])
	return &Error{Status: s.status, Code: code, Message: cmp.Or(textOf(s.refusal["message"]), code)}
}

// ask asks the server with a key, which a trial does not need.
func (c *Client) ask(ctx context.Context, key, path string, more object) (s said, err error) {
	body, err := c.asked()
	if err != nil {
		return s, err
	}
	maps.Copy(body, more)
	s.nonce = rand.Text()[:22]
	body["nonce"] = s.nonce
	if path == checkPath {
		// Earlier clients refuse a token without an end, so the server must know.
		body["perpetual"] = true
		// A value that the store failed to save would make two processes with one folder look like two machines.
		_, isUnkept := c.unkept.Load("answer" + c.product)
		if continuation := textOf(c.load("answer" + c.product)["continuation"]); continuation != "" && !isUnkept {
			body["continuation"] = continuation
		}
	}
	if *c.options.DeviceName != "" {
		body["device_name"] = *c.options.DeviceName
	}
	if here := thisPlatform(); here != "" {
		body["platform"] = here
	}
	got, err := c.request(ctx, key, "POST", path, body)
	if err == nil && got.status != 200 && got.status != 409 {
		err = got.fault()
	}
	if err != nil {
		return s, err
	}
	// A floating license has its token by a lease.
	if token, isThere := got.body["token"]; path == checkPath && got.body["valid"] == true && isThere && token == nil {
		return c.ask(ctx, key, leasePath, nil)
	}
	var isTrusted bool
	s.status = got.status
	s.refusal, isTrusted = c.refusalOf(got)
	s.next = object{"continuation": got.body["continuation"]}
	switch {
	case !isTrusted && got.status == 409:
		err = got.fault()
	case !isTrusted:
		err = broken(got.status)
	case s.refusal != nil:
		s.next["refusal"] = s.refusal
	default:
		s.next["token"] = got.body["token"]
		s.lease, _ = got.body["lease"].(object)
		err = c.verified(ctx, func(_ object, keys []Key) bool {
			return c.claimsOf(s.next["token"], keys)["device_id"] == body["device_id"]
		})
	}
	return s, err
}

// take remembers an answer, and its time if it is the answer to this request.
func (c *Client) take(s said) {
	c.remember(s.next)
	c.held.Store(nil)
	if id := textOf(s.lease["lease_id"]); id != "" {
		c.held.Store(&lease{id, textOf(s.lease["renew_after"]), textOf(s.lease["borrowed_until"]), s.next})
	}
	_, keys := c.trusted()
	if token := c.claimsOf(s.next["token"], keys); token["nonce"] == s.nonce {
		c.mu.Lock()
		c.keepClock(token["iat"].(float64))
		c.mu.Unlock()
	}
}

func (c *Client) remember(next object) {
	if c.options.AppVersion != "" {
		next["app_version"] = c.options.AppVersion
	}
	c.keep("answer"+c.product, next)
}

func (c *Client) keepClock(at float64) {
	c.clock, c.ticked = c.keep("clock"+c.product, object{"time": at, "seen": c.now()}), time.Now()
}

// trusted returns the remembered data of the shop, and the valid keys. Pinned keys exclude all others.
func (c *Client) trusted() (object, []Key) {
	shop := c.load("trust" + c.product)
	keys := c.options.Keys
	if keys == nil {
		fill(shop["keys"], &keys)
	}
	return shop, keys
}

// verified is nil if a signed text verifies. If the remembered keys do not verify it, it fetches the server's.
func (c *Client) verified(ctx context.Context, reads func(shop object, keys []Key) bool) error {
	shop, keys := c.trusted()
	if reads(shop, keys) {
		return nil
	}
	if c.options.Keys != nil {
		return broken(200)
	}
	got, err := c.call(ctx, "GET", "/.well-known/jwks.json", nil)
	if err != nil {
		return err
	}
	var said []Key // encoding/json keeps old values in the elements of a slice.
	fill(got.body["keys"], &said)
	keys = slices.DeleteFunc(said, func(key Key) bool { return !isUsable(key) })
	keys = keys[:min(mostKeys, len(keys))]
	if !reads(shop, keys) {
		return broken(200)
	}
	shop["keys"] = keys
	c.keep("trust"+c.product, shop)
	return nil
}

// thisPlatform is this machine's platform in the service's terms; empty if it has no name for it.
func thisPlatform() string {
	if runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" {
		return runtime.GOOS + "-" + runtime.GOARCH
	}
	return ""
}

// chosen builds a path about the product for a choice.
func (c *Client) chosen(path string, choice Choice, version string) string {
	choice.Platform = cmp.Or(choice.Platform, thisPlatform())
	given := url.Values{"channel": {choice.Channel}, "platform": {choice.Platform}, "version": {version}, "release": {""}}
	if choice.Release != 0 {
		given.Set("release", strconv.FormatInt(choice.Release, 10))
	}
	maps.DeleteFunc(given, func(_ string, values []string) bool { return values[0] == "" })
	return "/api/products/" + c.product[1:] + path + "?" + given.Encode()
}

// request calls the API host with a key, which public documents and trials do not need.
func (c *Client) request(ctx context.Context, key, method, path string, body object) (got answer, err error) {
	header := texts{}
	if c.options.Language != "" {
		header["Accept-Language"] = c.options.Language
	}
	if !strings.HasPrefix(path, "/.well-known/") && path != trialPath {
		if key == "" {
			return got, fail("no_key", "This device has no license key; paste it, or sign in.")
		}
		if !pasted.MatchString(key) {
			return got, fail("not_a_key", "The key of this device is damaged. Activate it with a license key.")
		}
		header["Authorization"] = "Bearer " + key
	}
	var sent []byte
	if body != nil {
		header["Content-Type"] = "application/json"
		header["Idempotency-Key"] = rand.Text()
		sent, _ = json.Marshal(body)
	}
	return c.send(ctx, method, c.options.API+path, header, sent)
}

// call uses the key of this device.
func (c *Client) call(ctx context.Context, method, path string, body object) (answer, error) {
	return good(c.request(ctx, c.key(), method, path, body))
}

// now is in seconds since 1970.
func (c *Client) now() float64 { return float64(c.options.Now().Unix()) }

func (c *Client) key() string {
	return cmp.Or(c.options.Key, textOf(c.load("key")["key"]))
}

// load reads a remembered text. An unreadable text counts as missing.
func (c *Client) load(name string) object {
	if read := parse([]byte(c.get(name))); read != nil {
		return read
	}
	return object{}
}

func (c *Client) keep(name string, value object) string {
	text, _ := json.Marshal(value)
	c.set(name, string(text))
	return string(text)
}

// deviceIn returns an id; empty for a damaged one.
func deviceIn(text string) string {
	id := strings.Trim(text, "\ufeff \t\r\n")
	if utf8.RuneCountInString(id) > 255 || strings.ContainsFunc(id, unicode.IsControl) {
		return ""
	}
	return id
}

// deviceNames are the names of this device's id: if the first is damaged, each process uses the second.
var deviceNames = []string{"device", "device-2"}

func (c *Client) knownDevice() string {
	return cmp.Or(c.options.DeviceID, deviceIn(c.get(deviceNames[0])), deviceIn(c.get(deviceNames[1])))
}

// deviceID is the id of this installation. A new one is created exclusively and read again, so that twenty goroutines
// and eight processes at a first start are one device. If its file is missing or damaged, the id is that of the
// license.
func (c *Client) deviceID() (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, keys := c.trusted()
	known := textOf(c.claimsOf(c.load("answer" + c.product)["token"], keys)["device_id"])
	id := c.knownDevice()
	for n := 0; id == "" && n < 40; n++ {
		if n%20 == 0 {
			c.create(deviceNames[n/20], cmp.Or(known, rand.Text()))
		} else {
			// Without hard links, another process may be about to write the file that it created.
			time.Sleep(10 * time.Millisecond)
		}
		id = c.knownDevice()
	}
	if id = cmp.Or(id, known); id == "" {
		return "", cmp.Or(c.faulted(), error(fail("not_remembered", "The license can't be kept: the store forgets it.")))
	}
	return id, nil
}
