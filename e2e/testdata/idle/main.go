// Idle is what the containers of the end-to-end tests run: it does nothing until it is told to end.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, syscall.SIGTERM)
	fmt.Println("up")
	<-stopped
}
