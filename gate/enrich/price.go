package enrich

import (
	"fmt"
	"strings"
)

// DefaultModel is the model that provider claude uses unless one is named: it
// writes good requests at a fifth of the largest model's price.
const DefaultModel = "sonnet"

// DefaultBatch is how many skills one request holds: fewer cost more, since every
// request repeats what is asked for; more make answers so long that models tire.
const DefaultBatch = 6

// prices are list prices in USD for a million tokens in and out of the aliases
// that the Claude Code client takes; a subscription pays nothing beside it.
var prices = map[string][2]float64{"haiku": {1, 5}, "sonnet": {3, 15}, "opus": {5, 25}}

// ListPrice returns what an estimate costs in USD, nil where the price is not known.
func ListPrice(provider, model string, x Estimate) *float64 {
	if provider != "claude" {
		return nil
	}
	for alias, p := range prices {
		if strings.Contains(model, alias) {
			usd := (float64(x.In)*p[0] + float64(x.Out)*p[1]) / 1e6
			return &usd
		}
	}
	return nil
}

// ProviderName names a provider and its model, which may be empty.
func ProviderName(provider, model string) string {
	if model == "" {
		return provider
	}
	return provider + " (" + model + ")"
}

// Thousands writes a number of tokens in two or three digits.
func Thousands(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%dk", (n+500)/1000)
	}
	return fmt.Sprint(n)
}
