// Package flags adds flags whose value is parsed by a function, and has such functions for the kinds of values that several commands use.
package flags

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// value is a flag's value, with the text that it was parsed from.
type value[T any] struct {
	to   *T
	text string
	read func(string) (T, error)
}

func (v *value[T]) String() string { return v.text }
func (v *value[T]) Type() string   { return "value" }
func (v *value[T]) Set(text string) error {
	read, err := v.read(text)
	if err != nil {
		return err
	}
	if *v.to, v.text = read, text; reflect.ValueOf(v.to).Elem().IsZero() {
		v.text = "" // as if the flag was not given
	}
	return nil
}

// Var adds a flag. read parses its value into to, which stays zero if neither a default (standard) nor the flag is given.
func Var[T any](set *pflag.FlagSet, to *T, name, standard, usage string, read func(string) (T, error)) {
	VarP(set, to, name, "", standard, usage, read)
}

// VarP is Var for a flag that also has a short form.
func VarP[T any](set *pflag.FlagSet, to *T, name, letter, standard, usage string, read func(string) (T, error)) {
	v := &value[T]{to: to, read: read}
	if standard != "" {
		if err := v.Set(standard); err != nil {
			panic(fmt.Sprintf("the default of --%s: %v", name, err))
		}
	}
	set.VarP(v, name, letter, usage)
}

// OneOf returns a function that parses one of a few words or numbers.
func OneOf[T any](allowed ...T) func(string) (T, error) {
	return func(text string) (none T, err error) {
		words := make([]string, len(allowed))
		for i, v := range allowed {
			if words[i] = fmt.Sprint(v); words[i] == text {
				return v, nil
			}
		}
		return none, errors.New("none of " + strings.Join(words, ", "))
	}
}

// Count parses a whole number of at least 1.
func Count(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, errors.New("not a whole number of 1 or more")
	}
	return n, nil
}

// Time parses a positive duration.
func Time(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, errors.New("not a time; write it like 57s or 2m30s")
	}
	return d, nil
}
