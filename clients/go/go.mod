module accountservice

go 1.22
