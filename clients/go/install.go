package accountservice

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// attempts is the number of attempts without a further byte after which a download gives up.
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

// Install downloads a release to a path, resumes an interrupted download, and moves the file into place once its
// checksum is right. onProgress, which may be nil, receives the number of bytes so far and in total.
func (c *Client) Install(ctx context.Context, to string, choice Choice, onProgress func(received, total int64)) (Plan, error) {
	plan, err := c.plan(ctx, choice)
	if err != nil {
		return plan, err
	}
	if onProgress == nil {
		onProgress = func(int64, int64) {}
	}
	d := &download{c: c, ctx: ctx, plan: plan, onProgress: onProgress}
	defer func() { _ = d.part.Close() }()
	if err = d.open(to, strings.ToLower(plan.SHA256)[:16]); err == nil {
		err = d.take(choice)
		err = cmp.Or(err, d.part.Sync(), d.part.Close())
	}
	if err == nil {
		err = rename(d.part.Name(), to)
	}
	var why *Error
	if err != nil && !errors.As(err, &why) {
		err = fail("not_written", err.Error())
	}
	if err != nil {
		return plan, err
	}
	// The file is installed; a key without the ability to record it must not fail the call.
	_, _ = c.call(ctx, "POST", "/api/device/installs", object{
		"product_id": plan.ProductID, "version": plan.Version, "release_id": plan.ReleaseID,
		"artifact_sha256": plan.SHA256, "installed_at": *isoOf(c.now()),
	})
	return plan, nil
}

func (c *Client) plan(ctx context.Context, choice Choice) (plan Plan, err error) {
	got, err := c.call(ctx, "GET", c.chosen("/install", choice, ""), nil)
	if err != nil {
		return plan, err
	}
	fill(got.body["data"], &plan)
	sum, err := hex.DecodeString(plan.SHA256)
	if err != nil || len(sum) != sha256.Size || plan.Size < 0 || plan.DownloadURL == "" {
		return plan, broken(200)
	}
	return plan, nil
}

// download is a file in transit: the part has size bytes. An error other than Error comes from the disk.
type download struct {
	c          *Client
	ctx        context.Context
	plan       Plan
	part       *os.File
	size       int64
	onProgress func(received, total int64)
	stalled    *time.Timer
	fault      error // The last write's.
}

// open creates a part beside the target. It takes over the bytes of an interrupted download: a file with the same
// checksum in its name that nobody has written to for two timeouts. Only one of two processes can rename it, and
// touching it marks it as in use.
func (d *download) open(to, sum string) (err error) {
	folder, stem, now := filepath.Dir(to), "."+filepath.Base(to)+"."+sum+".", time.Now()
	mine := filepath.Join(folder, stem+rand.Text()+".part")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		old := filepath.Join(folder, entry.Name())
		info, err := entry.Info()
		isEnded := err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > 2*d.c.options.Timeout
		if !isEnded || !strings.HasPrefix(entry.Name(), stem) || os.Chtimes(old, now, now) != nil || os.Rename(old, mine) != nil {
			continue
		}
		if d.part, err = os.OpenFile(mine, os.O_RDWR, 0); err == nil {
			// A link may have taken its name.
			if opened, err := d.part.Stat(); err == nil && os.SameFile(info, opened) {
				d.size = opened.Size()
				return nil
			}
			_ = d.part.Close()
		}
		_ = os.Remove(mine)
	}
	d.part, err = os.OpenFile(mine, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	return err
}

func (d *download) restart() error {
	d.size = 0
	return d.part.Truncate(0)
}

func (d *download) take(choice Choice) error {
	if d.size > d.plan.Size {
		if err := d.restart(); err != nil {
			return err
		}
	}
	d.onProgress(d.size, d.plan.Size)
	for failed := 0; d.size < d.plan.Size; {
		before := d.size
		err := d.takeMore()
		if err == nil {
			break
		}
		failed++
		if d.size > before {
			failed = 1
		}
		why, isAnswer := err.(*Error)
		if !isAnswer {
			return err
		}
		wait := time.Duration(*cmp.Or(why.RetryAfter, &failed)) * time.Second
		if failed == attempts || d.ctx.Err() != nil || wait > d.c.options.Timeout {
			// The next install may resume immediately.
			if _ = os.Chtimes(d.part.Name(), time.Time{}, time.Unix(0, 0)); d.size == 0 {
				_ = os.Remove(d.part.Name())
			}
			return err
		}
		d.c.pause(d.ctx, wait)
		if why.Status == 0 || why.Status >= 429 || why.Status == 416 {
			continue
		}
		next, err := d.c.plan(d.ctx, choice)
		if err == nil && !strings.EqualFold(next.SHA256, d.plan.SHA256) {
			err = fail("release_changed", "A newer release came out; install again.")
		}
		if err != nil {
			return err
		}
		d.plan.DownloadURL = next.DownloadURL
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(d.part, 0, d.size)); err != nil {
		return err
	}
	if hex.EncodeToString(hash.Sum(nil)) != strings.ToLower(d.plan.SHA256) {
		_, _ = d.part.Close(), os.Remove(d.part.Name())
		return fail("wrong_sum", "The file that came is not the one of the plan.")
	}
	return nil
}

// takeMore appends the rest of the file. The link is signed: the request has no key, and a host to which it redirects
// does not see the link.
func (d *download) takeMore() error {
	ctx, stop := context.WithCancel(d.ctx)
	defer stop()
	// A stalled download ends; one that makes progress may take any time.
	d.stalled = time.AfterFunc(d.c.options.Timeout, stop)
	defer d.stalled.Stop()
	follow := func(next *http.Request, before []*http.Request) error {
		if next.Header.Del("Referer"); len(before) > 5 {
			return http.ErrUseLastResponse
		}
		return nil
	}
	header := texts{"Accept-Encoding": "identity"}
	if d.size > 0 {
		header["Range"] = fmt.Sprintf("bytes=%d-", d.size)
	}
	by := &http.Client{CheckRedirect: follow, Transport: d.c.options.Transport}
	response, err := d.c.open(ctx, by, "GET", d.plan.DownloadURL, header, nil)
	if err != nil {
		return failed(d.ctx, err)
	}
	defer response.Body.Close()
	status := response.StatusCode
	isPart := status == 206 && strings.HasPrefix(response.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", d.size))
	if d.size > 0 && !isPart && (status < 300 || status == 416) {
		if err := d.restart(); err != nil {
			return err
		}
	}
	if status > 299 {
		body, _ := io.ReadAll(io.LimitReader(response.Body, mostBytes))
		return answer{status, response.Header, parse(body)}.fault()
	}
	// More bytes than the plan has mean another file, whose checksum is wrong.
	_, err = io.Copy(d, io.LimitReader(response.Body, d.plan.Size+1-d.size))
	if d.fault != nil || d.size >= d.plan.Size {
		return d.fault
	}
	return failed(d.ctx, cmp.Or(err, io.ErrUnexpectedEOF))
}

// Write appends bytes, and restarts the wait for the next ones.
func (d *download) Write(bytes []byte) (n int, err error) {
	n, d.fault = d.part.WriteAt(bytes, d.size)
	d.size += int64(n)
	d.stalled.Reset(d.c.options.Timeout)
	d.onProgress(d.size, d.plan.Size)
	return n, d.fault
}
