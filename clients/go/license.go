package accountservice

import (
	"cmp"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any

// tolerance is the seconds by which clocks may differ before anything is said.
const tolerance = 600

// recheckHours are the hours between two checks where the shop signs no policy.
const recheckHours = 24

var states = map[string]string{
	"access_expired":       "expired",
	"entitlement_revoked":  "revoked",
	"device_revoked":       "revoked",
	"not_entitled":         "unknown",
	"device_limit_reached": "unknown",
}

// Status is the license of this device. Times are ISO 8601 in UTC; nil where there is none.
type Status struct {
	// licensed, grace, expired, revoked or unknown.
	State string `json:"state"`
	// True for licensed and grace.
	MayRun bool `json:"may_run"`
	// Why the state is what it is.
	Code string `json:"code"`
	// The server's sentence for the buyer.
	Message *string `json:"message"`
	// Until then the application may run without a further check.
	RunsUntil             *string `json:"runs_until"`
	AccessExpiresAt       *string `json:"access_expires_at"`
	UpdatesSupportedUntil *string `json:"updates_supported_until"`
	// False where the update window does not cover AppVersion; nil where nobody knows.
	VersionCovered *bool `json:"version_covered"`
	// True where Check should be called as soon as there is a network.
	CheckDue bool `json:"check_due"`
	// True where the clock was set back since the last check, or is behind the server's.
	ClockBack bool `json:"clock_back"`
	// True where the policy's lowest version is above AppVersion.
	UpdateRequired bool `json:"update_required"`
	// The page on which the buyer releases a device, and the devices in use; only with device_limit_reached.
	ManageURL *string  `json:"manage_url"`
	Devices   []Device `json:"devices"`
	// Why the last call got no answer to remember; the status is then the one from before.
	Error *Error `json:"error"`
}

// Device holds a slot. Times are ISO 8601 in UTC.
type Device struct {
	DeviceID    string  `json:"device_id"`
	Name        *string `json:"name"`
	ActivatedAt string  `json:"activated_at"`
	LastSeenAt  string  `json:"last_seen_at"`
	// The end of an offline file, which holds the slot until then.
	OfflineUntil *string `json:"offline_until"`
	// The release of a device whose offline file holds its slot.
	ReleasedAt *string `json:"released_at"`
}

// Key is a public Ed25519 key as the service publishes it (RFC 8037).
type Key struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	X   string `json:"x"`
	Kid string `json:"kid"`
}

// Revoked names a device that may not use a product.
type Revoked struct {
	ProductID int64  `json:"product_id"`
	DeviceID  string `json:"device_id"`
}

// Policy is the signed rules for clients.
type Policy struct {
	MinClientVersion *string   `json:"min_client_version"`
	Revoked          []Revoked `json:"revoked"`
	Policy           struct {
		TTLDays      *float64 `json:"ttl_days"`
		RecheckHours *float64 `json:"recheck_hours"`
	} `json:"policy"`
	SignedAt *string  `json:"signed_at"`
	Version  *float64 `json:"version"`
}

type refusal struct {
	Code            string   `json:"code"`
	Message         *string  `json:"message"`
	AccessExpiresAt *string  `json:"access_expires_at"`
	ManageURL       *string  `json:"manage_url"`
	Devices         []Device `json:"devices"`
}

// lastAnswer is the last answer of the server. CheckedAt is its time; Ahead the seconds by which the clock was ahead.
type lastAnswer struct {
	Token      *string  `json:"token"`
	Refusal    *refusal `json:"refusal"`
	CheckedAt  *string  `json:"checked_at"`
	AppVersion *string  `json:"app_version"`
	Ahead      int64    `json:"ahead"`
}

// lastClock is the clock as it was read last (seconds), and how often it was set back since the last answer.
type lastClock struct {
	Last  *int64 `json:"last"`
	Backs int64  `json:"backs"`
}

// trust is the policy as a compact JWS, and the keys of the shop.
type trust struct {
	Policy *string `json:"policy"`
	Keys   []Key   `json:"keys"`
}

type claims struct {
	Valid                 bool     `json:"valid"`
	ProductID             int64    `json:"product_id"`
	DeviceID              string   `json:"device_id"`
	Iat                   *float64 `json:"iat"`
	Exp                   *float64 `json:"exp"`
	AccessExpiresAt       *string  `json:"access_expires_at"`
	UpdatesSupportedUntil *string  `json:"updates_supported_until"`
	VersionCovered        *bool    `json:"version_covered"`
	Offline               bool     `json:"offline"`
}

