module accountservice

go 1.24
