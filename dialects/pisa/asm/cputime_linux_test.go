package asm

import (
	"syscall"
	"time"
)

// threadTime is the time that this thread has computed: other processes on the
// machine do not count.
func threadTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()) // their sum is exact, the split is not
}
