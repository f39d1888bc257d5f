// Package ere matches POSIX extended regular expressions the way LLVM's Regex
// class does in newline mode, which is what FileCheck patterns are written for.
//
// In: regular expressions, literal text and references to earlier captures,
// joined to one Regexp by Join. Out: the leftmost of all matches, and among
// those the longest, with the extent of each captured part.
//
// What differs from Go's regexp and is why this package exists:
//
//   - Matching is by byte. '.' and negated brackets never match a newline; '^'
//     and '$' match at line ends and at the ends of the text that is searched.
//   - A backslash makes the next byte literal: \d is the letter d. \1 to \9
//     refer back to a group. A backslash inside brackets is literal.
//   - Captures divide a match as POSIX says: the first part takes as much as it
//     can, then the second, and so on.
//
// Promise: parsing and compiling are linear in the expanded expression, whose
// size and nesting are limited. Without back-references a search costs at most
// text × program steps. With them it is a backtracking search that remembers
// the states it has seen and gives up with ErrTooCostly after a fixed number of
// steps; nothing recurses deeper than the nesting limit.
package ere
