//go:build !cgo

#include "textflag.h"

DATA one<>+0(SB)/8, $"GOMAXPRO"
DATA one<>+8(SB)/5, $"CS=01"
GLOBL one<>(SB), RODATA|NOPTR, $16

// The kernel enters with argc, argv, NULL, envp and NULL on the stack; the strings follow.
TEXT skillgate_start(SB),NOSPLIT|NOFRAME,$0
	MOVQ	0(SP), CX
	LEAQ	16(SP)(CX*8), SI
	MOVQ	$0x4f525058414d4f47, R8 // GOMAXPRO
	MOVQ	$0x4d494c4d454d4f47, R10 // GOMEMLIM
	XORL	R9, R9 // whether GOMAXPROCS is there
	XORL	R12, R12 // whether GOMEMLIMIT is there
variable:
	MOVQ	(SI), DI
	ADDQ	$8, SI
	TESTQ	DI, DI
	JEQ	command
	CMPQ	(DI), R10
	JEQ	memory
	CMPQ	(DI), R8
	JNE	variable
	CMPW	8(DI), $0x5343 // CS
	JNE	variable
	CMPB	10(DI), $61 // =
	JNE	variable
	MOVL	$1, R9
	MOVL	11(DI), AX // a number of at most three digits ends within these bytes
	LEAL	-0x01010101(AX), DX
	NOTL	AX
	ANDL	AX, DX
	ANDL	$0x80808080, DX
	JNE	variable
	MOVB	$0, 11(DI)
	JMP	variable
memory:
	MOVL	$1, R12
	JMP	variable

command:
	CMPQ	CX, $2
	JLT	go
	MOVQ	16(SP), DI
	CMPL	(DI), $0x6b6f6f68 // hook
	JNE	go
	CMPB	4(DI), $0
	JNE	go
	MOVQ	$157, AX // prctl
	MOVQ	$29, DI // PR_SET_TIMERSLACK
	MOVQ	$10000000, SI // nanoseconds
	SYSCALL
	MOVQ	·memProfileRate(SB), AX
	MOVQ	$0, (AX)
	TESTL	R12, R12
	JNE	processors
	MOVQ	$302, AX // prlimit64
	XORL	DI, DI
	MOVQ	$7, SI // RLIMIT_NOFILE
	XORL	DX, DX
	LEAQ	·files(SB), R10
	SYSCALL
	MOVQ	·files+8(SB), CX
	MOVQ	CX, -8(SP)
	MOVQ	$3, -16(SP) // descriptors 0 to 2, which the runtime opens if they are closed
	MOVQ	$302, AX
	LEAQ	-16(SP), DX
	XORL	R10, R10
	SYSCALL
processors:
	TESTL	R9, R9
	JNE	go
	MOVQ	SP, SI
	LEAQ	-8(SP), DI
	MOVQ	DI, R8
	MOVQ	0(SP), CX
	ADDQ	$2, CX
	CLD
	REP; MOVSQ // argc, argv and NULL: there is room before envp
	LEAQ	one<>(SB), AX
	MOVQ	AX, (DI)
	MOVQ	R8, SP
go:
	JMP	_rt0_amd64_linux(SB)
