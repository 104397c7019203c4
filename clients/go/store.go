package accountservice

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Store stores texts by name. Get returns an empty text if there is none; Set stores a text durably, and removes it if
// it is empty.
type Store interface {
	Get(name string) (string, error)
	Set(name, text string) error
}

// Creator is a Store that can create a text exclusively, so that processes agree on the id of their device. Create
// returns false if the name already has a text.
type Creator interface {
	Create(name, text string) (bool, error)
}

type memoryStore struct{ texts sync.Map }

// MemoryStore is a store that ends with the process.
func MemoryStore() Store { return &memoryStore{} }

func (s *memoryStore) Get(name string) (string, error) {
	text, _ := s.texts.Load(name)
	return textOf(text), nil
}

func (s *memoryStore) Set(name, text string) error {
	s.texts.Store(name, text)
	return nil
}

// FileStore is a folder with one file for each name, readable only by its owner.
type FileStore string

func (folder FileStore) path(name string) string { return filepath.Join(string(folder), name+".json") }

// Get reads the text of a name.
func (folder FileStore) Get(name string) (string, error) {
	info, err := os.Stat(folder.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	// A pipe would block, and a device file never end.
	if err == nil && (!info.Mode().IsRegular() || info.Size() > mostBytes) {
		err = fmt.Errorf("%s is no file of the store", folder.path(name))
	}
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(folder.path(name))
	return string(text), err
}

// Set replaces the file by an atomic rename: after a power failure it has the old text or the new one.
func (folder FileStore) Set(name, text string) error {
	if text == "" {
		if err := os.Remove(folder.path(name)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	draft, err := folder.draft(name, text)
	defer os.Remove(draft)
	return cmp.Or(err, rename(draft, folder.path(name)))
}

// Create creates the file by a hard link, which is atomic and fails if the name is taken. Some network drives have no
// links.
func (folder FileStore) Create(name, text string) (bool, error) {
	draft, err := folder.draft(name, text)
	defer os.Remove(draft)
	if err == nil {
		err = os.Link(draft, folder.path(name))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = write(folder.path(name), text)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

func (folder FileStore) draft(name, text string) (string, error) {
	draft := folder.path(name) + "." + rand.Text()
	return draft, cmp.Or(os.MkdirAll(string(folder), 0o700), write(draft, text))
}

// write creates a file, durably. It follows no link, and removes a file that it could not write.
func write(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		_ = os.Remove(path)
	}
	return err
}

// rename retries for a while on Windows, where a file that is being read, for example by a virus scanner, can't be
// replaced.
func rename(from, to string) error {
	for attempt := 1; ; attempt++ {
		err := os.Rename(from, to)
		if err == nil || runtime.GOOS != "windows" || attempt == 20 {
			return err
		}
		time.Sleep(time.Duration(attempt) * 5 * time.Millisecond)
	}
}

// get reads a text of this shop, or that of an earlier version, whose names did not distinguish shops.
func (c *Client) get(name string) string {
	if text, isUnkept := c.unkept.Load(name); isUnkept {
		return textOf(text)
	}
	text, err := c.options.Store.Get(name + c.scope)
	if err == nil && text == "" {
		text, err = c.options.Store.Get(name)
	}
	c.took(name, nil, err)
	return text
}

// set stores a text. If the store fails, the text counts as long as the client lives.
func (c *Client) set(name, text string) {
	err := c.options.Store.Set(name+c.scope, text)
	if err == nil && text == "" {
		err = c.options.Store.Set(name, "")
	}
	c.unkept.Delete(name)
	c.took(name, text, err)
}

// create stores a text if there is none.
func (c *Client) create(name, text string) {
	if creator, isCreator := c.options.Store.(Creator); isCreator {
		_, err := creator.Create(name+c.scope, text)
		c.took(name, text, err)
	} else {
		c.set(name, text)
	}
}

func (c *Client) took(name string, unkept any, err error) {
	if err == nil {
		return
	}
	// A device id that is not stored would take a slot at each start.
	if unkept != nil && !slices.Contains(deviceNames, name) {
		c.unkept.Store(name, unkept)
	}
	c.fault.Store(fail("not_remembered", "The license can't be kept: "+err.Error()))
	c.log("The store failed: %s", err)
}

// faulted returns the store's error since the last call.
func (c *Client) faulted() error {
	if fault := c.fault.Swap(nil); fault != nil {
		return fault
	}
	return nil
}
