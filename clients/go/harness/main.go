// The harness drives the client by lines of JSON, as ../js/harness.js does.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"example.com/accountservice"
)

type line struct {
	Do      string
	At      *time.Time
	Store   string
	File    string
	Key     *string
	Feature string
	Cancel  float64
	Calls   []line
	Options struct {
		API        string               `json:"api"`
		Issuer     string               `json:"issuer"`
		ProductID  int64                `json:"product_id"`
		DeviceID   string               `json:"device_id"`
		DeviceName *string              `json:"device_name"`
		AppVersion string               `json:"app_version"`
		Key        string               `json:"key"`
		Keys       []accountservice.Key `json:"keys"`
		Language   string               `json:"language"`
		Timeout    float64              `json:"timeout"`
		To         string               `json:"to"`
		Platform   string               `json:"platform"`
		ClientID   string               `json:"client_id"`
		BorrowDays int                  `json:"borrow_days"`
	}
	Choice struct{ Channel, Platform string }
}

var (
	now    = time.Now()
	client *accountservice.Client
	mu     sync.Mutex
	logged []string
	lost   []string
)

// shown is the time of the clock, which the renewal in the background reads too.
func shown() time.Time {
	mu.Lock()
	defer mu.Unlock()
	return now
}

func seconds(number float64) time.Duration { return time.Duration(number * float64(time.Second)) }

func run(l line, say func(any)) (any, error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if l.Cancel > 0 {
		time.AfterFunc(seconds(l.Cancel), stop)
	}
	switch l.Do {
	case "open":
		logged, lost = []string{}, []string{}
		client = accountservice.New(accountservice.Options{
			API: l.Options.API, Issuer: l.Options.Issuer, ProductID: l.Options.ProductID, DeviceID: l.Options.DeviceID,
			DeviceName: l.Options.DeviceName, AppVersion: l.Options.AppVersion, Key: l.Options.Key, Keys: l.Options.Keys,
			Language: l.Options.Language, Timeout: seconds(l.Options.Timeout), Store: accountservice.FileStore(l.Store),
			Now: shown, Sleep: func(time.Duration) {},
			Log: func(text string) {
				mu.Lock()
				defer mu.Unlock()
				logged = append(logged, text)
			},
		})
		return nil, nil
	case "log":
		return logged, nil
	case "lost":
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(lost), nil
	case "has":
		return client.Status().Has(l.Feature), nil
	case "start_trial":
		return client.StartTrial(ctx), nil
	case "lease":
		return client.Lease(ctx, accountservice.LeaseOptions{BorrowDays: l.Options.BorrowDays, OnLost: func(status accountservice.Status) {
			mu.Lock()
			defer mu.Unlock()
			lost = append(lost, status.Code)
		}}), nil
	case "close":
		return client.Close(ctx), nil
	case "together":
		said := make([]any, len(l.Calls))
		var all sync.WaitGroup
		for n, call := range l.Calls {
			all.Add(1)
			go func() {
				defer all.Done()
				said[n] = answer(run(call, say))
			}()
		}
		all.Wait()
		return said, nil
	case "status":
		return client.Status(), nil
	case "check":
		return client.Check(ctx), nil
	case "activate":
		if l.Key == nil {
			return client.Activate(ctx), nil
		}
		return client.Activate(ctx, *l.Key), nil
	case "release":
		released, message, err := client.Release(ctx)
		return map[string]any{"released": released, "message": message}, err
	case "policy":
		policy, err := client.Policy(ctx)
		if policy == nil {
			return nil, err
		}
		return policy, err
	case "updates":
		return client.Updates(ctx, accountservice.Choice{Channel: l.Choice.Channel, Platform: l.Choice.Platform})
	case "install":
		var received int64
		choice := accountservice.Choice{Platform: l.Options.Platform}
		plan, err := client.Install(ctx, l.Options.To, choice, func(got, _ int64) { received = got })
		return map[string]any{"version": plan.Version, "filename": plan.Filename, "received": received}, err
	case "sign_in":
		name := ""
		if l.Options.DeviceName != nil {
			name = *l.Options.DeviceName
		}
		return client.SignIn(ctx, l.Options.ClientID, name, func(code accountservice.Code) { say(map[string]any{"code": code}) })
	case "offline_request":
		return client.OfflineRequest()
	case "activate_offline":
		return client.ActivateOffline(l.File), nil
	}
	return nil, errors.New("unknown: " + l.Do)
}

func answer(ok any, err error) any {
	var why *accountservice.Error
	switch {
	case err == nil:
		return map[string]any{"ok": nulled(ok)}
	case errors.As(err, &why):
		return nulled(map[string]any{"error": why})
	}
	return map[string]any{"error": map[string]string{"code": "crashed", "message": err.Error()}}
}

// nulled replaces the status of an error without an answer by null, as in the other clients.
func nulled(value any) any {
	text, _ := json.Marshal(value)
	var read any
	_ = json.Unmarshal(text, &read)
	if said, isObject := read.(map[string]any); isObject {
		if why, isError := said["error"].(map[string]any); isError && why["status"] == nil {
			why["status"] = nil
		}
	}
	return read
}

func main() {
	out := json.NewEncoder(os.Stdout)
	say := func(value any) { _ = out.Encode(value) }
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			panic(err)
		}
		if l.At != nil {
			mu.Lock()
			now = *l.At
			mu.Unlock()
		}
		say(answer(run(l, say)))
	}
}
