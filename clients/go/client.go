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
	"net/http"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options of a client. API and ProductID are required.
type Options struct {
	// The address of the API host, such as https://api.example.com.
	API       string
	ProductID int64
	// An API key or license key. Without it, the key of SignIn or Activate counts.
	Key        string
	AppVersion string
	// The id of this installation, at most 255 characters. Without it, a random one is made and remembered.
	DeviceID string
	// Where to remember; memory by default.
	Store Store
	// Pinned keys: no other key is trusted, and the server's list is not fetched.
	Keys []Key
	// en or ko, for the server's sentences.
	Language string
	// The time that all waits for a repetition may take together (10 s by default), and that for an answer (15 s).
	MaxWait, Timeout time.Duration
	Now              func() time.Time
	Sleep            func(time.Duration)
}

// Client checks the license of one product on one device. Goroutines may share it.
type Client struct {
	options  Options
	http     *http.Client
	checking sync.Mutex
}

// New makes a client.
func New(options Options) *Client {
	options.API = strings.TrimRight(options.API, "/")
	if options.Store == nil {
		options.Store = MemoryStore()
	}
	options.MaxWait = cmp.Or(options.MaxWait, 10*time.Second)
	options.Timeout = cmp.Or(options.Timeout, 15*time.Second)
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.Sleep == nil {
		options.Sleep = time.Sleep
	}
	// A key is sent nowhere but where the application said.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{options: options, http: &http.Client{CheckRedirect: stay}}
}

// Status gives the license from what is remembered. It uses no network, and never fails.
func (c *Client) Status() Status {
	now := c.now()
	var before lastClock
	var kept lastAnswer
	var shop trust
	c.read("clock", &before)
	c.read("answer", &kept)
	c.read("trust", &shop)
	if kept.Refusal != nil && states[kept.Refusal.Code] == "" {
		kept.Refusal = nil
	}
	clock := before.ticked(now)
	// A write for each question would wear the disk; a minute is finer than the clock is judged.
	if before.Last == nil || now-*before.Last >= 60 || *before.Last-now >= 60 {
		_ = c.keep("clock", clock)
	}
	deviceID, _ := c.deviceID()
	return c.judge(kept, clock, shop, deviceID, now)
}

// Check asks the server, remembers its answer, and gives the status. It takes a device slot if this device has none.
// Without an answer, the status is the one from before, with Error.
func (c *Client) Check(ctx context.Context) Status {
	c.checking.Lock()
	defer c.checking.Unlock()
	return c.withError(c.askServer(ctx))
}

// Activate remembers a key, if one is given, and checks. A key that is refused with 401 is not kept.
func (c *Client) Activate(ctx context.Context, key string) Status {
	if key == "" {
		return c.Check(ctx)
	}
	before, _ := c.options.Store.Get("key")
	if err := c.setKey(strings.TrimSpace(key), false); err != nil {
		return c.withError(err)
	}
	status := c.Check(ctx)
	if status.Error != nil && status.Error.Status == 401 {
		_ = c.options.Store.Set("key", before)
	}
	return status
}

// Release gives this device's slot back, and forgets the license. A device that signed in by code is signed out. The
// answer is true where the device held a slot; the text is the server's sentence.
func (c *Client) Release(ctx context.Context) (bool, string, error) {
	var said struct {
		Released *string `json:"released_device_id"`
		Message  string
	}
	if _, signedIn := c.key(); signedIn {
		got, err := c.call(ctx, "POST", "/api/cli/device/logout", nil, nil)
		if err != nil {
			return false, "", err
		}
		slots, _ := strconv.Atoi(got.header.Get("X-Released-Slots"))
		return slots > 0, "", errors.Join(c.options.Store.Set("key", ""), c.options.Store.Set(c.name("answer"), ""))
	}
	deviceID, err := c.deviceID()
	if err != nil {
		return false, "", err
	}
	path := c.product("/license/device/revoke")
	if err := c.ask(ctx, "POST", path, object{"device_id": deviceID}, &said); err != nil {
		return false, "", err
	}
	return said.Released != nil, said.Message, c.options.Store.Set(c.name("answer"), "")
}

