package accountservice

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Store keeps texts by name. Get gives an empty text where there is none; Set keeps a text durably, and removes it where
// it is empty.
type Store interface {
	Get(name string) (string, error)
	Set(name, text string) error
}

type memoryStore struct {
	mu    sync.Mutex
	texts map[string]string
}

// MemoryStore is a store that ends with the process.
func MemoryStore() Store { return &memoryStore{texts: map[string]string{}} }

func (s *memoryStore) Get(name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.texts[name], nil
}

func (s *memoryStore) Set(name, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts[name] = text
	return nil
}

// FileStore is a folder with one file for each name, which only its owner may read.
type FileStore string

func (folder FileStore) path(name string) string { return filepath.Join(string(folder), name+".json") }

// Get reads the text of a name.
func (folder FileStore) Get(name string) (string, error) {
	text, err := os.ReadFile(folder.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// Set replaces the file whole by a rename: a machine that loses its power has the old text or the new one.
func (folder FileStore) Set(name, text string) error {
	path := folder.path(name)
	if text == "" {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(string(folder), 0o700); err != nil {
		return err
	}
	draft := path + "." + rand.Text()
	file, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(draft))
	}
	return os.Rename(draft, path)
}
