//go:build race

package web

func init() { raceDetector = true }
