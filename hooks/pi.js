
export default function (pi) {
  pi.on("before_agent_start", async (event, ctx) => {
    if (!event.prompt) return
    const hint = await ask({ session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, prompt: event.prompt })
    if (hint) return { message: { customType: "skillgate", content: hint, display: true } }
  })
}
