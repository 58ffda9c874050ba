import type { EngineInterface, Register } from 'claude-code'

// The parts of the plugin that need a module. They are independent of each other: if one
// fails, Claude Code continues without it. The engine's interface is early access.

// skillgate runs the program and returns its output, or "" if it fails.
async function skillgate($: EngineInterface, args: string[], stdin: string): Promise<string> {
  const env = await $.process.hookEnv()
  const ran = await $.process.run([`${$.plugin.root}/hooks/skillgate`, ...args], { stdin, env, timeoutMs: 5000 })
  return ran.exitCode === 0 ? ran.stdout : ''
}

// named returns the names of the skills in a suggestion, best first.
function named(text: string): string[] {
  const hint = text.slice(text.search(/Skills that (?:may )?match this prompt|$/))
  const short = hint.match(/^Skills that (?:may )?match this prompt[^:(]*: (.*)$/m)
  if (short) {
    return (short[1] ?? '').replace(/ \([^)]*\)(?=, |$)/g, '').split(', ')
  }
  return [...hint.matchAll(/^- ([^\s;(]+?)(?=:?[ ;(]|:?$)/gm)].map(line => line[1] ?? '')
}

// greet says once that skillgate is on, or once what to do if the program is missing. It says nothing in
// sessions without a terminal.
async function greet($: EngineInterface): Promise<void> {
  if ((await $.env.get('CLAUDE_CODE_ENTRYPOINT')) !== 'cli') {
    return
  }
  const ran = await $.process.run([`${$.plugin.root}/hooks/skillgate`, 'version'])
  const state = ran.exitCode === 0 ? 'on' : 'missing'
  if ((await $.store.get('said')) === state) {
    return
  }
  await $.store.set('said', state)
  $.ui.status(
    state === 'on'
      ? 'skills that fit a prompt are named here'
      : 'the program skillgate is not installed: get it from github.com/skillgate/skillgate, then start a new session',
  )
}

export const register: Register = (on, options) => {
  // The line under the prompt.
  if (options.line) {
    on('session.start', ($, e, next) => {
      void greet($)
      return next(e)
    })
    on('classic.UserPromptSubmit', async ($, e, next) => {
      const answer = await next(e)
      if ((answer.additionalContext ?? []).flatMap(named).length === 0) {
        $.ui.status(undefined)
      }
      return answer
    })
    // A queued prompt may be deleted, so its suggestion is shown only when the model gets it.
    on('prompt.attachment', { type: 'hook_additional_context' }, ($, e, next) => {
      const names = e.agentId === undefined ? named(e.text) : []
      if (names.length > 0) {
        $.ui.status(names.join(', '))
      }
      return next(e)
    })
  }

  // The shortened skill list.
  if (options.listing) {
    on('prompt.attachment', { type: 'skill_listing' }, async ($, e, next) => {
      const text = await skillgate($, ['listing', '--characters', String(options.listing_characters)], e.text)
      return next(text === '' ? e : { ...e, text })
    })
  }

  // Suggestions for subagents, whose tasks do not reach the hook for prompts.
  on('agent.spawn', async ($, e, next) => {
    const tool = { hook_event_name: 'PreToolUse', tool_name: 'Agent', tool_input: { prompt: e.prompt } }
    const event = { ...tool, session_id: await $.session.id(), cwd: await $.session.cwd() }
    const answer = await skillgate($, ['hook'], JSON.stringify(event))
    return next(answer === '' ? e : { ...e, prompt: JSON.parse(answer).hookSpecificOutput.updatedInput.prompt })
  })
}