// secondsOf gives seconds since 1970; 0 for no ISO text.
func secondsOf(iso *string) int64 {
	if iso != nil {
		if at, err := time.Parse(time.RFC3339Nano, *iso); err == nil {
			return at.Unix()
		}
	}
	return 0
}

func isoOf(at float64) *string {
	text := time.Unix(int64(at), 0).UTC().Format("2006-01-02T15:04:05.000Z")
	return &text
}

// ticked is the clock after it was read anew.
func (c lastClock) ticked(now int64) lastClock {
	if c.Last != nil && now < *c.Last-tolerance {
		c.Backs++
	}
	return lastClock{&now, c.Backs}
}

// bytesOf gives nothing for a text that is no base64url, which neither reads as JSON nor verifies.
func bytesOf(part string) []byte {
	if read, err := base64.RawURLEncoding.DecodeString(part); err == nil {
		return read
	}
	return nil
}

// payloadOf reads the payload of a compact JWS of this typ that one of the keys signed with Ed25519; false otherwise.
func payloadOf(jws *string, typ string, keys []Key, into any) bool {
	if jws == nil {
		return false
	}
	parts := strings.Split(*jws, ".")
	if len(parts) != 3 {
		return false
	}
	var header struct {
		Alg, Typ, Kid string
		Crit          any
	}
	head, body, signature := bytesOf(parts[0]), bytesOf(parts[1]), bytesOf(parts[2])
	if json.Unmarshal(head, &header) != nil || header.Alg != "EdDSA" || header.Typ != typ || header.Crit != nil {
		return false
	}
	at := slices.IndexFunc(keys, func(key Key) bool {
		return key.Kid == header.Kid && key.Kty == "OKP" && key.Crv == "Ed25519"
	})
	if at < 0 {
		return false
	}
	public, signed := bytesOf(keys[at].X), []byte(parts[0]+"."+parts[1])
	return len(public) == ed25519.PublicKeySize && ed25519.Verify(public, signed, signature) &&
		json.Unmarshal(body, into) == nil
}

// claimsOf gives the claims of a license token for this product and device; nil for any other text.
func claimsOf(token *string, keys []Key, productID int64, deviceID string) *claims {
	var said claims
	if !payloadOf(token, "license+jws", keys, &said) || !said.Valid || said.Iat == nil || said.Exp == nil {
		return nil
	}
	if said.ProductID != productID || said.DeviceID != deviceID {
		return nil
	}
	return &said
}

func policyOf(jws *string, keys []Key) *Policy {
	var said Policy
	if !payloadOf(jws, "client-policy+jws", keys, &said) || said.MinClientVersion == nil || said.Revoked == nil {
		return nil
	}
	if said.Version == nil || said.SignedAt == nil || said.Policy.TTLDays == nil || said.Policy.RecheckHours == nil {
		return nil
	}
	return &said
}

// isLater is false for a policy of a lower version than one that was seen, which counts for nothing.
func isLater(before, next *Policy) bool {
	if before == nil || *next.Version != *before.Version {
		return before == nil || *next.Version > *before.Version
	}
	return *next.SignedAt >= *before.SignedAt
}

// checked is the body of an answer to a license check.
type checked struct {
	refusal
	// A list only with device_limit_reached.
	Devices   json.RawMessage `json:"devices"`
	Valid     *bool           `json:"valid"`
	Token     *string         `json:"token"`
	CheckedAt *string         `json:"checked_at"`
	Product   struct {
		ID int64 `json:"id"`
	} `json:"product"`
}

// refusalOf tells whether an answer to a license check can be trusted to be one, and its refusal; nil for a valid license.
func refusalOf(status int, body checked, productID int64) (bool, *refusal) {
	said := body.refusal
	if status == 409 && said.Code == "device_limit_reached" {
		said.AccessExpiresAt = nil
		_ = json.Unmarshal(body.Devices, &said.Devices)
		return true, &said
	}
	if status != 200 || body.Valid == nil || body.Product.ID != productID || secondsOf(body.CheckedAt) == 0 {
		return false, nil
	}
	if *body.Valid {
		return body.Token != nil, nil
	}
	said.ManageURL = nil
	return states[said.Code] != "" && said.Code != "device_limit_reached", &said
}

// answered gives the answer to remember. One without a time of its own (409) keeps the one before.
func answered(before, next lastAnswer, now int64) lastAnswer {
	next.Ahead = before.Ahead
	if server := secondsOf(next.CheckedAt); server > 0 {
		next.Ahead = now - server
	} else {
		next.CheckedAt = before.CheckedAt
	}
	if next.Ahead <= tolerance {
		next.Ahead = 0
	}
	return next
}

