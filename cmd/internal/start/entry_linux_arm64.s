//go:build !cgo

#include "textflag.h"

DATA one<>+0(SB)/8, $"GOMAXPRO"
DATA one<>+8(SB)/5, $"CS=01"
GLOBL one<>(SB), RODATA|NOPTR, $16

// The kernel enters with argc, argv, NULL, envp and NULL on the stack; the strings follow.
TEXT skillgate_start(SB),NOSPLIT|NOFRAME,$0
	MOVD	0(RSP), R0
	ADD	$16, RSP, R1
	ADD	R0<<3, R1
	MOVD	$0x4f525058414d4f47, R3 // GOMAXPRO
	MOVD	$0x3d5343, R4 // CS=
	MOVD	$0x01010101, R5
	MOVD	$0x4d494c4d454d4f47, R10 // GOMEMLIM
	MOVD	ZR, R9 // whether GOMAXPROCS is there
	MOVD	ZR, R11 // whether GOMEMLIMIT is there
variable:
	MOVD.P	8(R1), R2
	CBZ	R2, command
	MOVD	(R2), R6
	CMP	R10, R6
	BEQ	memory
	CMP	R3, R6
	BNE	variable
	MOVWU	8(R2), R6
	AND	$0xffffff, R6
	CMP	R4, R6
	BNE	variable
	MOVD	$1, R9
	MOVWU	11(R2), R6 // a number of at most three digits ends within these bytes
	SUBW	R5, R6, R7
	BICW	R6, R7
	TSTW	$0x80808080, R7
	BNE	variable
	MOVB	ZR, 11(R2)
	B	variable
memory:
	MOVD	$1, R11
	B	variable

command:
	CMP	$2, R0
	BLT	go
	MOVD	16(RSP), R2
	MOVWU	(R2), R6
	MOVD	$0x6b6f6f68, R3 // hook
	CMPW	R3, R6
	BNE	go
	MOVBU	4(R2), R6
	CBNZ	R6, go
	MOVD	$167, R8 // prctl
	MOVD	$29, R0 // PR_SET_TIMERSLACK
	MOVD	$10000000, R1 // nanoseconds
	SVC
	MOVD	·memProfileRate(SB), R2
	MOVD	ZR, (R2)
	CBNZ	R11, processors
	MOVD	$261, R8 // prlimit64
	MOVD	ZR, R0
	MOVD	$7, R1 // RLIMIT_NOFILE
	MOVD	ZR, R2
	MOVD	$·files(SB), R3
	SVC
	MOVD	·files+8(SB), R4
	MOVD	R4, -8(RSP)
	MOVD	$3, R4 // descriptors 0 to 2, which the runtime opens if they are closed
	MOVD	R4, -16(RSP)
	MOVD	$261, R8
	MOVD	ZR, R0
	SUB	$16, RSP, R2
	MOVD	ZR, R3
	SVC
processors:
	CBNZ	R9, go
	MOVD	0(RSP), R2
	ADD	$2, R2
	MOVD	RSP, R1
	SUB	$8, R1, R3 // the stack pointer itself is a multiple of 16
	SUB	$16, RSP, RSP
word:
	MOVD.P	8(R1), R4 // argc, argv and NULL: there is room before envp
	MOVD.P	R4, 8(R3)
	SUBS	$1, R2, R2
	BNE	word
	MOVD	$one<>(SB), R4
	MOVD	R4, (R3)
	MOVD	8(RSP), R0
	ADD	$16, RSP, R1
	JMP	runtime·rt0_go(SB)
go:
	B	_rt0_arm64_linux(SB)
