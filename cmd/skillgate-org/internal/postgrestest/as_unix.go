//go:build unix

package postgrestest

import "syscall"

func runAs(user, group uint32) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: group}}
}
