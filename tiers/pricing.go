package tiers

import "strings"

// price is what a model's tokens cost, in USD per million.
type price struct{ input, output, cacheWrite, cacheRead float64 }

// priceOf returns a model's price. It is used only until the agent reports its own cost, so that a killed run still counts against the
// budgets. An unknown model is assumed to be the most expensive.
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

// usd returns what u costs at p.
func (p price) usd(u usage) float64 {
	return (float64(u.Input)*p.input + float64(u.Output)*p.output +
		float64(u.CacheWrite)*p.cacheWrite + float64(u.CacheRead)*p.cacheRead) / 1e6
}

// bytesPerToken estimates tokens from the length of what an agent wrote.
const bytesPerToken = 4

// spending sums the usage of messages until the agent's own total arrives. A message is reported once per content block, in sequence, and
// always with the usage of its start: the input is correct, and the output is estimated from the length of the blocks.
type spending struct {
	usd    float64
	input  int64 // includes cached tokens
	output int64

	last  string // the latest message, and its share of the sums
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

// possible reports whether the figures are plausible for one message: none negative, and none beyond any model's context.
func (u usage) possible() bool {
	const most = 1 << 30
	for _, n := range []int64{u.Input, u.Output, u.CacheWrite, u.CacheRead} {
		if n < 0 || n > most {
			return false
		}
	}
	return true
}

// all returns the number of input tokens, including cached ones.
func (u usage) all() int64 { return u.Input + u.CacheWrite + u.CacheRead }