// Policy fetches the signed policy and remembers it; nil where the shop signs none.
func (c *Client) Policy(ctx context.Context) (*Policy, error) {
	var said struct{ Signature *string }
	if err := c.ask(ctx, "GET", "/api/client-config", nil, &said); err != nil || said.Signature == nil {
		return nil, err
	}
	var shop trust
	c.read("trust", &shop)
	var next *Policy
	keys, err := c.verified(ctx, shop, func(keys []Key) bool {
		next = policyOf(said.Signature, keys)
		return next != nil
	})
	if err != nil {
		return nil, err
	}
	newest := policyOf(shop.Policy, keys)
	if isLater(newest, next) {
		newest, shop.Policy = next, said.Signature
	}
	return newest, c.keep("trust", trust{shop.Policy, keys})
}

// Wish narrows updates and installs. Platform is this machine's by default; Release an id of one.
type Wish struct {
	Channel, Platform string
	Release           int64
}

// Updates tells of the newest release for this device: ProductUpdateApiData of the API.
func (c *Client) Updates(ctx context.Context, wish Wish) (map[string]any, error) {
	var said struct{ Update object }
	err := c.ask(ctx, "GET", c.product("/updates")+c.query(wish, c.options.AppVersion), nil, &said)
	return said.Update, err
}

// OfflineRequest gives the file by which the buyer asks for a license for a machine that never goes online.
func (c *Client) OfflineRequest() (string, error) {
	body, err := c.asked()
	text, _ := json.Marshal(body)
	return string(text), err
}

// ActivateOffline takes the answer to OfflineRequest. Its keys must be pinned.
func (c *Client) ActivateOffline(file string) Status {
	var said lastAnswer
	_ = json.Unmarshal([]byte(file), &said)
	var shop trust
	c.read("trust", &shop)
	// Keys that came with the file would let anybody sign one.
	keys := c.keys(shop)
	deviceID, err := c.deviceID()
	switch {
	case err != nil:
	case len(keys) == 0:
		err = &Error{Code: "no_keys", Message: "Without a network, the application must bring the keys of its shop."}
	case claimsOf(said.Token, keys, c.options.ProductID, deviceID) == nil:
		err = &Error{Code: "wrong_file", Message: "The file is no answer to a request of this device."}
	default:
		err = c.remember(lastAnswer{Token: said.Token, CheckedAt: said.CheckedAt})
	}
	return c.withError(err)
}

func (c *Client) withError(err error) Status {
	status := c.Status()
	if err != nil && !errors.As(err, &status.Error) {
		status.Error = &Error{Code: "not_remembered", Message: err.Error()}
	}
	return status
}

func (c *Client) asked() (object, error) {
	deviceID, err := c.deviceID()
	body := object{"product_id": c.options.ProductID, "device_id": deviceID}
	if c.options.AppVersion != "" {
		body["app_version"] = c.options.AppVersion
	}
	return body, err
}

func (c *Client) askServer(ctx context.Context) error {
	body, err := c.asked()
	if err != nil {
		return err
	}
	got, err := c.request(ctx, "POST", "/api/license/check", body, nil)
	if err != nil {
		return err
	}
	if got.status != 200 && got.status != 409 {
		return errorOf(got)
	}
	var said checked
	if err := got.read(&said); err != nil {
		return err
	}
	trusted, refused := refusalOf(got.status, said, c.options.ProductID)
	if !trusted {
		return broken(got.status)
	}
	next := lastAnswer{Refusal: refused, CheckedAt: said.CheckedAt}
	if refused == nil {
		next.Token = said.Token
		var shop trust
		c.read("trust", &shop)
		shop.Keys, err = c.verified(ctx, shop, func(keys []Key) bool {
			return claimsOf(said.Token, keys, c.options.ProductID, body["device_id"].(string)) != nil
		})
		if err == nil {
			err = c.keep("trust", shop)
		}
		if err != nil {
			return err
		}
	}
	if err := c.remember(next); err != nil {
		return err
	}
	_, _ = c.Policy(ctx)
	return nil
}

func (c *Client) remember(next lastAnswer) error {
	now := c.now()
	var before lastAnswer
	c.read("answer", &before)
	if c.options.AppVersion != "" {
		next.AppVersion = &c.options.AppVersion
	}
	return errors.Join(c.keep("answer", answered(before, next, now)), c.keep("clock", lastClock{Last: &now}))
}

