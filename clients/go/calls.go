package accountservice

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Error says why a call failed. Status is 0 where no answer came. Code is the API's, or one of the client's own:
// no_key, unreachable, broken_answer, not_remembered, no_keys, wrong_file, wrong_sum, release_changed, expired_token,
// http_<status>. RetryAfter is in seconds; nil where the server said none.
type Error struct {
	Status     int    `json:"-"`
	Code       string `json:"code"`
	Message    string `json:"message"`
	RetryAfter *int   `json:"retry_after"`
}

func (e *Error) Error() string { return e.Message }

// MarshalJSON writes a missing status as null.
func (e *Error) MarshalJSON() ([]byte, error) {
	type plain Error
	var status *int
	if e.Status != 0 {
		status = &e.Status
	}
	return json.Marshal(struct {
		Status *int `json:"status"`
		*plain
	}{status, (*plain)(e)})
}

func broken(status int) *Error {
	return &Error{Status: status, Code: "broken_answer", Message: "The answer is not one of the account service."}
}

// answer is an HTTP answer of which the body has been read.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// mostBytes is the most of an answer that is no download.
const mostBytes = 8 << 20

func (a *answer) read(into any) error {
	if json.Unmarshal(a.body, into) != nil {
		return broken(a.status)
	}
	return nil
}

func retryAfter(header http.Header) *int {
	said, err := strconv.ParseUint(header.Get("Retry-After"), 10, 30)
	if err != nil {
		return nil
	}
	wait := int(said)
	return &wait
}

// good gives the answer, where its status is 200 to 299, and its error otherwise. OAuth has its sentence in
// error_description.
func good(a *answer, err error) (*answer, error) {
	if err != nil {
		return nil, err
	}
	if a.status >= 200 && a.status < 300 {
		return a, nil
	}
	return nil, errorOf(a)
}

func errorOf(a *answer) *Error {
	var said struct {
		Code, Error, Message string
		Description          string `json:"error_description"`
	}
	_ = json.Unmarshal(a.body, &said)
	return &Error{
		Status: a.status, RetryAfter: retryAfter(a.header),
		Code:    cmp.Or(said.Error, said.Code, fmt.Sprintf("http_%d", a.status)),
		Message: cmp.Or(said.Message, said.Description, fmt.Sprintf("The server answered %d.", a.status)),
	}
}

func isBusy(status int) bool { return status == 429 || (status >= 502 && status <= 504) }

// send sends a request up to three times: again after 429, 502, 503, 504 and where no answer comes, once Retry-After has
// passed, or one and two seconds. It waits at most MaxWait in all. The error is unreachable without an answer.
func (c *Client) send(ctx context.Context, method, url string, header map[string]string, body []byte) (*answer, error) {
	left := c.options.MaxWait
	for attempt := 1; ; attempt++ {
		got, err := c.once(ctx, method, url, header, body)
		if err == nil && !isBusy(got.status) {
			return got, nil
		}
		wait := time.Duration(attempt) * time.Second
		if err == nil {
			if said := retryAfter(got.header); said != nil {
				wait = time.Duration(*said) * time.Second
			}
		}
		if attempt == 3 || wait > left || ctx.Err() != nil {
			if err != nil {
				return nil, &Error{Code: "unreachable", Message: "The server can't be reached: " + err.Error()}
			}
			return got, nil
		}
		left -= wait
		c.options.Sleep(wait)
	}
}

func (c *Client) once(ctx context.Context, method, url string, header map[string]string, body []byte) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	response, err := c.open(ctx, method, url, header, body)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(io.LimitReader(response.Body, mostBytes))
	return &answer{response.StatusCode, response.Header, read}, err
}

func (c *Client) open(
	ctx context.Context, method, url string, header map[string]string, body []byte,
) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range header {
		request.Header.Set(name, value)
	}
	return c.http.Do(request)
}
