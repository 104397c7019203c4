package accountservice

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

const (
	mostBytes  = 1 << 20 // The maximum size of an answer, and of a file of the store.
	mostNested = 100     // The maximum nesting of an answer.
)

// Error is the reason why a call failed. Status is 0 if there was no answer. Code is the API's, or one of the client's
// own: no_key, not_a_key, unreachable, cancelled, broken_answer, not_remembered, no_keys, wrong_file, not_written,
// wrong_sum, release_changed, expired_token, http_<status>. RetryAfter is in seconds; nil if the server gave none.
type Error struct {
	Status     int    `json:"status,omitempty"`
	Code       string `json:"code"`
	Message    string `json:"message"`
	RetryAfter *int   `json:"retry_after"`
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

func fail(code, message string) *Error { return &Error{Code: code, Message: message} }

func broken(status int) *Error {
	return &Error{Status: status, Code: "broken_answer", Message: "The answer is not one of the account service."}
}

// failed is the error of a request without an answer. The address in a url.Error may be a signed link.
func failed(ctx context.Context, err error) *Error {
	var why *url.Error
	if errors.As(err, &why) {
		err = why.Err
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return fail("cancelled", "The call was cancelled.")
	}
	return fail("unreachable", "The server can't be reached: "+err.Error())
}

type object = map[string]any
type texts = map[string]string

// parse reads a JSON object; nil for any other text. encoding/json would accept invalid UTF-8, and match the field
// names of a struct without regard to case.
func parse(text []byte) (read object) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(text) > mostBytes || !utf8.Valid(text) || json.Unmarshal(text, &read) != nil || isDeep(read, mostNested) {
		return nil
	}
	return read
}

func isDeep(value any, left int) bool {
	members, isList := value.([]any)
	if fields, isObject := value.(object); isObject {
		members = slices.Collect(maps.Values(fields))
	} else if !isList {
		return false
	}
	return left == 0 || slices.ContainsFunc(members, func(member any) bool { return isDeep(member, left-1) })
}

// fill reads a value into a struct. A field of the wrong type counts as absent.
func fill(value, into any) {
	text, _ := json.Marshal(value)
	_ = json.Unmarshal(text, into)
}

func textOf(value any) string {
	text, _ := value.(string)
	return text
}

// member is a field of this type; nil if there is none.
func member[T any](of object, name string) *T {
	if value, isOne := of[name].(T); isOne {
		return &value
	}
	return nil
}

// answer is an HTTP answer; body is nil if it is not a JSON object.
type answer struct {
	status int
	header http.Header
	body   object
}

func (a answer) retryAfter() *int {
	said, err := strconv.ParseUint(a.header.Get("Retry-After"), 10, 30)
	if wait := int(said); err == nil {
		return &wait
	}
	return nil
}

// fault returns the error of an answer whose status is not 2xx. OAuth has its message in error_description.
func (a answer) fault() *Error {
	said := cmp.Or(textOf(a.body["message"]), textOf(a.body["error_description"]), fmt.Sprintf("The server answered %d.", a.status))
	code := cmp.Or(textOf(a.body["error"]), textOf(a.body["code"]), fmt.Sprintf("http_%d", a.status))
	// The server's own message addresses people who create API keys.
	if code == "invalid_api_key" {
		said = "This license key is unknown, expired or revoked; paste the whole key, or sign in again."
	}
	return &Error{Status: a.status, Code: code, Message: said, RetryAfter: a.retryAfter()}
}

// good returns the answer if its status is 200 to 299, and its error otherwise. An answer with 200 must have a body.
func good(a answer, err error) (answer, error) {
	if err == nil && (a.status < 200 || a.status > 299) {
		err = a.fault()
	} else if err == nil && a.status == 200 && a.body == nil {
		err = broken(200)
	}
	return a, err
}

// send sends a request up to three times before its deadline: again after 429, 502, 503, 504 or no answer, once
// Retry-After, or one and then two seconds, have passed.
func (c *Client) send(ctx context.Context, method, to string, header texts, body []byte) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	deadline, _ := ctx.Deadline()
	for attempt := 1; ; attempt++ {
		var got answer
		response, err := c.open(ctx, c.http, method, to, header, body)
		if err == nil {
			var read []byte
			read, err = io.ReadAll(io.LimitReader(response.Body, mostBytes+1))
			_ = response.Body.Close()
			got = answer{response.StatusCode, response.Header, parse(read)}
		}
		switch status := got.status; {
		case err == nil && status < 400 && status > 299:
			return got, broken(status)
		case err == nil && status != 429 && (status < 502 || status > 504):
			return got, nil
		}
		seconds := attempt
		if said := got.retryAfter(); said != nil {
			seconds = *said
		}
		if wait := time.Duration(seconds) * time.Second; attempt < 3 && ctx.Err() == nil && time.Until(deadline) > wait {
			c.pause(ctx, wait)
		} else if err != nil {
			return got, failed(ctx, err)
		} else {
			return got, nil
		}
	}
}

func (c *Client) open(
	ctx context.Context, by *http.Client, method, to string, header texts, body []byte,
) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, to, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	began, said := time.Now(), "no answer"
	response, err := by.Do(request)
	if err == nil {
		said = strconv.Itoa(response.StatusCode)
	}
	c.log("%s %s %s in %.2f s", method, request.URL.Path, said, time.Since(began).Seconds())
	return response, err
}

func (c *Client) log(format string, about ...any) {
	if c.options.Log != nil {
		c.options.Log(fmt.Sprintf(format, about...))
	}
}

// pause waits, unless the call ends first.
func (c *Client) pause(ctx context.Context, wait time.Duration) {
	if c.options.Sleep != nil {
		c.options.Sleep(wait)
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
}
