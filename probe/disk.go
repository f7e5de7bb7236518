package probe

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
)

func init() {
	register(Type{Name: "service", Key: "disk", What: "a service check", Doc: "Looks at the room on a disk.", Recorded: check.Service,
		Called: "disk df filesystem space", Written: "a disk is written type: service, disk: /",
		Options: func() Options { return &Disk{Free: "5%"} }})
}

// Disk checks the room on a disk of this machine.
type Disk struct {
	Path string // a folder on it
	Free string // the least that is free: a part of all, like 5%, or a size, like 2GiB
}

var frees = regexp.MustCompile(`^([1-9][0-9]?%|[1-9][0-9]{0,5}(\.[0-9])?[KMGT]iB)$`)

// Fields returns the keys of the services file.
func (d *Disk) Fields() []strict.Field {
	return []strict.Field{
		{Name: "disk", Doc: "a folder on a disk of this machine: as much is left there, for programs that are not root's", Takes: strict.File(&d.Path)},
		{Name: "free", Doc: "with `disk`: the least that is free, as a part of its bytes and of its inodes (`5%`) or as a size (`2GiB`)",
			Takes: strict.Matching(&d.Free, frees, " is no part and no size; write it like 5% or 2GiB")},
	}
}

// Finish does nothing.
func (*Disk) Finish(*strict.Reader, *strict.Node, string) {}

// About describes the check.
func (d *Disk) About() About {
	return About{Target: d.Path, Asked: "the disk of " + d.Path, Needs: "disk"}
}

// Prepare returns the attempt. A network file system may never answer: then what asks it is left behind.
func (d *Disk) Prepare(_ *Client, k *Check, _ string) Try {
	return func(ctx context.Context) check.Result {
		type answer struct {
			fs  unix.Statfs_t
			err error
		}
		answered, began := make(chan answer, 1), time.Now()
		go func() {
			var a answer
			a.err = unix.Statfs(d.Path, &a.fs)
			answered <- a
		}()
		select {
		case <-ctx.Done():
			return unmade(lateFault("no answer about the disk of "+d.Path, k.Timeout))
		case a := <-answered:
			if a.err != nil {
				return impossible(fmt.Sprintf("the disk of %s cannot be asked: %v", d.Path, a.err))
			}
			f := d.result(a.fs)
			f.ResponseTimeMS = milliseconds(time.Since(began))
			return f
		}
	}
}

// result judges what is left, for others than root.
func (d *Disk) result(fs unix.Statfs_t) check.Result {
	left, used := fs.Bavail, fs.Blocks-fs.Bfree
	percent, isPart := strings.CutSuffix(d.Free, "%")
	least, _ := strconv.ParseUint(percent, 10, 64)
	if isPart && fs.Files > 0 && fs.Ffree*100 < fs.Files*least {
		return down(fmt.Sprintf("disk %s has %d%% of its inodes free, below %s", d.Path, fs.Ffree*100/fs.Files, d.Free))
	}
	short := left*100 < (left+used)*least
	bytes := left * uint64(fs.Bsize)
	if !isPart {
		size, _ := humanize.ParseBytes(d.Free) // as frees has it
		short = bytes < size
	}
	if short {
		return down(fmt.Sprintf("disk %s has %d%% free (%s), below %s", d.Path, left*100/max(left+used, 1), text.Size(int64(bytes)), d.Free))
	}
	return check.Result{Status: check.Healthy}
}
