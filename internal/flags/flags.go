// Package flags adds flags whose value is read by a function, and has the functions for the kinds that several commands take.
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

// value is a flag's, and the text that it was read from.
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
		v.text = "" // it is as if the flag was not given
	}
	return nil
}

// Var adds a flag that read reads into to, which keeps its zero value where neither a default nor the flag is given.
func Var[T any](set *pflag.FlagSet, to *T, name, standard, usage string, read func(string) (T, error)) {
	VarP(set, to, name, "", standard, usage, read)
}

// VarP is Var of a flag that has one letter, too.
func VarP[T any](set *pflag.FlagSet, to *T, name, letter, standard, usage string, read func(string) (T, error)) {
	v := &value[T]{to: to, read: read}
	if standard != "" {
		if err := v.Set(standard); err != nil {
			panic(fmt.Sprintf("the default of --%s: %v", name, err))
		}
	}
	set.VarP(v, name, letter, usage)
}

// OneOf reads one of a few words or numbers.
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

// Count reads a whole number from 1 on.
func Count(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, errors.New("not a whole number of 1 or more")
	}
	return n, nil
}

// Time reads a duration longer than none.
func Time(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, errors.New("not a time; write it like 57s or 2m30s")
	}
	return d, nil
}
