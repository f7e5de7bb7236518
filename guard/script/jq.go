package script

// JQ reads a jq filter. A filter has no effects of its own: it is granted, or refused because it reaches the environment
// or files of its own (modules), or calls what is not known. A field that is called env is a field.
func JQ(filter string) (Effects, error) {
	if err := checkText("jq", filter); err != nil {
		return Effects{}, err
	}
	tokens, err := jqTokens(filter)
	if err != nil {
		return Effects{}, err
	}
	r := jqReader{text: filter, defined: map[string]bool{}}
	r.define(tokens)
	return Effects{}, r.check(tokens)
}

type jqReader struct {
	text    string
	defined map[string]bool // the functions of the filter, and their parameters
}

// define collects what the filter defines with def.
func (r *jqReader) define(tokens []jqToken) {
	for i, t := range tokens {
		for _, inner := range t.inner {
			r.define(inner)
		}
		if i == 0 || !tokens[i-1].is("def") {
			continue
		}
		for _, parameter := range tokens[i:] {
			if parameter.is(":", "def") {
				break
			}
			if parameter.kind == jqWord {
				r.defined[parameter.text] = true
			}
		}
	}
}

// check judges the words of one text: the filter, or what stands in a string's parentheses.
func (r *jqReader) check(tokens []jqToken) error {
	var open []string // brackets, and the if and def that are not ended yet
	at := func(i int) jqToken {
		if i < 0 || i >= len(tokens) {
			return jqToken{kind: jqOperator}
		}
		return tokens[i]
	}
	inside := func() string {
		if len(open) == 0 {
			return ""
		}
		return open[len(open)-1]
	}
	for i, t := range tokens {
		for _, inner := range t.inner {
			if err := r.check(inner); err != nil {
				return err
			}
		}
		key := inside() == "{" && at(i-1).is("{", ",") && at(i+1).is(":", ",", "}")
		if t.kind == jqWord && !key {
			if err := r.word(t, at(i-1)); err != nil {
				return err
			}
		}
		switch {
		case t.kind == jqOperator && t.is("(", "[", "{"), !key && t.kind == jqWord && !at(i-1).is("$") && t.is("if", "def"):
			open = append(open, t.text)
		case t.kind == jqOperator && t.is(")", "]", "}"), !key && t.kind == jqWord && !at(i-1).is("$") && t.is("end"),
			t.is(";") && inside() == "def":
			if inside() != jqOpener(t.text) {
				return unread("jq", r.text, t.pos, "no "+t.text+" there")
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return refuse("jq: " + open[0] + " is not ended")
	}
	return nil
}

func jqOpener(closer string) string {
	switch closer {
	case ")":
		return "("
	case "]":
		return "["
	case "}":
		return "{"
	case "end":
		return "if"
	}
	return "def"
}

// word judges a name or keyword that is no key of an object.
func (r *jqReader) word(t, before jqToken) error {
	variable := before.is("$")
	switch {
	case t.text == "env" && !variable, t.text == "ENV" && variable:
		return forbid("jq: env and $ENV show the environment, which holds secrets; pass the one value with --arg name value (a field of that name is .env)")
	case t.text == "import" || t.text == "include" || t.text == "module" || t.text == "modulemeta" || t.text == "get_search_list":
		return refuse("jq: " + t.text + " reaches modules, which are files; write the functions into the filter")
	case variable && len(t.text) > 2 && t.text[:2] == "__" && t.text != "__loc__":
		return unread("jq", r.text, t.pos, "a variable of the filter or of --arg")
	case variable, before.is("def"), jqKeyword(t.text), jqBuiltin(t.text), r.defined[t.text]:
		return nil
	}
	return refuse("jq: the function " + t.text + " is not known; use jq's own functions, or write ." + t.text + " for a field")
}

func jqKeyword(word string) bool {
	switch word {
	case "and", "as", "break", "catch", "def", "elif", "else", "end", "foreach", "if", "label", "or", "reduce", "then",
		"try", "__loc__":
		return true
	}
	return false
}

// jqBuiltin tells whether name is a function of jq that only computes, or reads the input that jq was given.
func jqBuiltin(name string) bool {
	switch name {
	case "IN", "INDEX", "JOIN", "abs", "acos", "acosh", "add", "all", "any", "arrays", "ascii",
		"ascii_downcase", "ascii_upcase", "asin", "asinh", "atan", "atan2", "atanh", "booleans", "bsearch", "builtins",
		"capture", "cbrt", "ceil", "combinations", "contains", "copysign", "cos", "cosh", "date", "dateadd", "datesub",
		"debug", "del", "delpaths", "drem", "empty", "endswith", "erf", "erfc", "error", "exp", "exp10", "exp2", "explode", "expm1",
		"fabs", "false", "fdim", "finites", "first", "flatten", "floor", "fma", "fmax", "fmin", "fmod", "format", "frexp",
		"from_entries", "fromdate", "fromdateiso8601", "fromjson", "fromstream", "gamma", "getpath", "gmtime", "group_by",
		"gsub", "halt", "halt_error", "has", "have_decnum", "have_literal_numbers", "hypot", "implode", "in", "index",
		"indices", "infinite", "input", "input_filename", "input_line_number", "inputs", "inside", "isempty", "isfinite", "isinfinite",
		"isnan", "isnormal", "isvalid", "iterables", "j0", "j1", "jn", "join", "keys", "keys_unsorted", "last", "ldexp",
		"leaf_paths", "length", "lgamma", "lgamma_r", "limit", "localtime", "log", "log10", "log1p", "log2", "logb", "ltrim",
		"ltrimstr", "map", "map_values", "match", "max", "max_by", "min", "min_by", "mktime", "modf", "nan", "nearbyint",
		"nextafter", "nexttoward", "normals", "not", "now", "nth", "null", "nulls", "numbers", "objects", "path", "paths",
		"pick", "pow", "pow10", "range", "recurse", "recurse_down", "remainder", "repeat", "reverse", "rindex", "rint", "round", "rtrim",
		"rtrimstr", "scalars", "scalars_or_empty", "scalb", "scalbln", "scan", "select", "setpath", "significand", "sin", "sinh", "skip", "sort",
		"sort_by", "split", "splits", "sqrt", "startswith", "stderr", "strflocaltime", "strftime", "strings", "strptime",
		"sub", "tan", "tanh", "test", "tgamma", "to_entries", "toarray", "todate", "todateiso8601", "tojson", "tonumber",
		"tostream", "tostring", "transpose", "trim", "trimstr", "true", "trunc", "truncate_stream", "type", "unique",
		"unique_by", "until", "utf8bytelength", "values", "walk", "while", "with_entries", "y0", "y1", "yn":
		return true
	}
	return false
}
