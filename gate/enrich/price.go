package enrich

import (
	"fmt"
	"strings"
)

// DefaultModel is the default model of provider claude: it writes good requests at a fifth of the largest model's
// price.
const DefaultModel = "sonnet"

// DefaultBatch is the number of skills in one request. Fewer cost more, because every request repeats the
// instructions; more make the answers too long.
const DefaultBatch = 6

// prices are list prices in USD per million input and output tokens, by the aliases of the Claude Code client. Users
// with a subscription pay nothing extra.
var prices = map[string][2]float64{"haiku": {1, 5}, "sonnet": {3, 15}, "opus": {5, 25}}

// ListPrice returns the price of an estimate in USD, or nil if unknown.
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

// ProviderName returns a provider with its model, which may be "".
func ProviderName(provider, model string) string {
	if model == "" {
		return provider
	}
	return provider + " (" + model + ")"
}

// Thousands formats a number of tokens: 950, 12k, 3.4M.
func Thousands(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%dk", (n+500)/1000)
	}
	return fmt.Sprint(n)
}
