package accountservice

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	checkPath = "/api/license/check"
	trialPath = "/api/license/trial"
	leasePath = "/api/license/lease"

	look         = 10  // Seconds between two looks at the clocks, so that a lease is renewed soon after the machine slept.
	afterLoss    = 60  // Seconds between two attempts to get back a lease that has ended.
	longestRetry = 300 // The most seconds between two attempts to renew a lease.
)

// LeaseOptions of Lease. BorrowDays holds the slot for so many days, in which the application may run offline. OnLost is
// called with the status, in another goroutine, each time that a renewal ends with an application that may not run.
type LeaseOptions struct {
	BorrowDays int
	OnLost     func(Status)
}

// lease is the slot that this client took, and the answer to remember.
type lease struct {
	id, renewAfter, borrowedUntil string
	answer                        object
}

// StartTrial starts the trial of this device, which has one. It does nothing while a license runs.
func (c *Client) StartTrial(ctx context.Context) Status {
	ctx, end := c.begin(ctx)
	defer end()
	var err error
	if status := c.Status(); !status.MayRun || status.State == "trial" {
		err = c.askTrial(ctx)
	}
	return c.withError(err)
}

// askTrial starts the trial of this device, or asks for it again.
func (c *Client) askTrial(ctx context.Context) error {
	present := c.key()
	said, err := c.ask(ctx, "", trialPath, nil)
	if err == nil && c.key() == present {
		c.take(said)
	}
	return err
}

// Lease takes a slot of a floating license, and renews it in the background until Close, Release or a refusal. Without
// an answer, it tries again, also after the slot has ended. Check and Activate take a slot too, but only this keeps it.
func (c *Client) Lease(ctx context.Context, options LeaseOptions) Status {
	ctx, end := c.begin(ctx)
	defer end()
	err := c.renewLease(ctx, options.BorrowDays)
	if err == nil {
		_, _ = c.policy(ctx)
	}
	status := c.withError(err)
	keeping, stop := context.WithCancel(context.Background())
	c.stopKeeping(stop)
	if status.LeaseID != nil {
		go c.keepLease(keeping, status, options.OnLost)
	}
	return status
}

// Close ends the renewal, and gives the slot of a lease back, unless it is borrowed. Call it at exit.
func (c *Client) Close(ctx context.Context) Status {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	ctx, end := c.begin(ctx)
	defer end()
	c.stopKeeping(nil)
	var err error
	// A token of another process is one that renewed this lease since, and uses it.
	if held := c.held.Load(); held != nil && held.borrowedUntil == "" &&
		c.load("answer" + c.product)["token"] == held.answer["token"] {
		_, err = c.giveBack(ctx, held.id)
	}
	return c.withError(err)
}

// stopKeeping ends the renewal in the background. next ends the one that follows.
func (c *Client) stopKeeping(next context.CancelFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stop != nil {
		c.stop()
	}
	c.stop = next
}

// leaseID is the lease of this client, or the remembered one; empty if there is none. A remembered lease that has ended
// is not renewed: machines that were cloned from one image would share it.
func (c *Client) leaseID(status Status) string {
	if held := c.held.Load(); held != nil {
		return held.id
	}
	if status.LeaseID != nil {
		return *status.LeaseID
	}
	return ""
}

// renewLease takes, renews or borrows a lease.
func (c *Client) renewLease(ctx context.Context, borrowDays int) error {
	status, present, more := c.Status(), c.key(), object{}
	if id := c.leaseID(status); id != "" {
		more["lease_id"] = id
	}
	if borrowDays != 0 {
		more["borrow_days"] = borrowDays
	}
	said, err := c.ask(ctx, present, leasePath, more)
	if err == nil && status.State == "trial" {
		err = said.refused()
	}
	if err == nil && c.key() == present {
		c.take(said)
	}
	return err
}

func (c *Client) giveBack(ctx context.Context, id string) (bool, error) {
	got, err := c.call(ctx, "POST", leasePath+"/return", object{"product_id": c.options.ProductID, "lease_id": id})
	if err != nil {
		return false, err
	}
	c.held.Store(nil)
	isReturned := got.body["returned"] == true
	if isReturned {
		c.set("answer"+c.product, "")
	}
	return isReturned, nil
}

// keepLease renews the lease until it is given back or refused.
func (c *Client) keepLease(keeping context.Context, status Status, onLost func(Status)) {
	for {
		hasFailed, mayRun := status.Error != nil && status.Error.Code != "not_remembered", status.MayRun
		if !mayRun && !hasFailed {
			return
		}
		c.mu.Lock()
		at := c.at
		c.mu.Unlock()
		wait := float64(afterLoss)
		if mayRun {
			left := secondsOf(*status.RunsUntil) - at
			wait = left / 2
			if held := c.held.Load(); hasFailed {
				wait = min(left/4, longestRetry)
			} else if held != nil && secondsOf(held.renewAfter) != 0 {
				wait = secondsOf(held.renewAfter) - at
			}
		}
		// Machines that were started together spread their requests.
		if !c.hasPassed(keeping, max(wait*(0.9+rand.Float64()/10), 1)) {
			return
		}
		ctx, end := c.begin(context.Background())
		var err error
		// A release that ran meanwhile must not be undone.
		if keeping.Err() == nil {
			err = c.renewLease(ctx, 0)
		}
		status = c.withError(err)
		end()
		if mayRun && !status.MayRun && onLost != nil && keeping.Err() == nil {
			onLost(status)
		}
	}
}

// hasPassed waits some seconds of either clock: the monotonic one may stand still while a machine sleeps. It is false
// if the renewal ends before.
func (c *Client) hasPassed(keeping context.Context, seconds float64) bool {
	began, seen := time.Now(), c.now()
	for keeping.Err() == nil {
		rest := seconds - max(time.Since(began).Seconds(), c.now()-seen)
		if rest <= 0 {
			return true
		}
		select {
		case <-keeping.Done():
		case <-time.After(time.Duration(min(rest, look) * float64(time.Second))):
		}
	}
	return false
}
