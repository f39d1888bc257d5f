//go:build !linux

package asm

import "time"

func threadTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
