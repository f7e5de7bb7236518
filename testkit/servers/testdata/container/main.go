// Container is the only program in the containers of tests, and also their shell.
//
//	idle               waits for SIGTERM
//	exit CODE          exits with this code
//	crash CODE DELAY   exits with this code after the delay, a Go duration
//	recover N          fails the first N times, then is idle
//	say CODE TEXT…     prints the text, like a health check, and exits with this code
package main

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	args := os.Args[1:]
	if len(args) == 2 && args[0] == "-c" { // called as a shell, by a health check
		args = strings.Fields(args[1])
	}
	if len(args) == 0 {
		args = []string{"idle"}
	}
	switch args[0] {
	case "idle":
		idle()
	case "recover":
		failed, _ := os.ReadFile("/failed") // not there yet
		if len(failed) >= number(args[1]) {
			idle()
			return
		}
		if err := os.WriteFile("/failed", append(failed, 'x'), 0o600); err != nil {
			fail(err)
		}
		os.Exit(1)
	case "exit":
		os.Exit(number(args[1]))
	case "crash":
		delay, err := time.ParseDuration(args[2])
		if err != nil {
			fail(err)
		}
		time.Sleep(delay)
		os.Exit(number(args[1]))
	case "say":
		fmt.Println(strings.Join(args[2:], " "))
		os.Exit(number(args[1]))
	default:
		fail(fmt.Errorf("no such command: %q", args))
	}
}

func idle() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	<-signals
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		fail(err)
	}
	return n
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(125)
}
