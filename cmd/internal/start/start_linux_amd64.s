//go:build !cgo

#include "textflag.h"
#include "limits.h"

// The kernel enters with argc, argv, NULL, envp, NULL on the stack.
TEXT skillgate_start(SB),NOSPLIT|NOFRAME,$0
	MOVQ	$9, AX // mmap
	XORQ	DI, DI
	MOVQ	$ADDRESS_SPACE, SI
	XORQ	DX, DX // PROT_NONE
	MOVQ	$0x4022, R10 // MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE
	MOVQ	$-1, R8
	XORQ	R9, R9
	SYSCALL
	CMPQ	AX, $-4096
	JHI	refuse
	MOVQ	AX, DI
	MOVQ	$11, AX // munmap
	SYSCALL
	PUSHQ	$-1
	PUSHQ	$-1
	MOVQ	$97, AX // getrlimit
	MOVQ	$2, DI // RLIMIT_DATA
	MOVQ	SP, SI
	SYSCALL
	POPQ	AX
	POPQ	CX
	CMPQ	AX, $DATA
	JCS	refuse

	// argc, argv and its NULL move down by a word, which makes room for a first variable.
	MOVQ	0(SP), CX
	ADDQ	$2, CX
	MOVQ	SP, SI
	SUBQ	$8, SP
	MOVQ	SP, DI
	CLD
	REP; MOVSQ
	LEAQ	skillgate_crash(SB), AX
	MOVQ	AX, (DI)

variable:
	MOVQ	(SI), DI
	ADDQ	$8, SI
	TESTQ	DI, DI
	JEQ	run
	LEAQ	skillgate_processors(SB), BX
	MOVQ	$11, CX // bytes of GOMAXPROCS=
same:
	MOVB	(BX), AX
	CMPB	AX, (DI)
	JNE	variable
	INCQ	BX
	INCQ	DI
	DECQ	CX
	JNE	same
	MOVQ	DI, BX
	MOVQ	$(PROCESSOR_DIGITS+1), CX
digit:
	CMPB	(BX), $0
	JEQ	variable
	INCQ	BX
	DECQ	CX
	JNE	digit
	MOVB	$0, (DI)
	JMP	variable

run:
	CMPQ	0(SP), $2
	JLT	go
	MOVQ	16(SP), BX // argv[1]; other strings follow it
	MOVQ	skillgate_hook(SB), AX
	XORQ	(BX), AX
	SHLQ	$24, AX // hook and its NUL are five bytes
	JNE	go
	MOVQ	$157, AX // prctl
	MOVQ	$29, DI // PR_SET_TIMERSLACK
	MOVQ	$TIMER_SLACK, SI
	SYSCALL
go:
	JMP	_rt0_amd64_linux(SB)

refuse:
	CMPQ	0(SP), $2
	JLT	loud
	MOVQ	16(SP), BX // argv[1]; other strings follow it
	MOVQ	skillgate_hook(SB), AX
	XORQ	(BX), AX
	SHLQ	$24, AX // hook and its NUL are five bytes
	JEQ	quiet
	MOVQ	skillgate_observe(SB), AX
	CMPQ	AX, (BX)
	JEQ	quiet

loud:
	MOVQ	$1, AX // write
	MOVQ	$2, DI
	LEAQ	skillgate_refused(SB), SI
	MOVQ	$REFUSED_SIZE, DX
	SYSCALL
	MOVQ	$3, DI
	JMP	exit

quiet:
	MOVQ	$10000, R12 // reads of an input without end
read:
	MOVQ	$(1<<32), AX // standard input, POLLIN
	MOVQ	AX, 0(SP)
	MOVQ	$7, AX // poll
	MOVQ	SP, DI
	MOVQ	$1, SI
	MOVQ	$100, DX // milliseconds
	SYSCALL
	TESTQ	AX, AX
	JLE	done
	XORQ	AX, AX // read
	XORQ	DI, DI
	LEAQ	skillgate_input(SB), SI
	MOVQ	$65536, DX
	SYSCALL
	TESTQ	AX, AX
	JLE	done
	DECQ	R12
	JNE	read
done:
	XORQ	DI, DI
exit:
	MOVQ	$231, AX // exit_group
	SYSCALL
