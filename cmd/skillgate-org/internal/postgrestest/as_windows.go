package postgrestest

import "syscall"

// runAs starts a process as this user: there is no root here.
func runAs(_, _ uint32) *syscall.SysProcAttr { return nil }
