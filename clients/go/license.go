package accountservice

import (
	"cmp"
	"crypto/ed25519"
	"encoding/base64"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	tolerance    = 600             // The clock skew that is tolerated, in seconds.
	recheckHours = 24              // The hours between two checks if the shop signs no policy.
	lastSecond   = 253_402_300_799 // The end of the year 9999.
	mostKeys     = 100             // The maximum number of a shop's keys.
	day          = 86_400
)

var states = map[string]string{
	"access_expired":        "expired",
	"trial_ended":           "expired",
	"entitlement_revoked":   "revoked",
	"device_revoked":        "revoked",
	"device_shared":         "revoked",
	"not_entitled":          "unknown",
	"device_limit_reached":  "unknown",
	"session_limit_reached": "unknown",
}

// Status is the license of this device. Times are ISO 8601 in UTC; nil if there is none.
type Status struct {
	State                 string            `json:"state"`                   // licensed, grace, trial, expired, revoked or unknown.
	MayRun                bool              `json:"may_run"`                 // True for licensed, grace and trial.
	Code                  string            `json:"code"`                    // The reason for the state.
	Message               *string           `json:"message"`                 // The server's sentence for the buyer.
	RunsUntil             *string           `json:"runs_until"`              // The time until which it may run without another check.
	AccessExpiresAt       *string           `json:"access_expires_at"`       // The end of the access.
	UpdatesSupportedUntil *string           `json:"updates_supported_until"` // The end of the update window.
	VersionCovered        *bool             `json:"version_covered"`         // False for a version outside the update window.
	Edition               *string           `json:"edition"`                 // The edition, as long as the application may run.
	Features              []string          `json:"features"`                // The features, sorted, as long as the application may run.
	Metadata              map[string]string `json:"metadata"`                // The shop's own texts, as long as the application may run.
	DaysLeft              *int              `json:"days_left"`               // The days that are left of the trial, 1 on its last day.
	LeaseID               *string           `json:"lease_id"`                // The slot of a floating license that this device holds.
	CheckDue              bool              `json:"check_due"`               // True if Check should be called as soon as there is a network.
	ClockBack             bool              `json:"clock_back"`              // True if the clock is behind the time known to have passed.
	UpdateRequired        bool              `json:"update_required"`         // The policy's lowest version is above AppVersion.
	ManageURL             *string           `json:"manage_url"`              // The page for freeing a slot, if all are in use.
	Devices               []Device          `json:"devices"`                 // The devices in use, for device_limit_reached.
	Sessions              []Session         `json:"sessions"`                // The sessions in use, for session_limit_reached.
	// The reason why the last call got no answer, so that the status is the previous one; or why its answer is not
	// remembered.
	Error *Error `json:"error"`
}

// Has is true if the application may run and the license has this feature.
func (s Status) Has(feature string) bool { return slices.Contains(s.Features, feature) }

// Session holds a slot of a floating license. Times are ISO 8601 in UTC.
type Session struct {
	DeviceID      string  `json:"device_id"`
	Name          *string `json:"name"`
	TakenAt       string  `json:"taken_at"`
	RenewedAt     string  `json:"renewed_at"`
	ExpiresAt     string  `json:"expires_at"`
	BorrowedUntil *string `json:"borrowed_until"` // The end of a borrowed session, which holds its slot until then.
}

