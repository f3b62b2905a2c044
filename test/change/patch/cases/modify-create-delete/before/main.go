package main
var x = 1
func main() {}
