// Pi, started once: by the protocol with which other programs drive it, it does the tasks of all cells, each in a session
// of its own. That `pi -p` does one is proved by the setup instructions that are run in test/journeys.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { withAgent } from './json-lines.mjs'
import { doTasks } from './task.mjs'

const tasks = JSON.parse(readFileSync(process.env.TASKS, 'utf8'))
const providers = tasks.map(({ id, package: api, origin, key, model }) => [
  providerOf(id),
  { baseUrl: api === 'anthropic-messages' ? origin : `${origin}/v1`, api, apiKey: key, models: [{ id: model }] },
])
const config = join(homedir(), '.pi', 'agent', 'models.json')
mkdirSync(dirname(config), { recursive: true })
writeFileSync(config, JSON.stringify({ providers: Object.fromEntries(providers) }))

const first = ['--provider', providerOf(tasks[0].id), '--model', tasks[0].model]
await withAgent(['pi', '--mode', 'rpc', ...first], async ({ send, next }) => {
  const ask = async (command) => {
    send(command)
    const { success, error, data } = await next(({ type, command: of }) => type === 'response' && of === command.type)
    if (!success) throw new Error(`${command.type}: ${error}`)
    return data
  }
  await doTasks(
    async ({ id, model, prompt }) => {
      await ask({ type: 'new_session' })
      await ask({ type: 'set_model', provider: providerOf(id), modelId: model })
      await ask({ type: 'prompt', message: prompt })
      await next(({ type }) => type === 'agent_end')
      const { text } = await ask({ type: 'get_last_assistant_text' })
      if (text === null) throw new Error('no answer')
      return text
    },
    ['stream'],
  )
})

/** One for each task, with its own key. */
function providerOf(task) {
  return `tollgate-${task}`
}
