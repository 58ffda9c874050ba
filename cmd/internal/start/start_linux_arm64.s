//go:build !cgo

#include "textflag.h"
#include "limits.h"

// The kernel enters with argc, argv, NULL, envp, NULL on the stack.
TEXT skillgate_start(SB),NOSPLIT|NOFRAME,$0
	MOVD	$222, R8 // mmap
	MOVD	$0, R0
	MOVD	$ADDRESS_SPACE, R1
	MOVD	$0, R2 // PROT_NONE
	MOVD	$0x4022, R3 // MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE
	MOVD	$-1, R4
	MOVD	$0, R5
	SVC
	CMN	$4095, R0
	BCS	refuse
	MOVD	$ADDRESS_SPACE, R1
	MOVD	$215, R8 // munmap
	SVC
	SUB	$16, RSP
	MOVD	$-1, R2
	MOVD	R2, 0(RSP)
	MOVD	$163, R8 // getrlimit
	MOVD	$2, R0 // RLIMIT_DATA
	MOVD	RSP, R1
	SVC
	MOVD	0(RSP), R0
	ADD	$16, RSP
	MOVD	$DATA, R1
	CMP	R1, R0
	BLO	refuse

	// argc, argv and its NULL move down by two words, since the stack is aligned: that makes
	// room for a first variable, twice.
	MOVD	0(RSP), R3
	ADD	$2, R3
	MOVD	RSP, R1
	SUB	$16, RSP
	MOVD	RSP, R2
move:
	MOVD.P	8(R1), R0
	MOVD.P	R0, 8(R2)
	SUBS	$1, R3
	BNE	move
	MOVD	$skillgate_crash(SB), R0
	MOVD	R0, 0(R2)
	MOVD	R0, 8(R2)

variable:
	MOVD.P	8(R1), R2
	CBZ	R2, run
	MOVD	$skillgate_processors(SB), R3
	MOVD	$11, R4 // bytes of GOMAXPROCS=
same:
	MOVBU.P	1(R3), R5
	MOVBU.P	1(R2), R6
	CMP	R5, R6
	BNE	variable
	SUBS	$1, R4
	BNE	same
	MOVD	R2, R3
	MOVD	$(PROCESSOR_DIGITS+1), R4
digit:
	MOVBU.P	1(R3), R5
	CBZ	R5, variable
	SUBS	$1, R4
	BNE	digit
	MOVB	ZR, (R2)
	B	variable

run:
	MOVD	0(RSP), R0
	CMP	$2, R0
	BLT	go
	MOVD	16(RSP), R0 // argv[1]; other strings follow it
	MOVD	(R0), R0
	MOVD	skillgate_hook(SB), R1
	EOR	R0, R1
	LSL	$24, R1 // hook and its NUL are five bytes
	CBNZ	R1, go
	MOVD	$29, R0 // PR_SET_TIMERSLACK
	MOVD	$TIMER_SLACK, R1
	MOVD	$167, R8 // prctl
	SVC
go:
	B	_rt0_arm64_linux(SB)

refuse:
	MOVD	0(RSP), R0
	CMP	$2, R0
	BLT	loud
	MOVD	16(RSP), R0 // argv[1]; other strings follow it
	MOVD	(R0), R0
	MOVD	skillgate_hook(SB), R1
	EOR	R0, R1
	LSL	$24, R1 // hook and its NUL are five bytes
	CBZ	R1, quiet
	MOVD	skillgate_observe(SB), R1
	CMP	R0, R1
	BEQ	quiet

loud:
	MOVD	$64, R8 // write
	MOVD	$2, R0
	MOVD	$skillgate_refused(SB), R1
	MOVD	$REFUSED_SIZE, R2
	SVC
	MOVD	$3, R0
	B	exit

quiet:
	MOVD	$10000, R9 // reads of an input without end
read:
	MOVD	$(1<<32), R0 // standard input, POLLIN
	MOVD	R0, 0(RSP)
	MOVD	$0, R0
	MOVD	R0, 8(RSP)
	MOVD	$100000000, R0 // nanoseconds
	MOVD	R0, 16(RSP)
	MOVD	$73, R8 // ppoll
	MOVD	RSP, R0
	MOVD	$1, R1
	ADD	$8, RSP, R2
	MOVD	$0, R3
	SVC
	CMP	$0, R0
	BLE	done
	MOVD	$63, R8 // read
	MOVD	$0, R0
	MOVD	$skillgate_input(SB), R1
	MOVD	$65536, R2
	SVC
	CMP	$0, R0
	BLE	done
	SUBS	$1, R9
	BNE	read
done:
	MOVD	$0, R0
exit:
	MOVD	$94, R8 // exit_group
	SVC