var version = regexp.MustCompile(`^v?(\d+(?:\.\d+)*)(?:-([\w.-]+))?(?:\+.*)?$`)

// isLower tells whether a version is lower than another one (Semantic Versioning, section 11); false where one of them is
// no version.
func isLower(mine, least string) bool {
	a, b := version.FindStringSubmatch(strings.TrimSpace(mine)), version.FindStringSubmatch(strings.TrimSpace(least))
	if a == nil || b == nil {
		return false
	}
	if d := order(strings.Split(a[1], "."), strings.Split(b[1], "."), "0"); d != 0 {
		return d < 0
	}
	if a[2] == "" || b[2] == "" {
		return a[2] != "" && b[2] == ""
	}
	return order(strings.Split(a[2], "."), strings.Split(b[2], "."), "-1") < 0
}

// order is below zero where a comes first: numbers by value, before words.
func order(a, b []string, missing string) int {
	at := func(parts []string, i int) (float64, string) {
		part := missing
		if i < len(parts) {
			part = parts[i]
		}
		if number, err := strconv.Atoi(part); err == nil {
			return float64(number), ""
		}
		return math.Inf(1), part
	}
	for i := range max(len(a), len(b)) {
		m, p := at(a, i)
		n, q := at(b, i)
		if d := cmp.Or(cmp.Compare(m, n), strings.Compare(p, q)); d != 0 {
			return d
		}
	}
	return 0
}

// judge gives the state of a license from what is remembered, by the rules of the page of states, in its order.
func (c *Client) judge(kept lastAnswer, clock lastClock, shop trust, deviceID string, now int64) Status {
	keys := c.keys(shop)
	policy := policyOf(shop.Policy, keys)
	refused := kept.Refusal
	var known claims
	var token *claims
	if refused == nil {
		if token = claimsOf(kept.Token, keys, c.options.ProductID, deviceID); token != nil {
			known = *token
		}
	}
	checkedAt := secondsOf(kept.CheckedAt)
	if token != nil {
		checkedAt = max(checkedAt, int64(*known.Iat))
	}
	// The clock was ahead at the last answer, and is again unless it was set right since.
	moment := now - kept.Ahead
	if clock.Backs > 0 {
		moment = now
	}
	moment = max(moment, checkedAt)
	hours := float64(recheckHours)
	if policy != nil {
		hours = *policy.Policy.RecheckHours
	}
	state, code := "licensed", "valid"
	switch {
	case refused != nil:
		state, code = states[refused.Code], refused.Code
	case kept.Token == nil:
		state, code = "unknown", "never_checked"
	case token == nil:
		state, code = "unknown", "token_rejected"
	// An answer of after the policy knew of its revocations.
	case policy != nil && secondsOf(policy.SignedAt) >= checkedAt && slices.Contains(policy.Revoked, Revoked{c.options.ProductID, deviceID}):
		state, code = "revoked", "device_revoked"
	case secondsOf(known.AccessExpiresAt) > 0 && moment >= secondsOf(known.AccessExpiresAt):
		state, code = "expired", "access_expired"
	case float64(moment) >= *known.Exp:
		state, code = "expired", "offline_too_long"
	case float64(clock.Backs) > (*known.Exp-*known.Iat)/86_400:
		state, code = "expired", "clock_set_back"
	case float64(moment) >= float64(checkedAt)+hours*3600 && !known.Offline:
		state, code = "grace", "check_overdue"
	}
	version := c.options.AppVersion
	isOther := (kept.AppVersion == nil) != (version == "") || (kept.AppVersion != nil && *kept.AppVersion != version)
	back := clock.Backs > 0 || now < checkedAt-tolerance
	status := Status{
		State: state, Code: code, MayRun: state == "licensed" || state == "grace", ClockBack: back,
		AccessExpiresAt: known.AccessExpiresAt, UpdatesSupportedUntil: known.UpdatesSupportedUntil,
		CheckDue:       !known.Offline && (state != "licensed" || back || isOther),
		UpdateRequired: version != "" && policy != nil && isLower(version, *policy.MinClientVersion),
	}
	if status.MayRun {
		status.RunsUntil = isoOf(*known.Exp)
	}
	if !isOther {
		status.VersionCovered = known.VersionCovered
	}
	if refused != nil {
		status.Message, status.AccessExpiresAt = refused.Message, refused.AccessExpiresAt
		status.ManageURL, status.Devices = refused.ManageURL, refused.Devices
	}
	return status
}
