package accountservice

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"
)

// Code is what the buyer enters in a browser. ExpiresIn is in seconds.
type Code struct {
	UserCode                string `json:"user_code"`
	VerificationURI         string `json:"verification_uri"`
	VerificationURIComplete string `json:"verification_uri_complete"`
	ExpiresIn               int    `json:"expires_in"`
}

// SignedIn tells of a sign-in. ReplacedKeyPrefix names the key that it ended, because all were in use.
type SignedIn struct {
	DeviceID          string  `json:"device_id"`
	KeyPrefix         string  `json:"key_prefix"`
	ReplacedKeyPrefix *string `json:"replaced_key_prefix"`
}

// SignIn signs this device in by a code that the buyer enters in a browser (RFC 8628), and remembers its key. clientID is
// cli, cloud-apps, or the bundle id of a published application.
func (c *Client) SignIn(ctx context.Context, clientID, deviceName string, onCode func(Code)) (SignedIn, error) {
	var done SignedIn
	var said struct {
		Hosts []string `json:"authorization_servers"`
	}
	if err := c.ask(ctx, "GET", "/.well-known/oauth-protected-resource", nil, &said); err != nil {
		return done, err
	}
	if len(said.Hosts) == 0 {
		return done, broken(200)
	}
	host := strings.TrimRight(said.Hosts[0], "/")
	deviceID, err := c.deviceID()
	if err != nil {
		return done, err
	}
	form := url.Values{"client_id": {clientID}, "device_id": {deviceID}}
	if deviceName != "" {
		form.Set("device_name", deviceName)
	}
	var started struct {
		Code
		DeviceCode string `json:"device_code"`
		Interval   int    `json:"interval"`
	}
	if err := c.form(ctx, host+"/oauth/device_authorization", form, &started); err != nil {
		return done, err
	}
	onCode(started.Code)
	interval := max(1, started.Interval)
	grant := url.Values{
		"client_id": {clientID}, "device_code": {started.DeviceCode},
		"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"},
	}
	for left := started.ExpiresIn; left > 0; left -= interval {
		c.options.Sleep(time.Duration(interval) * time.Second)
		var granted struct {
			SignedIn
			AccessToken string `json:"access_token"`
		}
		err := c.form(ctx, host+"/oauth/token", grant, &granted)
		var why *Error
		switch {
		case err == nil:
			if err := c.options.Store.Set("device", granted.DeviceID); err != nil {
				return done, err
			}
			return granted.SignedIn, c.setKey(granted.AccessToken, true)
		case ctx.Err() != nil || !errors.As(err, &why):
			return done, err
		case why.Code == "slow_down":
			interval += 5
		// The buyer may still be typing, and the network may come back, until the code ends.
		case why.Status != 0 && why.Status < 429 && why.Code != "authorization_pending":
			return done, err
		}
	}
	return done, &Error{Status: 400, Code: "expired_token", Message: "The code has expired; sign in again."}
}

func (c *Client) form(ctx context.Context, to string, form url.Values, into any) error {
	header := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	got, err := good(c.send(ctx, "POST", to, header, []byte(form.Encode())))
	if err != nil {
		return err
	}
	return got.read(into)
}