func (c *Client) keys(shop trust) []Key {
	if c.options.Keys != nil {
		return c.options.Keys
	}
	return shop.Keys
}

// verified gives the keys by which a signed text reads: those that are remembered, or the server's where they don't do.
// Pinned keys stand alone.
func (c *Client) verified(ctx context.Context, shop trust, reads func([]Key) bool) ([]Key, error) {
	if keys := c.keys(shop); reads(keys) {
		return keys, nil
	}
	if c.options.Keys != nil {
		return nil, broken(200)
	}
	var said trust
	if err := c.ask(ctx, "GET", "/.well-known/jwks.json", nil, &said); err != nil {
		return nil, err
	}
	if !reads(said.Keys) {
		return nil, broken(200)
	}
	return said.Keys, nil
}

var processors = map[string]bool{"amd64": true, "arm64": true}

func (c *Client) query(wish Wish, version string) string {
	if wish.Platform == "" && processors[runtime.GOARCH] {
		wish.Platform = runtime.GOOS + "-" + runtime.GOARCH
	}
	given := url.Values{"channel": {wish.Channel}, "platform": {wish.Platform}, "version": {version}, "release": {""}}
	if wish.Release != 0 {
		given.Set("release", strconv.FormatInt(wish.Release, 10))
	}
	maps.DeleteFunc(given, func(_ string, values []string) bool { return values[0] == "" })
	return "?" + given.Encode()
}

func (c *Client) product(path string) string {
	return "/api/products/" + strconv.FormatInt(c.options.ProductID, 10) + path
}

func (c *Client) request(
	ctx context.Context, method, path string, body any, header map[string]string,
) (*answer, error) {
	headers := map[string]string{}
	maps.Copy(headers, header)
	if c.options.Language != "" {
		headers["Accept-Language"] = c.options.Language
	}
	if !strings.HasPrefix(path, "/.well-known/") {
		key, _ := c.key()
		if key == "" {
			return nil, &Error{Code: "no_key", Message: "This device has no key; sign in, or activate it with a license key."}
		}
		headers["Authorization"] = "Bearer " + key
	}
	var sent []byte
	if body != nil {
		headers["Content-Type"] = "application/json"
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	return c.send(ctx, method, c.options.API+path, headers, sent)
}

func (c *Client) call(ctx context.Context, method, path string, body any, header map[string]string) (*answer, error) {
	return good(c.request(ctx, method, path, body, header))
}

// ask reads the JSON of a good answer.
func (c *Client) ask(ctx context.Context, method, path string, body, into any) error {
	got, err := c.call(ctx, method, path, body, nil)
	if err != nil {
		return err
	}
	return got.read(into)
}

// now is in seconds since 1970.
func (c *Client) now() int64 { return c.options.Now().Unix() }

type keptKey struct {
	Key      string `json:"key"`
	SignedIn bool   `json:"signed_in,omitempty"`
}

func (c *Client) key() (string, bool) {
	if c.options.Key != "" {
		return c.options.Key, false
	}
	var kept keptKey
	text, _ := c.options.Store.Get("key")
	_ = json.Unmarshal([]byte(text), &kept)
	return kept.Key, kept.SignedIn
}

func (c *Client) setKey(key string, signedIn bool) error {
	text, _ := json.Marshal(keptKey{key, signedIn})
	return c.options.Store.Set("key", string(text))
}

func (c *Client) deviceID() (string, error) {
	if c.options.DeviceID != "" {
		return c.options.DeviceID, nil
	}
	// A store that can't be read is an error: another id would take another slot.
	kept, err := c.options.Store.Get("device")
	if err != nil || kept != "" {
		return kept, err
	}
	made := rand.Text()
	return made, c.options.Store.Set("device", made)
}

func (c *Client) name(of string) string { return of + "-" + strconv.FormatInt(c.options.ProductID, 10) }

// read reads what is remembered. A text that nobody can read is as if nothing were.
func (c *Client) read(of string, into any) {
	text, err := c.options.Store.Get(c.name(of))
	if err == nil && text != "" {
		_ = json.Unmarshal([]byte(text), into)
	}
}

func (c *Client) keep(of string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return c.options.Store.Set(c.name(of), string(text))
}
