import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { startFakeUpstream } from './fake-upstream/fake-upstream.ts'

/**
 * `npm run dev`: the gateway with the fake upstream behind it, on throw-away data, started again when a source changes.
 * Prints a key and a line to try it with.
 */
const ROOT = join(import.meta.dirname, '..')
const PORT = process.env['PORT'] ?? '8787'
const SENTINELS = ['echo', 'fixed', 'no-usage', 'overloaded', 'slow-chunks', 'cut-mid-stream', 'never-answers']

const directory = await mkdtemp(join(tmpdir(), 'tollgate-dev-'))
const fake = await startFakeUpstream()
const key = `dev-${randomBytes(16).toString('hex')}`
const config = join(directory, 'tollgate.yaml')
await writeFile(config, configFile(fake.url, key), { mode: 0o600 })

const gateway: ChildProcess = spawn(process.execPath, ['--watch-path', join(ROOT, 'src'), 'src/main.ts', 'start'], {
  cwd: ROOT,
  env: {
    ...process.env,
    PORT,
    TOLLGATE_DATA_DIR: join(directory, 'data'),
    TOLLGATE_CONFIG: config,
    TOLLGATE_DEMO: '0',
  },
  stdio: 'inherit',
})
console.log(`
fake upstream  ${fake.url}
API key        ${key}
try            curl http://127.0.0.1:${PORT}/v1/chat/completions -H 'Authorization: Bearer ${key}' \\
                 -H 'Content-Type: application/json' -d '{"model":"fake/echo","messages":[{"role":"user","content":"hello"}]}'
`)

let isEnding = false
async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  gateway.kill('SIGTERM')
  await fake.close()
  await rm(directory, { recursive: true, force: true })
}

process.on('SIGINT', () => void end())
process.on('SIGTERM', () => void end())
gateway.once('exit', () => void end())

function configFile(upstream: string, customKey: string): string {
  const models = SENTINELS.map(
    (name) => `  - name: fake/${name}
    price: { input: "2.50", output: "10" }
    context_tokens: 200000
    max_output_tokens: 64000
    targets: [{ upstream: fake-openai, model: fake/${name} }, { upstream: fake-anthropic, model: fake/${name} }]`,
  )
  return `upstreams:
  - { name: fake-openai, protocol: openai, base_url: "${upstream}/v1", credential: none }
  - { name: fake-anthropic, protocol: anthropic, base_url: "${upstream}/v1", credential: none }
models:
${models.join('\n')}
groups:
  - { name: default, multiplier: "1", models: ["*"] }
accounts:
  - { email: dev@example.test, password: "correct horse battery", role: admin, balance: "100" }
keys:
  - { account: dev@example.test, name: dev, group: default, custom_key: ${customKey} }
`
}
