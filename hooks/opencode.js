
export const Skillgate = async ({ client, directory }) => ({
  "chat.message": async (input, output) => {
    const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic)
    if (typed.length === 0) return
    const prompt = typed.map((part) => part.text).join("\n")
    const hint = await ask({ session_id: input.sessionID, cwd: directory, prompt })
    const last = output.parts.at(-1) // OpenCode sends parts in the order of their ids
    if (!hint) return
    output.parts.push({ ...typed[0], id: last.id + "0", text: hint, synthetic: true }) // OpenCode does not display synthetic parts, hence the toast
    client.tui?.showToast?.({ body: { title: "skillgate", message: hint, variant: "info", duration: 10000 } })?.catch(() => {})
  },
})
