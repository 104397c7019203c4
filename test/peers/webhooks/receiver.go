// A receiver that prints its port, and then the kind of each request that the library verifies.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("SECRET"))
	if err != nil {
		panic(err)
	}
	receive := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var event struct {
			Type string `json:"type"`
		}
		if webhook.Verify(body, r.Header) != nil || json.Unmarshal(body, &event) != nil {
			fmt.Println("refused")
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		fmt.Println(event.Type)
		w.WriteHeader(http.StatusNoContent)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.ServeTLS(listener, http.HandlerFunc(receive), os.Getenv("CERTIFICATE"), os.Getenv("KEY")))
}
