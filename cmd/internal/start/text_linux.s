//go:build !cgo

#include "textflag.h"

DATA	skillgate_hook+0(SB)/8, $"hook\x00\x00\x00\x00"
GLOBL	skillgate_hook(SB), RODATA, $8

DATA	skillgate_observe+0(SB)/8, $"observe\x00"
GLOBL	skillgate_observe(SB), RODATA, $8

DATA	skillgate_crash+0(SB)/18, $"GOTRACEBACK=crash\x00"
GLOBL	skillgate_crash(SB), RODATA, $18

DATA	skillgate_processors+0(SB)/12, $"GOMAXPROCS=\x00"
GLOBL	skillgate_processors(SB), RODATA, $12

DATA	skillgate_refused+0(SB)/136, $"skillgate: too little memory is allowed here (`ulimit -v` or `ulimit -d`)\nskillgate: hint: `ulimit -v unlimited`, `ulimit -d unlimited`\n"
GLOBL	skillgate_refused(SB), RODATA, $136

GLOBL	skillgate_input(SB), NOPTR, $65536
