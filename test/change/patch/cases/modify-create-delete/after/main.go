package main
var x = 2
func main() {}
