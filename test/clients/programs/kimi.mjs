// Kimi Code, started once: by the Agent Client Protocol, as editors drive it, it does the tasks of all cells, each in a
// session and a folder of its own. That `kimi -p` does one is proved by the setup instructions that are run in test/journeys.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { withAgent } from './json-lines.mjs'
import { doTasks } from './task.mjs'

const tasks = JSON.parse(readFileSync(process.env.TASKS, 'utf8'))
const config = join(homedir(), '.kimi-code', 'config.toml')
mkdirSync(dirname(config), { recursive: true })
writeFileSync(config, [`default_model = "${aliasOf(tasks[0].id)}"`, ...tasks.map(tablesOf)].join('\n'))

await withAgent(['kimi', 'acp'], async ({ send, next }) => {
  let asked = 0
  const ask = async (method, params, onUpdate) => {
    const id = asked++
    send({ jsonrpc: '2.0', id, method, params })
    const { result, error } = await next(
      (message) => message.id === id && message.method === undefined,
      (message) => onOther(message, onUpdate),
    )
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }
  const onOther = ({ id, method, params }, onUpdate) => {
    if (method === 'session/update') onUpdate?.(params.update)
    if (method !== 'session/request_permission') return
    const { optionId } = params.options.find(({ kind }) => kind === 'allow_once')
    send({ jsonrpc: '2.0', id, result: { outcome: { outcome: 'selected', optionId } } })
  }
  await ask('initialize', { protocolVersion: 1, clientCapabilities: {} })
  await doTasks(
    async ({ id, prompt, folder }) => {
      const { sessionId } = await ask('session/new', { cwd: folder, mcpServers: [] })
      await ask('session/set_model', { sessionId, modelId: aliasOf(id) })
      let answer = ''
      const text = [{ type: 'text', text: prompt }]
      const { stopReason } = await ask('session/prompt', { sessionId, prompt: text }, (update) => {
        if (update.sessionUpdate === 'agent_message_chunk') answer += update.content.text
      })
      if (stopReason !== 'end_turn') throw new Error(`stopReason ${stopReason}`)
      return answer
    },
    ['stream'],
  )
})

/** A provider and a model for each task, with its own key. */
function tablesOf({ id, package: type, origin, key, model }) {
  return [
    `[providers."${aliasOf(id)}"]`,
    `type = "${type}"`,
    `base_url = "${type === 'anthropic' ? origin : `${origin}/v1`}"`,
    `api_key = "${key}"`,
    `[models."${aliasOf(id)}"]`,
    `provider = "${aliasOf(id)}"`,
    `model = "${model}"`,
    'max_context_size = 262144',
  ].join('\n')
}

function aliasOf(task) {
  return `tollgate-${task}`
}
