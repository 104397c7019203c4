package accountservice

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// attempts is how often a download that broke off goes on without a further byte, before it gives up.
const attempts = 4

// Plan is ProductInstallData of the API. Size is in bytes.
type Plan struct {
	ProductID   int64  `json:"product_id"`
	Version     string `json:"version"`
	Filename    string `json:"filename"`
	SHA256      string `json:"sha256"`
	Size        int64  `json:"size"`
	DownloadURL string `json:"download_url"`
	ReleaseID   *int64 `json:"release_id"`
}

// Install downloads a release to a path, goes on where a download broke off, and puts the file in place once its sum is
// right. onProgress, which may be nil, gets the bytes received and those in all.
func (c *Client) Install(ctx context.Context, to string, wish Wish, onProgress func(received, total int64)) (Plan, error) {
	ask := func() (Plan, error) {
		var said struct{ Data Plan }
		err := c.ask(ctx, "GET", c.product("/install")+c.query(wish, ""), nil, &said)
		if err == nil && said.Data.DownloadURL == "" {
			err = broken(200)
		}
		return said.Data, err
	}
	plan, err := ask()
	if err != nil {
		return plan, err
	}
	if onProgress == nil {
		onProgress = func(int64, int64) {}
	}
	if err := c.download(ctx, plan, ask, to, onProgress); err != nil {
		return plan, err
	}
	// The file is in place; a key that may not record it is no reason to fail.
	_, _ = c.call(ctx, "POST", "/api/device/installs", object{
		"product_id": plan.ProductID, "version": plan.Version, "release_id": plan.ReleaseID,
		"artifact_sha256": plan.SHA256, "installed_at": *isoOf(float64(c.now())),
	}, map[string]string{"Idempotency-Key": rand.Text()})
	return plan, nil
}

func (c *Client) download(
	ctx context.Context, plan Plan, ask func() (Plan, error), to string, onProgress func(received, total int64),
) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	sum := strings.ToLower(plan.SHA256)
	// The name has the sum, so that a download goes on with its own bytes alone.
	part := to + "." + sum[:min(16, len(sum))] + ".part"
	file, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil && size > plan.Size {
		size, err = 0, file.Truncate(0)
	}
	if err != nil {
		return err
	}
	onProgress(size, plan.Size)
	current := plan
	for failed := 0; size < plan.Size; {
		before := size
		err := c.takePart(ctx, current, file, &size, onProgress)
		if err == nil && size < plan.Size {
			err = errors.New("The download broke off.")
		}
		if err == nil {
			break
		}
		failed++
		if size > before {
			failed = 1
		}
		var why *Error
		if !errors.As(err, &why) {
			why = &Error{Code: "unreachable", Message: err.Error()}
		}
		wait := time.Duration(failed) * time.Second
		if why.RetryAfter != nil {
			wait = time.Duration(*why.RetryAfter) * time.Second
		}
		if failed == attempts || ctx.Err() != nil || (why.RetryAfter != nil && wait > c.options.MaxWait) {
			return why
		}
		c.options.Sleep(wait)
		if why.Status != 0 && why.Status < 429 {
			if current, err = ask(); err != nil {
				return err
			}
			if !strings.EqualFold(current.SHA256, sum) {
				return &Error{Code: "release_changed", Message: "A newer release came out; install again."}
			}
		}
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(file, 0, size)); err != nil {
		return err
	}
	if hex.EncodeToString(hash.Sum(nil)) != sum {
		_ = file.Close()
		return errors.Join(&Error{Code: "wrong_sum", Message: "The file that came is not the one of the plan."}, os.Remove(part))
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(part, to)
}

// takePart writes what comes of a file behind the bytes that are there. The link is signed: it gets no key.
func (c *Client) takePart(
	ctx context.Context, plan Plan, file *os.File, size *int64, onProgress func(received, total int64),
) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	header := map[string]string{}
	if *size > 0 {
		header["Range"] = fmt.Sprintf("bytes=%d-", *size)
	}
	// A download that stalls ends; one that goes on may take as long as it does.
	stalled := time.AfterFunc(c.options.Timeout, stop)
	defer stalled.Stop()
	response, err := c.open(ctx, "GET", plan.DownloadURL, header, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode > 299 {
		body, _ := io.ReadAll(io.LimitReader(response.Body, 65_536))
		return errorOf(&answer{response.StatusCode, response.Header, body})
	}
	isPart := response.StatusCode == 206 &&
		strings.HasPrefix(response.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", *size))
	if *size > 0 && !isPart {
		*size = 0
		if err := file.Truncate(0); err != nil {
			return err
		}
	}
	block := make([]byte, 1<<16)
	// More than the plan says is another file, whose sum is wrong.
	for *size < plan.Size {
		n, err := response.Body.Read(block[:min(int64(len(block)), plan.Size-*size)])
		stalled.Reset(c.options.Timeout)
		if n > 0 {
			if _, err := file.WriteAt(block[:n], *size); err != nil {
				return err
			}
			*size += int64(n)
			onProgress(*size, plan.Size)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
