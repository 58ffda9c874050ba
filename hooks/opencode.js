
export const Skillgate = async ({ directory }) => ({
  "chat.message": async (input, output) => {
    const typed = output.parts.filter((part) => part.type === "text" && !part.synthetic)
    if (typed.length === 0) return
    const prompt = typed.map((part) => part.text).join("\n")
    const hint = await ask({ session_id: input.sessionID, cwd: directory, prompt })
    const last = output.parts.at(-1) // parts are sent in the order of their ids
    if (hint) output.parts.push({ ...typed[0], id: last.id + "0", text: hint, synthetic: true })
  },
})
