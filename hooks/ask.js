import { spawn } from "node:child_process"

// ask resolves to the output of skillgate for a prompt, or to "" if there is none or skillgate cannot be run.
function ask(input) {
  return new Promise((resolve) => {
    const hook = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "ignore"], timeout: 5000, windowsHide: true })
    let out = ""
    hook.stdout.setEncoding("utf8").on("data", (text) => (out += text))
    hook.stdin.on("error", () => {})
    hook.on("error", () => resolve(""))
    hook.on("close", () => resolve(out.trim()))
    hook.stdin.end(JSON.stringify({ hook_event_name: "UserPromptSubmit", ...input }))
  }).catch(() => "")
}
