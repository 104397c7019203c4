package accountservice

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
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
	plan, err := c.plan(ctx, wish)
	if err != nil {
		return plan, err
	}
	part, err := c.part(to, strings.ToLower(plan.SHA256)[:16])
	if err != nil {
		return plan, fail("not_written", err.Error())
	}
	if onProgress == nil {
		onProgress = func(int64, int64) {}
	}
	if err = c.download(ctx, wish, plan, part, onProgress); err == nil {
		if err = cmp.Or(part.Sync(), part.Close(), rename(part.Name(), to)); err != nil {
			err = fail("not_written", err.Error())
		}
	}
	_ = part.Close()
	if err != nil {
		return plan, err
	}
	// The file is in place; a key that may not record it is no reason to fail.
	_, _ = c.call(ctx, "POST", "/api/device/installs", object{
		"product_id": plan.ProductID, "version": plan.Version, "release_id": plan.ReleaseID,
		"artifact_sha256": plan.SHA256, "installed_at": *isoOf(c.now()),
	})
	return plan, nil
}

func (c *Client) plan(ctx context.Context, wish Wish) (plan Plan, err error) {
	got, err := c.call(ctx, "GET", c.wished("/install", wish, ""), nil)
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

// part opens a new file beside the target. It takes over the bytes of a download that ended, which has a name with the same
// sum and was written to no more for two timeouts: the rename lets no two processes have one.
func (c *Client) part(to, sum string) (*os.File, error) {
	folder, name := filepath.Split(filepath.Clean(to))
	stem := filepath.Join(folder, "."+name+"."+sum+".")
	mine := stem + rand.Text() + ".part"
	if err := os.MkdirAll(filepath.Clean(folder), 0o755); err != nil {
		return nil, err
	}
	now := time.Now()
	entries, _ := os.ReadDir(cmp.Or(folder, "."))
	for _, entry := range entries {
		old := filepath.Join(folder, entry.Name())
		info, err := entry.Info()
		isEnded := err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > 2*c.options.Timeout
		// A touched one is nobody else's to take over, as soon as it has its new name.
		if !isEnded || !strings.HasPrefix(old, stem) || os.Chtimes(old, now, now) != nil || os.Rename(old, mine) != nil {
			continue
		}
		file, err := os.OpenFile(mine, os.O_RDWR, 0)
		if err == nil {
			if opened, err := file.Stat(); err == nil && os.SameFile(info, opened) {
				return file, nil
			}
			_ = file.Close()
		}
		_ = os.Remove(mine)
	}
	return os.OpenFile(mine, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

func (c *Client) download(
	ctx context.Context, wish Wish, plan Plan, part *os.File, onProgress func(received, total int64),
) error {
	size, err := part.Seek(0, io.SeekEnd)
	restart := func() error {
		size = 0
		return part.Truncate(0)
	}
	if err == nil && size > plan.Size {
		err = restart()
	}
	onProgress(size, plan.Size)
	for failed := 0; err == nil && size < plan.Size; {
		before := size
		why := c.takePart(ctx, plan, part, &size, restart, onProgress)
		if why == nil {
			break
		}
		failed++
		if size > before {
			failed = 1
		}
		wait := time.Duration(*cmp.Or(why.RetryAfter, &failed)) * time.Second
		if failed == attempts || ctx.Err() != nil || why.Code == "not_written" || wait > c.options.Timeout {
			// The next install may go on at once.
			if _ = os.Chtimes(part.Name(), time.Time{}, time.Unix(0, 0)); size == 0 {
				_ = os.Remove(part.Name())
			}
			return why
		}
		c.pause(ctx, wait)
		if why.Status != 0 && why.Status < 429 && why.Status != 416 {
			next, err := c.plan(ctx, wish)
			if err != nil {
				return err
			}
			if !strings.EqualFold(next.SHA256, plan.SHA256) {
				return fail("release_changed", "A newer release came out; install again.")
			}
			plan.DownloadURL = next.DownloadURL
		}
	}
	hash := sha256.New()
	if err == nil {
		_, err = io.Copy(hash, io.NewSectionReader(part, 0, size))
	}
	if err != nil {
		return fail("not_written", err.Error())
	}
	if hex.EncodeToString(hash.Sum(nil)) != strings.ToLower(plan.SHA256) {
		_, _ = part.Close(), os.Remove(part.Name())
		return fail("wrong_sum", "The file that came is not the one of the plan.")
	}
	return nil
}

// takePart writes what comes of a file behind the bytes that are there. The link is signed: it gets no key, and a host to
// which it redirects gets no link.
func (c *Client) takePart(
	ctx context.Context, plan Plan, part *os.File, size *int64, restart func() error, onProgress func(received, total int64),
) *Error {
	stalling, stop := context.WithCancel(ctx)
	defer stop()
	// A download that stalls ends; one that goes on may take as long as it does.
	stalled := time.AfterFunc(c.options.Timeout, stop)
	defer stalled.Stop()
	follow := func(next *http.Request, before []*http.Request) error {
		next.Header.Del("Referer")
		if len(before) > 5 {
			return http.ErrUseLastResponse
		}
		return nil
	}
	header := texts{"Accept-Encoding": "identity"}
	if *size > 0 {
		header["Range"] = fmt.Sprintf("bytes=%d-", *size)
	}
	by := &http.Client{CheckRedirect: follow, Transport: c.options.Transport}
	response, err := c.open(stalling, by, "GET", plan.DownloadURL, header, nil)
	if err != nil {
		return failed(ctx, err)
	}
	defer response.Body.Close()
	status := response.StatusCode
	isPart := status == 206 && strings.HasPrefix(response.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", *size))
	if *size > 0 && !isPart && (status < 300 || status == 416) {
		err = restart()
	}
	if err != nil {
		return fail("not_written", err.Error())
	}
	if status < 200 || status > 299 {
		body, _ := io.ReadAll(io.LimitReader(response.Body, mostBytes))
		return answer{status, response.Header, parse(body)}.fault()
	}
	block := make([]byte, 1<<16)
	// More than the plan says is another file, whose sum is wrong.
	for *size <= plan.Size {
		n, err := response.Body.Read(block[:min(int64(len(block)), plan.Size+1-*size)])
		stalled.Reset(c.options.Timeout)
		if _, wrong := part.WriteAt(block[:n], *size); wrong != nil {
			return fail("not_written", wrong.Error())
		}
		*size += int64(n)
		onProgress(*size, plan.Size)
		if err != nil && *size < plan.Size {
			return failed(ctx, err)
		}
		if err != nil {
			break
		}
	}
	return nil
}
