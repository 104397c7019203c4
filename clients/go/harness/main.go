// The harness drives the client by lines of JSON, as ../js/harness.js does.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"accountservice"
)

type line struct {
	Do      string
	At      *time.Time
	Store   string
	File    string
	Key     string
	Options struct {
		API        string               `json:"api"`
		ProductID  int64                `json:"product_id"`
		DeviceID   string               `json:"device_id"`
		AppVersion string               `json:"app_version"`
		Key        string               `json:"key"`
		Keys       []accountservice.Key `json:"keys"`
		To         string               `json:"to"`
		Platform   string               `json:"platform"`
		ClientID   string               `json:"client_id"`
		DeviceName string               `json:"device_name"`
	}
	Wish struct{ Channel, Platform string }
}

var now = time.Now()

func run(c **accountservice.Client, l line, say func(any)) (any, error) {
	ctx := context.Background()
	switch l.Do {
	case "open":
		*c = accountservice.New(accountservice.Options{
			API: l.Options.API, ProductID: l.Options.ProductID, DeviceID: l.Options.DeviceID, Key: l.Options.Key,
			AppVersion: l.Options.AppVersion, Keys: l.Options.Keys, Store: accountservice.FileStore(l.Store),
			Now: func() time.Time { return now }, Sleep: func(time.Duration) {},
		})
		return nil, nil
	case "status":
		return (*c).Status(), nil
	case "check":
		return (*c).Check(ctx), nil
	case "activate":
		return (*c).Activate(ctx, l.Key), nil
	case "release":
		released, message, err := (*c).Release(ctx)
		return map[string]any{"released": released, "message": message}, err
	case "policy":
		policy, err := (*c).Policy(ctx)
		if policy == nil {
			return nil, err
		}
		return policy, err
	case "updates":
		return (*c).Updates(ctx, accountservice.Wish{Channel: l.Wish.Channel, Platform: l.Wish.Platform})
	case "install":
		var received int64
		wish := accountservice.Wish{Platform: l.Options.Platform}
		plan, err := (*c).Install(ctx, l.Options.To, wish, func(got, _ int64) { received = got })
		return map[string]any{"version": plan.Version, "filename": plan.Filename, "received": received}, err
	case "sign_in":
		show := func(code accountservice.Code) { say(map[string]any{"code": code}) }
		return (*c).SignIn(ctx, l.Options.ClientID, l.Options.DeviceName, show)
	case "offline_request":
		return (*c).OfflineRequest()
	case "activate_offline":
		return (*c).ActivateOffline(l.File), nil
	}
	return nil, errors.New("unknown: " + l.Do)
}

func main() {
	out := json.NewEncoder(os.Stdout)
	say := func(value any) { _ = out.Encode(value) }
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	var client *accountservice.Client
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			panic(err)
		}
		if l.At != nil {
			now = *l.At
		}
		ok, err := run(&client, l, say)
		var why *accountservice.Error
		switch {
		case err == nil:
			say(map[string]any{"ok": ok})
		case errors.As(err, &why):
			say(map[string]any{"error": why})
		default:
			say(map[string]any{"error": map[string]string{"code": "crashed", "message": err.Error()}})
		}
	}
}