// Device is a device that holds a slot. Times are ISO 8601 in UTC.
type Device struct {
	DeviceID     string  `json:"device_id"`
	Name         *string `json:"name"`
	ActivatedAt  string  `json:"activated_at"`
	LastSeenAt   string  `json:"last_seen_at"`
	OfflineUntil *string `json:"offline_until"` // The expiry of an offline file, which holds the slot until then.
	ReleasedAt   *string `json:"released_at"`   // When the device was released, if its offline file still holds the slot.
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

// secondsOf returns seconds since 1970; 0 if the text is not ISO 8601.
func secondsOf(iso any) float64 {
	if at, err := time.Parse(time.RFC3339Nano, textOf(iso)); err == nil {
		return float64(at.Unix())
	}
	return 0
}

func isoOf(at float64) *string {
	text := time.Unix(int64(at), 0).UTC().Format("2006-01-02T15:04:05.000Z")
	return &text
}

// momentOf returns seconds from 1970 to 9999; false for anything else.
func momentOf(value any) (float64, bool) {
	if at, isNumber := value.(float64); isNumber && at >= 0 && at <= lastSecond {
		return at, true
	}
	return 0, false
}

// bytesOf returns nothing for a text that is not base64url; no bytes neither parse as JSON nor verify.
func bytesOf(part string) []byte {
	if read, err := base64.RawURLEncoding.DecodeString(part); err == nil && !strings.ContainsAny(part, "\r\n") {
		return read
	}
	return nil
}

func isUsable(key Key) bool {
	return key.Kty == "OKP" && key.Crv == "Ed25519" && key.Kid != "" && len(bytesOf(key.X)) == ed25519.PublicKeySize
}

// payloadOf returns the payload of a compact JWS of this typ that one of the keys signed with Ed25519; nil otherwise.
func payloadOf(jws, typ string, keys []Key) object {
	parts := strings.Split(jws, ".")
	if len(parts) != 3 {
		return nil
	}
	header := parse(bytesOf(parts[0]))
	at := slices.IndexFunc(keys, func(key Key) bool { return key.Kid == header["kid"] && isUsable(key) })
	isSound := at >= 0 && header["alg"] == "EdDSA" && header["typ"] == typ && header["crit"] == nil
	if !isSound || !ed25519.Verify(bytesOf(keys[at].X), []byte(parts[0]+"."+parts[1]), bytesOf(parts[2])) {
		return nil
	}
	return parse(bytesOf(parts[1]))
}

// claimsOf returns the claims of a license token of this shop for the product, on any device; nil for any other text.
func (c *Client) claimsOf(token any, keys []Key) object {
	said := payloadOf(textOf(token), "license+jws", keys)
	iat, isBegun := momentOf(said["iat"])
	exp, isEnded := momentOf(said["exp"])
	isTimed := isBegun && isEnded && iat == math.Trunc(iat) && exp == math.Trunc(exp)
	isTimed = isTimed && (exp-iat <= 400*day || said["perpetual"] == true)
	isOurs := said["product_id"] == float64(c.options.ProductID) && addressOf(textOf(said["iss"])) == addressOf(c.options.Issuer)
	if said["valid"] != true || !isTimed || !isOurs {
		return nil
	}
	return said
}

// addressOf returns equal texts for equal addresses.
func addressOf(text string) string {
	at, err := url.Parse(text)
	if err != nil {
		return text
	}
	port := cmp.Or(at.Port(), texts{"http": "80", "https": "443"}[at.Scheme])
	return strings.ToLower(at.Scheme+"://"+at.Hostname()) + ":" + port + strings.TrimRight(at.Path, "/")
}

func policyOf(jws any, keys []Key) *Policy {
	var said Policy
	fill(payloadOf(textOf(jws), "client-policy+jws", keys), &said)
	isWhole := said.MinClientVersion != nil && said.Revoked != nil && said.Version != nil && said.SignedAt != nil
	if !isWhole || said.Policy.TTLDays == nil || said.Policy.RecheckHours == nil {
		return nil
	}
	return &said
}

// isLater is false for a policy with a lower version than a known one, which is ignored.
func isLater(before, next *Policy) bool {
	return before == nil || *next.Version > *before.Version ||
		(*next.Version == *before.Version && *next.SignedAt >= *before.SignedAt)
}

// refusalOf returns the refusal in an answer to a license check, nil for a valid license, and whether the answer is
// trustworthy.
func (c *Client) refusalOf(got answer) (object, bool) {
	said, code := got.body, textOf(got.body["code"])
	refused := object{"code": code, "message": said["message"]}
	isFull := code == "device_limit_reached" || code == "session_limit_reached"
	if got.status == 409 && isFull {
		for _, name := range []string{"manage_url", "devices", "sessions"} {
			refused[name] = said[name]
		}
		return refused, true
	}
	product, _ := said["product"].(object)
	if got.status != 200 || product["id"] != float64(c.options.ProductID) || secondsOf(said["checked_at"]) == 0 {
		return nil, false
	}
	if said["valid"] == true {
		return nil, textOf(said["token"]) != ""
	}
	refused["access_expires_at"] = said["access_expires_at"]
	return refused, said["valid"] == false && states[code] != "" && !isFull
}

var version = regexp.MustCompile(`^v?(\d+(?:\.\d+)*?)(?:\.0+)*(?:-([\w.-]+))?(?:\+.*)?$`)

// isLower is true if a version is lower than another one (Semantic Versioning, section 11); false if either is not a
// version.
func isLower(mine, least string) bool {
	a, b := sortable(mine), sortable(least)
	return a != "" && b != "" && a < b
}

// sortable returns texts that sort like versions: numbers by value, before words, and a beta before its release.
func sortable(text string) string {
	found := version.FindStringSubmatch(strings.TrimSpace(text))
	if found == nil {
		return ""
	}
	for n, part := range found[1:] {
		words := strings.Split(cmp.Or(part, "~"), ".")
		for i, word := range words {
			if strings.Trim(word, "0123456789") == "" {
				digits := strings.TrimLeft(word, "0")
				words[i] = string(rune(' '+min(len(digits), 20))) + digits
			}
		}
		found[n+1] = strings.Join(words, "\x01")
	}
	return found[1] + "\x00" + found[2]
}

// ticked advances the remembered clock to a local moment, after seconds of this process: time is the latest moment
// known to have passed, and seen the local clock at that moment. least is the latest signed moment. isDue is true once
// time has moved by a minute, because writing at each call would wear the disk.
func ticked(kept object, now, elapsed, least float64) (at float64, isDue bool) {
	before, isKept := momentOf(kept["time"])
	seen, isSeen := momentOf(kept["seen"])
	switch {
	case !isKept || !isSeen:
		return max(now, least), true
	case now < seen:
		at = max(before+elapsed, now)
	// A clock without a battery was corrected.
	case before-seen > 365*day && now-seen > 365*day:
		at = max(before+elapsed, now)
	default:
		at = before + max(now-seen, elapsed)
	}
	at = max(at, least)
	return at, at-before >= 60 || now < seen
}

// judge returns the state of a license by the rules of the documentation's page of states, in their order: from the
// last answer, the claims of its token (nil if it is not valid), the policy, the remembered time, and the local clock.
func (c *Client) judge(kept, token object, policy *Policy, deviceID string, at, now float64) Status {
	refused, _ := kept["refusal"].(object)
	iat, _ := momentOf(token["iat"])
	exp, _ := momentOf(token["exp"])
	hours, version := float64(recheckHours), c.options.AppVersion
	if policy != nil {
		hours = *policy.Policy.RecheckHours
	}
	isOverdue := token["offline"] != true && at >= iat+hours*3600
	isTrial := token["trial"] == true
	accessEnd, isOther := secondsOf(token["access_expires_at"]), textOf(kept["app_version"]) != version
	state, code := "licensed", "valid"
	switch {
	case refused != nil:
		code = textOf(refused["code"])
		state = states[code]
	case textOf(kept["token"]) == "":
		state, code = "unknown", "never_checked"
	case token == nil:
		state, code = "unknown", "token_rejected"
	// The answer is older than the policy, whose revocations therefore apply.
	case policy != nil && secondsOf(*policy.SignedAt) >= iat &&
		slices.Contains(policy.Revoked, Revoked{c.options.ProductID, deviceID}):
		state, code = "revoked", "device_revoked"
	case isTrial && (at >= exp || accessEnd > 0 && at >= accessEnd):
		state, code = "expired", "trial_ended"
	case accessEnd > 0 && at >= accessEnd:
		state, code = "expired", "access_expired"
	case at >= exp && now < exp:
		state, code = "expired", "clock_set_back"
	case at >= exp:
		state, code = "expired", "offline_too_long"
	case token["uncovered_versions"] == "refused" && token["version_covered"] == false && !isOther:
		state, code = "expired", "version_not_covered"
	case isTrial:
		state = "trial"
	case isOverdue && token["perpetual"] != true:
		state, code = "grace", "check_overdue"
	}
	from := token
	if refused != nil {
		from = refused
	}
	status := Status{
		State: state, Code: code, ClockBack: at-now > tolerance, Features: []string{}, Metadata: texts{},
		Message: member[string](refused, "message"), ManageURL: member[string](refused, "manage_url"),
		AccessExpiresAt:       member[string](from, "access_expires_at"),
		UpdatesSupportedUntil: member[string](token, "updates_supported_until"),
		UpdateRequired:        version != "" && policy != nil && isLower(version, *policy.MinClientVersion),
	}
	fill(refused["devices"], &status.Devices)
	fill(refused["sessions"], &status.Sessions)
	isCalm := state == "licensed" || state == "trial"
	status.MayRun = isCalm || state == "grace"
	status.CheckDue = token["offline"] != true && (!isCalm || isOverdue || status.ClockBack || isOther)
	if status.MayRun {
		status.RunsUntil = isoOf(exp)
		status.addTerms(token)
	}
	if days := int(math.Ceil((exp - at) / day)); state == "trial" {
		status.DaysLeft = &days
	}
	if !isOther {
		status.VersionCovered = member[bool](token, "version_covered")
	}
	return status
}

// addTerms adds what a token says of the license. Members of other types count for nothing.
func (s *Status) addTerms(token object) {
	s.Edition, s.LeaseID = member[string](token, "edition"), member[string](token, "lease_id")
	features, _ := token["features"].([]any)
	for _, feature := range features {
		if name, isText := feature.(string); isText {
			s.Features = append(s.Features, name)
		}
	}
	metadata, _ := token["metadata"].(object)
	for name, value := range metadata {
		if text, isText := value.(string); isText {
			s.Metadata[name] = text
		}
	}
}
