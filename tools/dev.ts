import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createPortProbe } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createServer, mergeConfig, type InlineConfig } from 'vite'
import settings from '../console/vite-config.ts'
import { SAMPLE_SIZES } from './sample/sample-plan.ts'
import { giveLinkTo } from './sample/sample-rows.ts'
import { makeSample, type Sample } from './sample/sample.ts'

const ROOT = join(import.meta.dirname, '..')
const PORT = process.env['PORT'] ?? '8787'
const CONSOLE_PORT = process.env['CONSOLE_PORT'] ?? '5173'
const ADMIN_TOKEN = randomBytes(24).toString('hex')
const READY_MS = 120_000
const LOOK_MS = 100
const END_MS = 5_000

/**
 * `npm run dev`: the gateway, started again when a source changes, with the fake upstream behind it on every protocol; and
 * the console on Vite's server, which shows a change in the page at once. On sample data that are thrown away at the end;
 * `-- --data many`, `new` or `empty` for another amount. PORT and CONSOLE_PORT for other ports than 8787 and 5173.
 */
async function develop(): Promise<void> {
  const { values } = parseArgs({ options: { data: { type: 'string', default: 'usual' } } })
  const size = SAMPLE_SIZES.find((known) => known === values.data)
  if (size === undefined) throw new Error(`--data takes ${SAMPLE_SIZES.join(', ')}`)
  for (const [name, port] of Object.entries({ PORT, CONSOLE_PORT })) await refuseTaken(name, Number(port))
  console.log('Making sample data …')
  const sample = await makeSample({ size, nowMs: Date.now(), seed: null, hasFakeModels: size !== 'empty' })
  const running: Running = { sample, gateway: undefined, console: undefined }
  const ended = untilEnded()
  try {
    giveLinkTo(sample.directory, sample.accountId)
    running.gateway = startGateway(sample.directory)
    running.console = await serveConsole()
    const isReady = await Promise.race([untilReady(), ended.then(() => false)])
    if (isReady) {
      console.log(welcome(sample))
      await ended
    }
  } finally {
    await end(running)
  }
}

interface ConsoleServer {
  close(): Promise<void>
}

interface Running {
  readonly sample: Sample
  gateway: ChildProcess | undefined
  console: ConsoleServer | undefined
}

/** The sample's account is the admin of the one-time link; with the demo setting it need not choose a password. */
function startGateway(directory: string): ChildProcess {
  return spawn(
    process.execPath,
    ['--watch-path', join(ROOT, 'src'), '--watch-preserve-output', 'src/main.ts', 'start'],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        PORT,
        TOLLGATE_DATA_DIR: directory,
        TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
        TOLLGATE_DEMO: '1',
        TOLLGATE_SHUTDOWN_DELAY_MS: '0',
        TOLLGATE_DRAIN_MS: '1000',
      },
      stdio: 'inherit',
    },
  )
}

/**
 * Vite has the console; everything else is the gateway's, under the same origin, so that cookies and its checks hold. The
 * server is ours: with its own, Vite would end this process at the first signal, before the gateway and its data.
 */
async function serveConsole(): Promise<ConsoleServer> {
  const server = createHttpServer()
  const own: InlineConfig = {
    configFile: false,
    base: '/console/',
    logLevel: 'warn',
    server: {
      middlewareMode: { server },
      hmr: { server },
      // The Host header stays: links and the check of the origin go by it.
      proxy: { '^/(?!console(?:/|$))': { target: `http://127.0.0.1:${PORT}`, changeOrigin: false } },
    },
  }
  const vite = await createServer(mergeConfig(settings, own))
  server.on('request', vite.middlewares)
  server.listen(Number(CONSOLE_PORT), 'localhost')
  await once(server, 'listening')
  return {
    async close() {
      await vite.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function untilReady(): Promise<true> {
  for (let waitedMs = 0; waitedMs < READY_MS; waitedMs += LOOK_MS) {
    const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`).catch(() => null)
    if (answer?.ok === true) return true
    await setTimeout(LOOK_MS)
  }
  throw new Error('the gateway did not get ready: see its messages above')
}

function welcome({ fake, secret, setUpToken }: Sample): string {
  const body = '{"model":"fake/echo","messages":[{"role":"user","content":"Hello, Tollgate"}]}'
  const key =
    secret === null
      ? []
      : [
          `API key        ${secret}`,
          `Try it         curl -sS http://127.0.0.1:${PORT}/v1/chat/completions -H 'Authorization: Bearer ${secret}' \\`,
          `                 -H 'Content-Type: application/json' -d '${body}'`,
        ]
  return [
    '',
    `Console        http://localhost:${CONSOLE_PORT}/console/set-up#${setUpToken}`,
    '               (one-time link, signs in as an admin; changes in console/ show at once)',
    `Gateway        http://127.0.0.1:${PORT} (started again when src/ changes)`,
    `Fake upstream  ${fake.url} (OpenAI chat and responses, Anthropic, Gemini; a model for each of its tricks: fake/…)`,
    `Admin token    ${ADMIN_TOKEN}`,
    ...key,
    '',
  ].join('\n')
}

async function refuseTaken(name: string, port: number): Promise<void> {
  const probe = createPortProbe()
  probe.listen(port, '127.0.0.1')
  await once(probe, 'listening').catch(() => {
    throw new Error(`Port ${port} is taken: set ${name} to another one.`)
  })
  probe.close()
  await once(probe, 'close')
}

/** Resolves at the first signal to stop. */
async function untilEnded(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  await Promise.race(signals.map((signal) => once(process, signal)))
  // A second one while everything stops changes nothing.
  for (const signal of signals) process.on(signal, () => {})
}

async function end({ sample, gateway, console: server }: Running): Promise<void> {
  await server?.close()
  if (gateway !== undefined && gateway.exitCode === null && gateway.signalCode === null) {
    const ended = once(gateway, 'exit')
    gateway.kill('SIGTERM')
    const isLate = await Promise.race([ended.then(() => false), setTimeout(END_MS, true, { ref: false })])
    if (isLate) gateway.kill('SIGKILL')
  }
  await sample.remove()
}

await develop().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
