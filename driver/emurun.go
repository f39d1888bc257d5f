package driver

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"pisac/dialects/amdgpu/emu"
	"pisac/dialects/amdgpu/target"
	"pisac/dialects/host"
	"pisac/driver/launch"
	"pisac/ir"
	"pisac/passes"
)

// emulate compiles m, which is of the pisa dialect, for the chip and executes
// the machine code. It returns the arguments as the run left them; nil if there
// is an error in c.
func (o *runOptions) emulate(c *compile, m *ir.Module, l *launch.Launch, stderr io.Writer) []host.Arg {
	c.startNative(m)
	r := c.runner(passes.PISA)
	r.GivenUp = c.givenUp
	err := r.Run(m, c.nativeSteps())
	c.endNative(m)
	var fault *passes.PassError
	if errors.As(err, &fault) {
		c.bug = fmt.Errorf("%w\n%s", err, fault.Stack)
	}
	if err != nil || c.ds.HasErrors() {
		return nil
	}
	kernels, mode := c.native(m)
	req := &emu.Launch{Kernel: l.Kernel, Global: l.Global, Local: l.Local, Offset: l.Offset, Dims: l.Dims,
		Args: hostArgs(l), Seed: o.Seed, Approx: o.Approx, MaxSteps: o.StepLimit}
	if o.Memory == "weak" {
		req.Memory = emu.Weak
	}
	for i := range kernels {
		if f := kernels[i].Func; l.Kernel == "" || f.Name == l.Kernel {
			req.ScratchBytes = uint64(kernels[i].ScratchBytes)
		}
	}
	if req.Local == [3]uint64{} {
		req.Local = defaultLocal(m, l.Kernel, req.Global)
	}
	trace := bufio.NewWriter(stderr)
	if o.Trace {
		req.Trace = trace
	}
	st := emu.Run(m, mode, req, &c.ds)
	_ = trace.Flush()
	if st == nil {
		return nil
	}
	if o.Stats.Given {
		b, err := json.Marshal(st)
		if err != nil {
			panic(err)
		}
		_, _ = stderr.Write(append(b, '\n'))
	}
	return req.Args
}

// chipOf is the chip that --exec=emu compiles for.
func (o *runOptions) chipOf() *target.Target { return target.ByName(o.MCPU) }
