// Package lit runs the tests of LLVM's lit in ShTest format, in process, from
// a Go test.
//
// In: a directory tree of test files with RUN lines, and a Config that names
// the commands they may use. Out: a Result for each file, with lit's codes and
// a log; Test reports them as subtests.
//
// The script language is lit 19's: RUN with continuation, DEFINE and REDEFINE,
// %-substitutions, %if, REQUIRES, UNSUPPORTED, XFAIL, ALLOW_RETRIES, END.; its
// internal shell with ; && || | redirections and quoting; and the commands
// : cat cd cmp count cp diff echo env export false FileCheck grep mkdir mv not
// popd pushd rm split-file touch true. Commands of the Config are Go functions
// and run in the process; outside programs run only if the Config lists them.
//
// Promise: tests run in parallel and do not see each other: each has its own
// directory for %t and as working directory, and no command changes the
// process. A test without RUN lines, or with a script that cannot be understood,
// is UNRESOLVED, which counts as a failure, as does finding no test at all.
//
// Deliberate differences from lit 19, where lit hides mistakes:
//
//   - A command that crashes (a panic, a signal, or an exit code that the Config
//     declares a crash) fails under plain "not"; lit's internal shell takes it as
//     success.
//   - What no test can mean, such as an unknown command or a redirection from a
//     file that is not there, is UNRESOLVED, so that no XFAIL or "not" hides it.
//   - An unknown %{name} is an error; lit leaves it in the command.
//   - A tool that belongs to a feature may be used only by tests whose REQUIRES
//     mentions the feature, so that the suite also runs where it is not there.
//   - Substitutions in the value of a substitution are expanded.
//   - %T is the test's own directory and not shared.
package lit
