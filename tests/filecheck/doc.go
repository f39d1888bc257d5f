// Package filecheck checks text against the directives in a check file, with
// the language, options, exit codes and messages of LLVM 19's FileCheck.
//
// In: a check file, the text to check, Options. Out: an exit code (0 the text
// is as expected, 1 it is not, 2 the check file or the options are at fault)
// and, on the error stream, what went wrong and where. Main is the command.
//
// Promise: any input gives one of the three codes in bounded time. The regular
// expressions are package ere's.
//
// Deliberate differences from LLVM 19, each for the sake of a test that would
// otherwise pass without checking anything, or crash:
//
//   - A word that starts with a check prefix, continues with '-' or '_' and ends
//     in a colon, but is not a directive (CHECK-NOTE:), is an error. LLVM
//     ignores it. It is let pass if it is a directive of another prefix that the
//     check file itself names in a --check-prefix or --check-prefixes.
//   - Blanks before the colon of a directive (CHECK-NEXT :) are an error. LLVM
//     ignores the directive.
//   - An unbalanced ']' in a variable's regular expression gives exit code 2, not 1.
//   - Unknown or malformed options give exit code 2, not 1.
//   - A precision above 255 is an error. LLVM crashes.
//   - A reference (\1) to a group that is still open is an error. LLVM's pattern
//     never matches.
//   - A variable can be used again on its line whatever its number of groups is.
//     LLVM counts to 9.
//   - --enable-var-scope clears numeric variables at every label. LLVM does not
//     clear those that got their value after the first one.
//   - Messages show a variable's value as it is, not as a regular expression, and
//     suggest the directive that was meant.
//   - An --implicit-check-not pattern that does not parse is an error with exit
//     code 2. LLVM reports it and goes on.
package filecheck
