module example.com/accountservice

go 1.24
