module receiver

go 1.25

require github.com/standard-webhooks/standard-webhooks/libraries v0.0.1
