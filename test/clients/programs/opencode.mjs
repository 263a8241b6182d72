// The agent itself, started once: its server does the tasks of all cells, each in a session and a folder of its own, as
// its terminal and its editor plugins have it do them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { doTasks } from './task.mjs'

const LISTENING = /listening on (http:\/\/\S+)/

const config = join(homedir(), '.config', 'opencode', 'opencode.json')
mkdirSync(dirname(config), { recursive: true })
writeFileSync(config, JSON.stringify({ provider: providers() }))
const server = spawn('opencode', ['serve', '--hostname', '127.0.0.1', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const origin = await listening()
  await doTasks((task) => converse(origin, task), ['stream'])
} finally {
  server.kill()
  await once(server, 'exit')
}

/** One for each task, with its own key. */
function providers() {
  return Object.fromEntries(
    JSON.parse(readFileSync(process.env.TASKS, 'utf8')).map(({ id, package: npm, origin, key, model }) => [
      providerOf(id),
      {
        npm,
        name: 'Tollgate',
        options: { baseURL: `${origin}/v1`, apiKey: key },
        models: { [model]: {} },
      },
    ]),
  )
}

function providerOf(task) {
  return `tollgate-${task}`
}

async function listening() {
  let printed = ''
  server.stdout.setEncoding('utf8')
  for await (const text of server.stdout.iterator({ destroyOnReturn: false })) {
    printed += text
    const origin = LISTENING.exec(printed)?.[1]
    if (origin !== undefined) {
      server.stdout.resume()
      return origin
    }
  }
  throw new Error(`opencode serve ended: ${printed}`)
}

async function converse(origin, { id, model, prompt, folder }) {
  const ask = async (path, body) => {
    const response = await fetch(`${origin}${path}?directory=${encodeURIComponent(folder)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const session = await ask('/session', {})
  const { info, parts } = await ask(`/session/${session.id}/message`, {
    model: { providerID: providerOf(id), modelID: model },
    parts: [{ type: 'text', text: prompt }],
  })
  if (info.error !== undefined) throw new Error(JSON.stringify(info.error))
  return parts.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('\n')
}
