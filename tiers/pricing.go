package tiers

import "strings"

// price is what a model's tokens cost, in USD for a million of them.
type price struct{ input, output, cacheWrite, cacheRead float64 }

// priceOf is used only until the agent's own figure arrives, so that a run which is killed still counts against the budgets.
// A model that is not known is taken for the dearest.
func priceOf(model string) price {
	switch {
	case strings.Contains(model, "haiku"):
		return price{input: 1, output: 5, cacheWrite: 1.25, cacheRead: 0.1}
	case strings.Contains(model, "sonnet"):
		return price{input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0.3}
	default:
		return price{input: 5, output: 25, cacheWrite: 6.25, cacheRead: 0.5}
	}
}

// usd is what u cost at p.
func (p price) usd(u usage) float64 {
	return (float64(u.Input)*p.input + float64(u.Output)*p.output +
		float64(u.CacheWrite)*p.cacheWrite + float64(u.CacheRead)*p.cacheRead) / 1e6
}

// bytesPerToken turns what an agent wrote into tokens, roughly.
const bytesPerToken = 4

// spending sums the usage of messages until the agent's own total arrives. A message is reported once for each of its content
// blocks, one after the other and always with the usage of its start: the input is right, the output is estimated from the
// blocks' length.
type spending struct {
	usd    float64
	input  int64 // cached ones too
	output int64

	last  string // the message that the sums end with, and its share of them
	share charge
}

type charge struct {
	price   price
	usage   usage
	written int
}

func (s *spending) add(id, model string, u *usage, written int) {
	if u == nil || id == "" || !u.possible() {
		return
	}
	if id != s.last {
		s.last, s.share = id, charge{price: priceOf(model)}
	}
	s.count(-1)
	s.share.written += written
	s.share.usage = *u
	s.share.usage.Output = max(u.Output, int64(s.share.written/bytesPerToken))
	s.count(1)
}

func (s *spending) count(sign int64) {
	s.usd += float64(sign) * s.share.price.usd(s.share.usage)
	s.input += sign * s.share.usage.all()
	s.output += sign * s.share.usage.Output
}

// possible reports whether the figures can be true of one message: none negative, none beyond any model's context.
func (u usage) possible() bool {
	const most = 1 << 30
	for _, n := range []int64{u.Input, u.Output, u.CacheWrite, u.CacheRead} {
		if n < 0 || n > most {
			return false
		}
	}
	return true
}

// all is every token that went in, cached ones too.
func (u usage) all() int64 { return u.Input + u.CacheWrite + u.CacheRead }
