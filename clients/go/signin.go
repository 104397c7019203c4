package accountservice

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"time"
)

// Code has the values that the buyer needs in a browser. ExpiresIn is in seconds.
type Code struct {
	UserCode                string `json:"user_code"`
	VerificationURI         string `json:"verification_uri"`
	VerificationURIComplete string `json:"verification_uri_complete"`
	ExpiresIn               int    `json:"expires_in"`
}

// SignedIn is the result of a sign-in. ReplacedKeyPrefix names the key that it replaced, because all were in use.
type SignedIn struct {
	DeviceID          string  `json:"device_id"`
	KeyPrefix         string  `json:"key_prefix"`
	ReplacedKeyPrefix *string `json:"replaced_key_prefix"`
}

// SignIn signs this device in by a code that the buyer enters in a browser (RFC 8628), and remembers its key. clientID
// is cli, cloud-apps, or the bundle id of a published application; deviceName is the client's by default.
func (c *Client) SignIn(ctx context.Context, clientID, deviceName string, onCode func(Code)) (done SignedIn, err error) {
	got, err := c.call(ctx, "GET", "/.well-known/oauth-protected-resource", nil)
	if err != nil {
		return done, err
	}
	hosts, _ := got.body["authorization_servers"].([]any)
	if len(hosts) == 0 {
		return done, broken(200)
	}
	post := func(path string, form url.Values) (answer, error) {
		header := texts{"Content-Type": "application/x-www-form-urlencoded"}
		host := strings.TrimRight(textOf(hosts[0]), "/")
		return good(c.send(ctx, "POST", host+path, header, []byte(form.Encode())))
	}
	id, err := c.deviceID()
	if err != nil {
		return done, err
	}
	form := url.Values{"client_id": {clientID}, "device_id": {id}}
	if name := cmp.Or(deviceName, *c.options.DeviceName); name != "" {
		form.Set("device_name", name)
	}
	if got, err = post("/oauth/device_authorization", form); err != nil {
		return done, err
	}
	var code Code
	fill(got.body, &code)
	onCode(code)
	pause, _ := momentOf(got.body["interval"])
	pause = min(max(1, cmp.Or(pause, 5)), 300)
	form = url.Values{
		"client_id": {clientID}, "device_code": {textOf(got.body["device_code"])},
		"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"},
	}
	for left := float64(code.ExpiresIn); left > 0; left -= pause {
		c.pause(ctx, time.Duration(pause*float64(time.Second)))
		got, err = post("/oauth/token", form)
		if err == nil {
			fill(got.body, &done)
			key := textOf(got.body["access_token"])
			if deviceIn(done.DeviceID) == "" || !pasted.MatchString(key) {
				return SignedIn{}, broken(200)
			}
			_ = c.faulted()
			c.set("device", done.DeviceID)
			c.keep("key", object{"key": key, "signed_in": true})
			return done, c.faulted()
		}
		// Until the code expires, the buyer may still be typing, and the network may return.
		switch why := err.(*Error); {
		case why.Code == "slow_down":
			pause += 5
		case ctx.Err() != nil, why.Status != 0 && why.Status < 429 && why.Code != "authorization_pending":
			return done, err
		}
	}
	return done, &Error{Status: 400, Code: "expired_token", Message: "The code has expired; sign in again."}
}
